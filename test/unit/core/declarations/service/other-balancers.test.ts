import { describe, expect, it } from 'vitest';
import { otherRequests } from '../../../../../src/core/declarations/service/other-balancers.ts';
import { formatAddress } from '../../../../../src/core/net/address.ts';

describe('the requests of a Service to other load balancers', () => {
  it.each([
    ['lbipam.cilium.io/ips', '192.0.2.11,2001:db8::1', 'Cilium', '192.0.2.11 2001:db8::1'],
    ['io.cilium/lb-ipam-ips', '192.0.2.12', 'Cilium', '192.0.2.12'],
    ['kube-vip.io/loadbalancerIPs', ' 192.0.2.13 ', 'kube-vip', '192.0.2.13'],
    ['purelb.io/addresses', '192.0.2.14, 2001:db8::1', 'PureLB', '192.0.2.14 2001:db8::1'],
    ['eip.openelb.kubesphere.io/v1alpha1', '192.0.2.15', 'OpenELB', '192.0.2.15'],
    ['eip.openelb.kubesphere.io/v1alpha2', '192.0.2.15', 'OpenELB', '192.0.2.15'],
    ['projectcalico.org/loadBalancerIPs', '["192.0.2.16", "::1"]', 'Calico', '192.0.2.16 ::1'],
    ['loxilb.io/staticIP', '192.0.2.17', 'loxilb', '192.0.2.17'],
  ])('%s: %s', (key, text, balancer, addresses) => {
    const read = otherRequests({ [key]: text, team: '192.0.2.1' }).map((request) => ({
      ...request,
      addresses: request.addresses.map(formatAddress).join(' '),
    }));
    expect(read).toEqual([{ key, balancer, addresses }]);
  });

  it.each(['', 'eip-pool', '["]'])('are none for the text %j', (text) => {
    expect(otherRequests({ 'eip.openelb.kubesphere.io/v1alpha2': text })).toEqual([]);
  });
});
