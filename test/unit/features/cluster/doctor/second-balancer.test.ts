import { describe, expect, it } from 'vitest';
import { findingsOf, levelOf } from '../../../../support/live/findings.ts';

interface Marks {
  readonly annotations?: object;
  readonly finalizers?: readonly string[];
  readonly conditions?: readonly object[];
  readonly loadBalancerClass?: string;
  readonly type?: string;
}

/** A Service with the mark of a load balancer. */
function service(name: string, marks: Marks = {}) {
  const { annotations = {}, finalizers, conditions, loadBalancerClass, type } = marks;
  return {
    metadata: { name, namespace: 'web', annotations, ...(finalizers && { finalizers }) },
    spec: { type: type ?? 'LoadBalancer', ...(loadBalancerClass && { loadBalancerClass }) },
    ...(conditions && { status: { conditions } }),
  };
}

const cleanup = { finalizers: ['service.kubernetes.io/load-balancer-cleanup'] };
const kubeVip = { annotations: { 'kube-vip.io/vipHost': 'node-1' } };
const satisfied = (status: string) => ({
  conditions: [{ type: 'cilium.io/IPAMRequestSatisfied', status }],
});

const live = (...services: readonly object[]) => ({ objects: { service: services } }) as never;

describe('SECOND_BALANCER', () => {
  it.each([
    ['kube-vip', { ...kubeVip, ...cleanup }, /kube-vip.*lb_class_only/s],
    ['Cilium', satisfied('True'), /Cilium.*serviceSelector/s],
    ['PureLB', { annotations: { 'purelb.io/allocated-by': 'PureLB' } }, /PureLB/],
    ['a cloud provider', cleanup, /ServiceLB of K3s.*--disable servicelb/s],
  ])('is a caution for the mark of %s', async (_, marks, says) => {
    const [finding, ...others] = await findingsOf('SECOND_BALANCER', live(service('a', marks)));
    expect([finding?.level, others]).toEqual(['caution', []]);
    expect(`${finding?.found}\n${finding?.fix}`).toMatch(says);
  });

  it('counts the Services of each', async () => {
    const services = [service('a', cleanup), service('b', kubeVip), service('c', cleanup)];
    const found = await findingsOf('SECOND_BALANCER', live(...services));
    expect(found.map((one) => one.found)).toEqual([
      'Service web/b has the mark of kube-vip',
      'Service web/a and 1 more have the mark of a cloud provider, such as ServiceLB of K3s',
    ]);
  });

  it.each([
    ['no mark', {}],
    ['a request that Cilium does not serve', satisfied('False')],
    ['a class of its own', { ...cleanup, loadBalancerClass: 'a.example/b' }],
    ['another type', { ...cleanup, type: 'ClusterIP' }],
  ])('is not reported for a Service with %s', async (_, marks) => {
    expect(await levelOf('SECOND_BALANCER', live(service('a', marks)))).toBe('none');
  });

  it('is reported for the class that MetalLB serves', async () => {
    const own = live(service('a', { ...cleanup, loadBalancerClass: 'a.example/b' }));
    const metallb = 'version: 0.14.9, loadBalancerClass: a.example/b';
    expect(await levelOf('SECOND_BALANCER', own, { metallb })).toBe('caution');
  });
});
