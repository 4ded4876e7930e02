import { describe, expect, it } from 'vitest';
import { readKubeProxyConfig } from '../../../../../../../src/features/cluster/planes/metallb/doctor/gather-facts.ts';

/** The shape that kubeadm writes. */
const kubeadm = `apiVersion: kubeproxy.config.k8s.io/v1alpha1
bindAddress: 0.0.0.0
bindAddressHardFail: false
clientConnection:
  acceptContentTypes: ""
  burst: 0
  kubeconfig: /var/lib/kube-proxy/kubeconfig.conf
clusterCIDR: 10.244.0.0/16
configSyncPeriod: 0s
conntrack:
  maxPerCore: null
  tcpBeLiberal: false
detectLocal:
  bridgeInterface: ""
enableProfiling: false
ipvs:
  excludeCIDRs: null
  minSyncPeriod: 0s
  scheduler: ""
  strictARP: true
kind: KubeProxyConfiguration
mode: ipvs
nodePortAddresses: null
`;

describe('readKubeProxyConfig', () => {
  it('reads the configuration of kubeadm', () => {
    expect(readKubeProxyConfig(kubeadm)).toEqual({ mode: 'ipvs', strictARP: true });
  });

  it.each([
    ['kind: KubeProxyConfiguration\n', { mode: '', strictARP: false }],
    ['kind: KubeProxyConfiguration\nmode: 1\nipvs: []\n', { mode: '', strictARP: false }],
    ['kind: KubeProxyConfiguration\nipvs: {strictARP: "true"}\n', { mode: '', strictARP: false }],
    ['kind: Config\nmode: ipvs\n', undefined],
    ['', undefined],
    ['[', undefined],
    ['a: &a [*a]', undefined],
  ])('reads %j as %j', (text, expected) => {
    expect(readKubeProxyConfig(text)).toEqual(expected);
  });
});
