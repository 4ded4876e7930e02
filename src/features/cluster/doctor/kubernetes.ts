import { type Check, type Objects, objectsOf, unknown } from './facts.ts';

/** The first minor version whose CEL has isIP and cidr (src/manifests/objects/admission-policy.ts). */
const oldestForPools = 31;

/** KUBERNETES_VERSION. */
export const checkKubernetesVersion: Check = ({ version }, { cluster }) => {
  const code = 'KUBERNETES_VERSION';
  const found = `Kubernetes ${version} answers`;
  if (cluster.metallb.layout !== 'pool') return [{ level: 'ok', code, found }];
  const [, major, minor] = /^v?([1-9]\d{0,3})\.(\d{1,4})\b/.exec(version) ?? [];
  if (minor === undefined) {
    const means = `layout: pool needs 1.${oldestForPools} or later, and this says no version`;
    return [{ level: 'unknown', code, found, means }];
  }
  const isOld = Number(major) === 1 && Number(minor) < oldestForPools;
  if (!isOld) return [{ level: 'ok', code, found }];
  return [
    {
      level: 'problem',
      code,
      found: `${found}, and layout: pool needs 1.${oldestForPools} or later`,
      means: 'the API server refuses its ValidatingAdmissionPolicy, which uses isIP and cidr',
      fix: 'upgrade Kubernetes, or set metallb.layout: lease in leases/pools.yaml',
    },
  ];
};

type Asked = readonly (readonly [kind: string, objects: Objects])[];

/** METALLB_KINDS. */
export const checkMetalLBKinds: Check = (facts, { advertises }) => {
  const asked: Asked = [
    ['ipaddresspools', facts.addressPools],
    ['l2advertisements', facts.l2Advertisements],
    ...(advertises.bgp ? ([['bgpadvertisements', facts.bgpAdvertisements]] as const) : []),
  ];
  const code = 'METALLB_KINDS';
  const absent = absentOf(asked);
  if (absent.length > 0) {
    const found = `the cluster does not serve ${absent.join(', ')} of metallb.io/v1beta1`;
    const means = 'the API server refuses the manifests in dist/, and MetalLB is not there, or old';
    const fix = 'install MetalLB 0.13.9 or later, with its CRDs';
    return [{ level: 'problem', code, found, means, fix }];
  }
  const reason = reasonOf(asked);
  if (reason !== undefined) return [unknown(code, reason)];
  const found = `${asked.map(([kind]) => kind).join(', ')} of metallb.io/v1beta1 are served`;
  return [{ level: 'ok', code, found }];
};

/** AKASH_KINDS; nothing when no ProviderLeasedIP is written. */
export const checkAkashKinds: Check = ({ leasedIPs }, expected) => {
  if (!expected.leasedIPs) return [];
  const code = 'AKASH_KINDS';
  if (!leasedIPs.known) return [unknown(code, leasedIPs.reason)];
  if (leasedIPs.value) {
    return [{ level: 'ok', code, found: 'providerleasedips of akash.network/v2beta2 are served' }];
  }
  return [
    {
      level: 'problem',
      code,
      found: 'the cluster does not serve providerleasedips of akash.network/v2beta2',
      means: 'the API server refuses the ProviderLeasedIPs in dist/',
      fix: "install the Akash provider's CRDs, or set emit.providerLeasedIP: false in leases/pools.yaml and run leasehold synth",
    },
  ];
};

function absentOf(asked: Asked): string[] {
  return asked.flatMap(([kind, objects]) =>
    objects.known && objects.value === undefined ? [kind] : [],
  );
}

function reasonOf(asked: Asked): string | undefined {
  return asked.flatMap(([, objects]) => (objects.known ? [] : [objects.reason]))[0];
}

const label = 'pod-security.kubernetes.io/enforce';

/** POD_SECURITY; nothing when the namespace is not there, which METALLB_NAMESPACE tells. */
export const checkPodSecurity: Check = ({ namespaces }, { cluster }) => {
  const code = 'POD_SECURITY';
  const name = cluster.metallb.namespace;
  const namespace = objectsOf(namespaces).find(({ metadata }) => metadata.name === name);
  if (!namespace) return [];
  const level = namespace.metadata.labels?.[label];
  if (level === 'privileged') {
    return [{ level: 'ok', code, found: `the namespace ${name} lets privileged pods start` }];
  }
  const fix = 'label the namespace';
  const command = `kubectl label namespace ${name} ${label}=privileged --overwrite`;
  if (level === undefined) {
    const found = `the namespace ${name} has no label ${label}`;
    const means = "speakers start only while the cluster's default is privileged";
    return [{ level: 'caution', code, found, means, fix, command }];
  }
  return [
    {
      level: 'problem',
      code,
      found: `the namespace ${name} has ${label}=${level}`,
      means: "MetalLB's speakers use the network of the host and are not started",
      fix,
      command,
    },
  ];
};

/**
 * As MetalLB's installation page has it, but for its sed, which changes nothing where the configuration says no
 * strictARP; a running kube-proxy does not read its ConfigMap again.
 */
const command =
  'kubectl get configmap kube-proxy -n kube-system -o yaml | npx --no leasehold bootstrap strict-arp - | kubectl apply -f - -n kube-system && kubectl -n kube-system rollout restart daemonset kube-proxy';

/** STRICT_ARP. MetalLB: its installation page, Preparation. */
export const checkStrictARP: Check = ({ kubeProxy }, { advertises }) => {
  const code = 'STRICT_ARP';
  if (!kubeProxy.known) return [unknown(code, kubeProxy.reason)];
  if (!kubeProxy.value) {
    const found = 'no ConfigMap kube-system/kube-proxy says how kube-proxy runs';
    const means =
      'it is set up otherwise, or replaced (k3s, RKE2, Cilium); in IPVS mode it would need strictARP';
    return [{ level: 'unknown', code, found, means }];
  }
  const { mode, strictARP } = kubeProxy.value;
  if (mode !== 'ipvs') {
    const found = `kube-proxy runs in ${mode === '' ? 'its default' : mode} mode, which needs no strictARP`;
    return [{ level: 'ok', code, found }];
  }
  if (strictARP) {
    return [{ level: 'ok', code, found: 'kube-proxy runs in IPVS mode with strictARP' }];
  }
  return [
    {
      level: advertises.l2 ? 'problem' : 'caution',
      code,
      found: 'kube-proxy runs in IPVS mode without strictARP',
      means: advertises.l2
        ? 'every node answers ARP for every address, so that traffic goes to nodes that do not announce it'
        : 'pools that are advertised by BGP do without; a pool that is advertised by L2 would not',
      fix: 'set ipvs.strictARP: true in the configuration of kube-proxy, and restart it',
      command,
    },
  ];
};
