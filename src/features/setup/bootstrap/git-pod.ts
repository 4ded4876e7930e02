import type { TreeMap } from '../../../core/manifests/manifest.ts';

/** The fields of a pod that runs leasehold in a clone. */
export interface GitPod {
  /** An image with `leasehold`, git and a shell on its path. */
  readonly image: string;
  readonly repository: { readonly url: string; readonly branch: string };
  /** The Secret that git authenticates with; undefined for a public repository. */
  readonly secret: string | undefined;
}

/** The user `node` of Node.js images. ssh requires a user that exists in the image. */
const user = 1000;
const secrets = '/secrets';

/** The folder of the clone. */
export const cloneFolder = '/srv/leases';

/** The spec of a pod that clones the branch, and then runs a container beside the clone. */
export function gitPodSpec(pod: GitPod, { name, ...container }: TreeMap): TreeMap {
  const { secret } = pod;
  return {
    enableServiceLinks: false,
    securityContext: {
      runAsNonRoot: true,
      runAsUser: user,
      runAsGroup: user,
      fsGroup: user,
      seccompProfile: { type: 'RuntimeDefault' },
    },
    initContainers: [cloneContainer(pod)],
    containers: [{ name, ...runtimeOf(pod), ...container }],
    volumes: [
      { name: 'leases', emptyDir: {} },
      { name: 'tmp', emptyDir: {} },
      ...(secret === undefined
        ? []
        : [{ name: 'secrets', secret: { secretName: secret, defaultMode: 0o440 } }]),
    ],
  };
}

/** Removes an earlier clone first: the volume outlives a restart of the container. */
function cloneContainer(pod: GitPod): TreeMap {
  const { url, branch } = pod.repository;
  const script =
    'rm -rf "$2" && exec git clone --quiet --no-tags --single-branch --branch "$1" -- "$0" "$2"';
  return {
    name: 'clone',
    ...runtimeOf(pod),
    command: ['/bin/sh', '-c', script, url, branch, cloneFolder],
  };
}

/** The fields that both containers have. */
function runtimeOf({ image, secret, repository }: GitPod): TreeMap {
  return {
    image,
    env: [
      { name: 'HOME', value: '/tmp' },
      ...(secret === undefined ? [] : authenticationOf(repository.url)),
    ],
    resources: {
      requests: { cpu: '50m', memory: '128Mi' },
      limits: { memory: '2Gi' },
    },
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    },
    volumeMounts: [
      { name: 'leases', mountPath: '/srv' },
      { name: 'tmp', mountPath: '/tmp' },
      ...(secret === undefined ? [] : [{ name: 'secrets', mountPath: secrets, readOnly: true }]),
    ],
  };
}

/**
 * Git's variables: key and known hosts for ssh, else a helper that reads user name and password.
 */
function authenticationOf(url: string): readonly TreeMap[] {
  if (!url.startsWith('https://')) {
    const options = `-i ${secrets}/identity -o IdentitiesOnly=yes -o UserKnownHostsFile=${secrets}/known_hosts -o StrictHostKeyChecking=yes -o ConnectTimeout=10 -o ServerAliveInterval=15`;
    return [{ name: 'GIT_SSH_COMMAND', value: `ssh ${options}` }];
  }
  const helper = `!f() { read -r u < ${secrets}/username; read -r p < ${secrets}/password; echo "username=$u"; echo "password=$p"; }; f`;
  return [
    { name: 'GIT_CONFIG_COUNT', value: '1' },
    { name: 'GIT_CONFIG_KEY_0', value: 'credential.helper' },
    { name: 'GIT_CONFIG_VALUE_0', value: helper },
  ];
}
