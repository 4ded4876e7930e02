import { type Check, unknown } from './facts.ts';

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
