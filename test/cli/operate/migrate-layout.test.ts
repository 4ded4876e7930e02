// @module-tag slow

import { describe, expect, it } from 'vitest';
import { layoutMigrationSchema } from '../../../src/features/move/operation-answer.ts';
import { begin, found } from '../../support/repositories/checked-branches.ts';
import type { LeaseCheckout } from '../../support/repositories/lease-checkout.ts';

const day = ['--today', '2026-01-10'];

/** The paths of the files of `dist/` that have a pool of a layout. */
function poolFiles(checkout: LeaseCheckout): readonly string[] {
  const paths = checkout.repository.git('ls-files', 'dist').trim().split('\n');
  return paths.filter((path) => checkout.read(path).includes('kind: IPAddressPool'));
}

/** Runs a step, commits it, and proves it against the branch before it, which it becomes. */
async function merged(checkout: LeaseCheckout, ...args: string[]): Promise<string> {
  const { status, out, err } = await checkout.run('migrate-layout', ...args, ...day);
  expect([status, err]).toEqual([0, '']);
  checkout.repository.git('add', '-A');
  checkout.commit('2026-01-10');
  const { out: plan } = await checkout.run('plan', '--base', 'main', '--detailed-exitcode');
  expect(plan).toMatch(/LAYOUT_STEP .*(?:no speaker may restart|only after `leasehold verify)/);
  expect(plan).not.toContain('data.layout');
  expect((await checkout.run('check')).status).toBe(0);
  expect(await found(checkout)).toEqual([]);
  checkout.repository.git('branch', '-f', 'main');
  return out;
}

describe('leasehold migrate-layout', () => {
  it('changes the layout in two steps, and back, each accepted by check --base', async () => {
    const checkout = await begin();
    const holders = poolFiles(checkout);
    expect(holders).toHaveLength(2);
    const first = await merged(checkout, 'pool');
    expect(checkout.read('leases/pools.yaml')).toContain('layout: both');
    expect(first).toContain('from layout: lease to layout: both');
    expect(first).toMatch(/^kubectl patch .*"operator":"NotIn","values":\["leasehold"\]/m);
    const declared = 'dist/default/_pools/default.yaml';
    expect(poolFiles(checkout)).toEqual([declared, ...holders].sort());
    const last = await merged(checkout, 'pool');
    expect(last).toContain('from layout: both to layout: pool');
    expect(last).toMatch(/^kubectl patch .*"objectSelector":\{"matchExpressions":null\}/m);
    expect(poolFiles(checkout)).toEqual([declared]);
    expect(await merged(checkout, 'lease')).toContain('from layout: pool to layout: both');
    await merged(checkout, 'lease');
    expect(poolFiles(checkout)).toEqual(holders);
  });

  it('goes back from the step in between', async () => {
    const checkout = await begin();
    await merged(checkout, 'pool');
    expect(await merged(checkout, 'lease')).toContain('from layout: both to layout: lease');
  });

  it('is refused in one pull request, whose engine would see the last step alone', async () => {
    const checkout = await begin();
    expect((await checkout.run('migrate-layout', 'pool', ...day)).status).toBe(0);
    checkout.commit('2026-01-10');
    const { status, out } = await checkout.run('migrate-layout', 'pool', ...day);
    expect([status, out]).toEqual([1, expect.stringContaining('LAYOUT_CHANGED')]);
    expect(out).toContain('and again once the first is applied');

    expect((await checkout.run('migrate-layout', 'pool', '--no-base', ...day)).status).toBe(0);
    checkout.commit('2026-01-10');
    expect(await found(checkout)).toEqual(['LAYOUT_CHANGED leases/pools.yaml']);
  });

  it('is refused with another change of the Services for that change alone', async () => {
    const checkout = await begin();
    checkout.edit('leases/pools.yaml', 'pools:', 'metallb: { version: 0.13.9 }\npools:');
    await checkout.synth('2026-01-09');
    checkout.repository.git('branch', '-f', 'main', 'HEAD');
    checkout.edit('leases/pools.yaml', 'version: 0.13.9', 'version: 0.14.9');
    const { status, out } = await checkout.run('migrate-layout', 'pool', ...day);
    expect([status, out.match(/[A-Z]+_[A-Z]+ /g)]).toEqual([1, ['ANNOTATIONS_UNREAD ']]);
  });

  it('sets the layout of one of several clusters, and answers with JSON', async () => {
    const checkout = await begin();
    checkout.edit(
      'leases/pools.yaml',
      'pools:',
      'clusters: [{ name: default }, { name: west }]\ndefaultCluster: default\npools:',
    );
    await checkout.synth('2026-01-10');
    const { out } = await checkout.run('migrate-layout', 'pool', '--cluster', 'west', '-o', 'json');
    expect(layoutMigrationSchema.parse(JSON.parse(out))).toMatchObject({
      cluster: 'west',
      from: 'lease',
      to: 'both',
      target: 'pool',
    });
    expect(checkout.read('leases/pools.yaml')).toContain('metallb: { layout: both }');
    expect(checkout.read('dist/default/leasehold.yaml')).toContain('layout: lease');
    expect(checkout.read('dist/west/leasehold.yaml')).toContain('layout: both');
    const { out: last } = await checkout.run('migrate-layout', 'lease', '--cluster', 'west');
    expect(last.match(/leasehold verify .*/g)).toEqual(
      Array(2).fill('leasehold verify --timeout 10m --cluster west'),
    );
    const { out: first } = await checkout.run('migrate-layout', 'pool', '--cluster', 'west');
    expect(first).toContain(
      '3. Then, with no new lease in between: `leasehold migrate-layout pool --cluster west`\n',
    );
  });

  it('has nothing to do for the layout that a cluster has', async () => {
    const checkout = await begin();
    const { status, out } = await checkout.run('migrate-layout', 'lease');
    expect([status, out]).toEqual([0, 'cluster default has layout: lease; nothing to do\n']);
  });
});
