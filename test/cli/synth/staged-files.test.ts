import { describe, expect, it } from 'vitest';
import { accountOf, leaseText } from '../../support/declarations/lease-text.ts';
import { begin, found, web } from '../../support/repositories/checked-branches.ts';
import { type LeaseCheckout, recordOf } from '../../support/repositories/lease-checkout.ts';

/** What a plain `git commit` would record, sorted. */
function staged({ repository }: LeaseCheckout): readonly string[] {
  const text = repository.git('diff', '--cached', '--name-only', '--no-renames', 'HEAD');
  return text.split('\n').filter((path) => path !== '');
}

/** What git says of the declarations at the top of `leases/`. */
function declarations({ repository }: LeaseCheckout): string {
  return repository.git('status', '--porcelain', '--', ':(glob)leases/*.yaml');
}

/** Edits the lease of `ann` without `git add`, and writes a file that git does not know. */
function editOthers(checkout: LeaseCheckout): void {
  checkout.edit('leases/ann.yaml', 'port: 8080', 'port: 9090');
  checkout.put('leases/cat.yaml', leaseText('cat', 4, [web]));
}

const promise = `leases/${accountOf('dan')}/promise-front.yaml`;

/** A branch on which `dan` has a promise for the endpoint `front`, committed. */
async function promised(): Promise<LeaseCheckout> {
  const checkout = await begin();
  const words = [accountOf('dan'), 'front', '--until', '2026-01-20', '--today', '2026-01-10'];
  await checkout.run('add', 'promise', ...words);
  await checkout.synth('2026-01-10', 'A promise');
  checkout.repository.git('branch', '-q', '-f', 'main');
  return checkout;
}

describe('a run that removes records', () => {
  it('stages what it wrote, and no declaration that was only edited', {
    tags: 'slow',
  }, async () => {
    const checkout = await begin();
    checkout.put('leases/dan.yaml', leaseText('dan', 5, [{ ...web, address: '203.0.113.7' }]));
    await checkout.synth('2026-01-10', 'Dan begins');
    checkout.repository.git('rm', '-q', 'leases/dan.yaml');
    editOthers(checkout);
    const { status, out } = await checkout.run('synth', '--today', '2026-01-10');
    expect([status, out]).toEqual([0, expect.stringContaining('203.0.113.7')]);
    const paths = staged(checkout);
    expect(paths).toContain(recordOf('203.0.113.7'));
    expect(paths.filter((path) => !/^(?:dist|leases\/allocations)\//.test(path))).toEqual([
      'leases/dan.yaml',
    ]);
    expect(declarations(checkout)).toBe(
      ' M leases/ann.yaml\nD  leases/dan.yaml\n?? leases/cat.yaml\n',
    );
  });

  it('stages in the middle of a merge no file that a person still edits', {
    tags: 'slow',
  }, async () => {
    const checkout = await promised();
    const { git, isDone } = checkout.repository;
    git('checkout', '-q', '-b', 'other', 'main~1');
    checkout.edit('leases/bob.yaml', 'port: 8080', 'port: 9000');
    await checkout.synth('2026-01-10', 'Another port for bob');
    git('checkout', '-q', 'change');
    checkout.edit('leases/bob.yaml', 'port: 8080', 'port: 7000');
    await checkout.synth('2026-01-10', 'A third port for bob');
    expect(isDone('merge', '-q', 'other')).toBe(false);
    git('checkout', '--ours', '--', 'leases/bob.yaml', 'dist');
    checkout.put('leases/dan.yaml', leaseText('dan', 5, [web]));
    editOthers(checkout);
    const refused = await checkout.run('synth', '--today', '2026-01-10');
    expect(refused.out).toContain('leases/bob.yaml:1:1 FILE_UNMERGED ');
    expect(declarations(checkout)).toContain('UU leases/bob.yaml\n');
    git('add', 'leases/bob.yaml');
    const { status } = await checkout.run('synth', '--today', '2026-01-10');
    expect(status).toBe(0);
    expect(staged(checkout)).toContain(promise);
    expect(declarations(checkout)).toBe(
      ' M leases/ann.yaml\nA  leases/dan.yaml\n?? leases/cat.yaml\n',
    );
  });
});

it('a takeover of a promise is staged with the SDL that declares the endpoint', async () => {
  const checkout = await promised();
  const { git, on } = checkout.repository;
  const sdl = `version: "2.1"
services:
  web: { image: nginx, expose: [{ port: 8080, as: 80, to: [{ global: true, ip: front }] }] }
profiles:
  compute: { web: { resources: { cpu: { units: 1 }, memory: { size: 1Gi }, storage: [{ size: 1Gi }] } } }
  placement: { here: { pricing: { web: { denom: uakt, amount: 1 } } } }
deployment: { web: { here: { profile: web, count: 1 } } }
endpoints: { front: { kind: ip } }
`;
  checkout.put('leases/dan.sdl.yaml', sdl);
  const id = `{ owner: ${accountOf('dan')}, dseq: "5", gseq: 1, oseq: 1 }`;
  const head = 'apiVersion: leasehold.dev/v1\nkind: Lease\n';
  checkout.put('leases/dan.yaml', `${head}spec:\n  id: ${id}\n  sdl: dan.sdl.yaml\n`);
  const { status, out } = await checkout.run('synth', '--today', '2026-01-12');
  expect([status, out]).toEqual([0, expect.stringContaining(`removed ${promise}`)]);
  on('2026-01-12').git('commit', '-q', '-m', 'The lease comes');
  expect(git('status', '--porcelain')).toBe('');
  expect(await found(checkout)).toEqual([]);
});
