import { firstMetalLB } from '../../../../../core/model/planes.ts';
import { objectsOf, unknown } from '../../../../../lib/kubernetes/doctor-checks.ts';
import { type Asked, absentOf, reasonOf } from '../../../doctor/kubernetes.ts';
import type { MetalLBCheck } from './facts.ts';

/** METALLB_KINDS. */
export const checkMetalLBKinds: MetalLBCheck = (facts, { advertises }) => {
  const asked: Asked = [
    ['ipaddresspools', facts.addressPools],
    ['l2advertisements', facts.l2Advertisements],
    ...(advertises.bgp ? ([['bgpadvertisements', facts.bgpAdvertisements]] as const) : []),
  ];
  const code = 'METALLB_KINDS';
  const absent = absentOf(asked);
  if (absent.length > 0) {
    const found = `the cluster does not serve ${absent.join(', ')} of metallb.io/v1beta1`;
    const means =
      'the API server rejects the manifests in dist/: MetalLB is not installed, or is too old';
    const fix = `install MetalLB ${firstMetalLB.supported} or later, with its CRDs`;
    return [{ level: 'problem', code, found, means, fix }];
  }
  const reason = reasonOf(asked);
  if (reason !== undefined) return [unknown(code, reason)];
  const found = `${asked.map(([kind]) => kind).join(', ')} of metallb.io/v1beta1 are served`;
  return [{ level: 'ok', code, found }];
};

const label = 'pod-security.kubernetes.io/enforce';

/** POD_SECURITY; nothing when the namespace does not exist, which METALLB_NAMESPACE reports. */
export const checkPodSecurity: MetalLBCheck = ({ namespaces }, { cluster }) => {
  const code = 'POD_SECURITY';
  const name = cluster.plane.namespace;
  const namespace = objectsOf(namespaces).find(({ metadata }) => metadata.name === name);
  if (!namespace) return [];
  const level = namespace.metadata.labels?.[label];
  if (level === 'privileged') {
    return [{ level: 'ok', code, found: `the namespace ${name} allows privileged pods` }];
  }
  const fix = 'label the namespace';
  const command = `kubectl label namespace ${name} ${label}=privileged --overwrite`;
  if (level === undefined) {
    const found = `the namespace ${name} has no label ${label}`;
    const means = "speakers start only if the cluster's default level is privileged";
    return [{ level: 'caution', code, found, means, fix, command }];
  }
  return [
    {
      level: 'problem',
      code,
      found: `the namespace ${name} has ${label}=${level}`,
      means: "MetalLB's speakers use the host network, so their pods are rejected",
      fix,
      command,
    },
  ];
};

/**
 * Follows MetalLB's installation page, except for its sed, which changes nothing when strictARP is
 * not set. A running kube-proxy does not reload its ConfigMap.
 */
const command =
  'kubectl get configmap kube-proxy -n kube-system -o yaml | npx --no -- leasehold bootstrap strict-arp - | kubectl apply -f - -n kube-system && kubectl -n kube-system rollout restart daemonset kube-proxy';

/** STRICT_ARP. MetalLB: its installation page, Preparation. */
export const checkStrictARP: MetalLBCheck = ({ kubeProxy }, { advertises }) => {
  const code = 'STRICT_ARP';
  if (!kubeProxy.known) return [unknown(code, kubeProxy.reason)];
  if (!kubeProxy.value) {
    const found =
      'there is no ConfigMap kube-system/kube-proxy with the configuration of kube-proxy';
    const means =
      'kube-proxy is configured in another way or replaced (k3s, RKE2, Cilium); in IPVS mode it needs strictARP';
    return [{ level: 'unknown', code, found, means }];
  }
  const { mode, strictARP } = kubeProxy.value;
  if (mode !== 'ipvs') {
    const found = `kube-proxy runs in ${mode === '' ? 'its default' : mode} mode, which does not need strictARP`;
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
        ? 'every node answers ARP for every address, so traffic reaches nodes that do not announce it'
        : 'pools advertised by BGP do not need it; a pool advertised by L2 would',
      fix: 'set ipvs.strictARP: true in the configuration of kube-proxy, and restart it',
      command,
    },
  ];
};
