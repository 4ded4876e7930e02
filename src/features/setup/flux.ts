import type { TreeMap } from '../../core/manifests/manifest.ts';
import { yamlText } from '../../core/manifests/yaml-text.ts';
import { annotationPrefixes } from '../../core/model/planes.ts';
import { type Shards, shardFolders } from '../../core/model/pools.ts';
import { distFolder } from '../../core/model/repository-paths.ts';

/** A git repository as a source of manifests. */
export interface GitSource {
  readonly kind: 'GitRepository';
  /** Without credentials. */
  readonly url: string;
  readonly branch: string;
  /** The folder with `leases/` in the repository: empty, or with a trailing slash. */
  readonly folder: string;
}

/** An artifact made from `dist/` by `flux push artifact`, as a source of manifests. */
export interface ArtifactSource {
  readonly kind: 'OCIRepository';
  /** `oci://REGISTRY/NAME`, without credentials. */
  readonly url: string;
  readonly tag: string;
  /** The Secret with cosign's public keys; undefined if unsigned artifacts are applied too. */
  readonly cosignSecret: string | undefined;
}

/** The manifests that Flux applies in its own cluster, and their source. */
export interface FluxTarget {
  readonly source: GitSource | ArtifactSource;
  /** The namespace of all objects. */
  readonly namespace: string;
  /** The name of the source, and the name or name prefix of the Kustomizations. */
  readonly name: string;
  /** The Secret with the credentials of the source; undefined for a public one. */
  readonly secret: string | undefined;
  /** The name in the pool file of the cluster that Flux runs in. */
  readonly cluster: string;
  /** The shards of that cluster. */
  readonly shards: Shards;
  /** True to be ready only once every LoadBalancer Service has its pinned addresses. */
  readonly waitForAddresses: boolean;
}

/**
 * The objects by which Flux applies the manifests of one cluster: a source, and a Kustomization for
 * each shard. docs/gitops.md explains their fields.
 */
export function fluxText(target: FluxTarget): string {
  return yamlText([
    sourceOf(target),
    ...shardFolders(target.shards).map((shard) => kustomizationOf(target, shard)),
  ]);
}

function sourceOf({ source, namespace, name, secret }: FluxTarget): TreeMap {
  return {
    apiVersion: 'source.toolkit.fluxcd.io/v1',
    kind: source.kind,
    metadata: { name, namespace },
    spec: {
      interval: '1m',
      url: source.url,
      ref: source.kind === 'GitRepository' ? { branch: source.branch } : { tag: source.tag },
      ignore: source.kind === 'GitRepository' ? onlyDist(source.folder) : undefined,
      secretRef: secret === undefined ? undefined : { name: secret },
      verify: source.kind === 'GitRepository' ? undefined : signedBy(source.cosignSecret),
    },
  };
}

/** The source-controller refuses an artifact that none of these keys has signed. */
function signedBy(cosignSecret: string | undefined): TreeMap | undefined {
  return cosignSecret === undefined
    ? undefined
    : { provider: 'cosign', secretRef: { name: cosignSecret } };
}

/**
 * Patterns that exclude everything but `dist/` of a folder. They apply after each `.sourceignore`
 * in the repository, which could otherwise hide a manifest (fluxcd/source-controller: GitRepository
 * `.spec.ignore`).
 */
function onlyDist(folder: string): string {
  const names = `${folder}${distFolder}`.split('/');
  const lines = names.map((_, index) => {
    const above = names.slice(0, index).join('/');
    return `${above && `/${above}`}/*\n!/${names.slice(0, index + 1).join('/')}/\n`;
  });
  return lines.join('');
}

/** `deletionPolicy: Orphan`: deleting the Kustomization must not delete Services. */
function kustomizationOf(target: FluxTarget, shard: string): TreeMap {
  const { source, namespace, name, cluster, waitForAddresses } = target;
  const dist = source.kind === 'GitRepository' ? `${source.folder}${distFolder}/` : '';
  return {
    apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
    kind: 'Kustomization',
    metadata: { name: `${name}${shard && `.${shard}`}`, namespace },
    spec: {
      interval: '10m',
      retryInterval: '30s',
      timeout: '2m',
      path: `./${dist}${cluster}${shard && `/${shard}`}`,
      prune: true,
      deletionPolicy: 'Orphan',
      wait: true,
      healthCheckExprs: waitForAddresses ? [serviceHealth] : undefined,
      sourceRef: { kind: source.kind, name },
    },
  };
}

const [own, former] = annotationPrefixes.map((prefix) => `'${prefix}/loadBalancerIPs'`);
const pinned = `has(spec.loadBalancerIP) ? [spec.loadBalancerIP] : metadata.annotations[${own} in metadata.annotations ? ${own} : ${former}].split(',')`;
const isThere = 'status.loadBalancer.ingress.exists(live, live.ip == pinned)';

/**
 * A CEL expression by which a Service is current once it has every address that it is pinned to. By
 * default Flux considers a LoadBalancer Service current once it has a cluster IP (fluxcd/cli-utils:
 * kstatus/status/core.go serviceConditions).
 */
const serviceHealth: TreeMap = {
  apiVersion: 'v1',
  kind: 'Service',
  current: `spec.type != 'LoadBalancer' || has(status.loadBalancer.ingress) && (${pinned}).all(pinned, ${isThere})`,
};
