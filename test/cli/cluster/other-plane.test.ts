import { expect, test } from 'vitest';
import { runInProcess } from '../../support/run/run-in-process.ts';
import { tempTree } from '../../support/trees/temp-tree.ts';

const pools = `apiVersion: leasehold.dev/v1
kind: Pools
cilium: {}
pools:
  - { name: edge, zone: edge, addresses: [203.0.113.0/28], advertise: { bgp: {} } }
`;
const metallb = `apiVersion: metallb.io/v1beta1
kind: IPAddressPool
metadata: { name: public, namespace: metallb-system }
spec: { addresses: [198.51.100.0/28] }
`;

test.each([
  ['migrate-layout', 'lease'],
  ['import', 'metallb', 'metallb.yaml'],
  ['bootstrap', 'namespace'],
  ['bootstrap', 'kubespray'],
  ['bootstrap', 'metallb', '--for', 'helm'],
])('%s, %j, refuses a cluster on Cilium', async (...command) => {
  const root = tempTree({ 'leases/pools.yaml': pools, 'metallb.yaml': metallb });
  const { status, out, err } = await runInProcess(command, root);
  expect([status, out]).toEqual([64, '']);
  expect(err).toMatch(/^leasehold: cluster default is on Cilium in leases\/pools.yaml, and th/);
});

test('bootstrap rbac prints what verify needs of Cilium', async () => {
  const root = tempTree({ 'leases/pools.yaml': pools });
  const { status, out } = await runInProcess(['bootstrap', 'rbac'], root);
  expect([status, out]).toEqual([0, expect.stringContaining('ciliumloadbalancerippools')]);
  expect(out).not.toContain('metallb.io');
});

test('a cluster on Cilium beside one on MetalLB is refused alone', async () => {
  const both = pools
    .replace('cilium: {}\n', 'metallb: { layout: pool }\ndefaultCluster: east\n')
    .replace('pools:\n', 'clusters: [{ name: east }, { name: west, cilium: {} }]\npools:\n');
  const root = tempTree({ 'leases/pools.yaml': both });
  const of = (cluster: string) =>
    runInProcess(['bootstrap', 'namespace', '--cluster', cluster], root);
  expect(await of('east')).toMatchObject({ status: 0 });
  expect(await of('west')).toMatchObject({ status: 64 });
});
