import { describe, expect, test } from 'vitest';
import {
  capacityOf,
  cloneOf,
  countsOf,
  forgeWith,
  pullHeads,
} from '../../support/forge/open-pull-requests.ts';
import { remadeTwoLeases } from '../../support/repositories/cached-repository.ts';
import { gitRepository } from '../../support/repositories/git-repository.ts';
import { commitLeases, holderOf } from '../../support/repositories/two-leases.ts';
import { runInProcess } from '../../support/run/run-in-process.ts';
import { putFile } from '../../support/trees/temp-tree.ts';

const today = ['--today', '2026-01-12'];

describe('capacity', () => {
  test('subtracts the addresses of open pull requests, and changes no ref of the clone', {
    tags: 'slow',
  }, async () => {
    const { clone } = await forgeWith('bob', 'cat');
    const refs = gitRepository(clone).git('for-each-ref');
    expect(countsOf(await capacityOf(clone, ...today))).toEqual(['15-0=15']);
    const found = await capacityOf(clone, ...pullHeads);
    // Both want one address, and only one of them can have it: the other needs another one.
    expect(countsOf(found)).toEqual(['15-2=13']);
    expect(found.pending).toMatchObject([
      { ref: 'refs/pull/1/head', day: '2026-01-10', addresses: ['203.0.113.1'] },
      { ref: 'refs/pull/2/head', day: '2026-01-10', addresses: ['203.0.113.1'] },
    ]);
    expect(gitRepository(clone).git('for-each-ref')).toBe(refs);
  });

  test('ignores branches that are merged, squashed or too old', { tags: 'slow' }, async () => {
    const { remote, clone } = await forgeWith('bob', 'cat');
    expect(countsOf(await capacityOf(clone, ...pullHeads, '--pending-days', '1'))).toEqual([
      '15-0=15',
    ]);
    expect(countsOf(await capacityOf(clone, ...pullHeads, '--pending-days', '2'))).toEqual([
      '15-2=13',
    ]);
    remote.git('merge', '-q', '--squash', 'bob');
    remote.git('commit', '-q', '-m', 'Squashed (#1)');
    const squashed = await capacityOf(cloneOf(remote), ...pullHeads);
    // Both wanted one address, which is Bob's now: Cat needs another one.
    expect([countsOf(squashed), squashed.pending.map(({ ref }) => ref)]).toEqual([
      ['14-1=13'],
      ['refs/pull/2/head'],
    ]);
    remote.git('rm', '-q', 'leases/bob.yaml');
    await runInProcess(['synth', '--today', '2026-01-11'], remote.root);
    await runInProcess(['prune', '--today', '2026-01-20'], remote.root);
    remote.git('add', '-A');
    remote.git('commit', '-q', '-m', 'Bob is gone');
    const gone = await capacityOf(cloneOf(remote), ...pullHeads);
    expect(countsOf(gone)).toEqual(['15-1=14']);
    expect(gone.pending.map(({ ref }) => ref)).toEqual(['refs/pull/2/head']);
  });

  test('counts waiting holders, and exits with 3 if fewer addresses are left than requested', {
    tags: 'slow',
  }, async () => {
    const { remote } = await forgeWith('bob', 'cat');
    await commitLeases(remote, 'dan');
    const { root } = remote;
    const options = ['capacity', '--at-least'];
    expect((await runInProcess([...options, '14'], root)).status).toBe(0);
    expect(await runInProcess([...options, '15'], root)).toEqual({
      status: 3,
      out: 'CLUSTER  ZONE  FAMILY  FREE  PENDING  PROMISABLE  POOLS\ndefault  inet  ipv4    14    0        14          default\n',
      err: 'default inet ipv4: 14 may be promised, fewer than 15\n',
    });
    expect((await runInProcess([...options, '0', '--family', 'ipv6'], root)).status).toBe(0);
    expect((await runInProcess([...options, '1', '--family', 'ipv6'], root)).status).toBe(3);
    remote.git('show', 'bob:leases/bob.yaml');
    putFile(root, 'leases/bob.yaml', remote.git('show', 'bob:leases/bob.yaml'));
    const waits = await capacityOf(root, ...today);
    expect([countsOf(waits), waits.waiting]).toEqual([['14-1=13'], [holderOf('bob')]]);
    expect((await runInProcess(['capacity', ...today], root)).err).toContain(
      `1 holder waits for an address, before any promise: ${holderOf('bob')}; run \`leasehold synth\``,
    );
  });

  test.each([
    [['--cluster', 'west'], 64, /declares no cluster west; the only cluster is default/],
    [['--zone', 'edge'], 64, /declares no zone edge; the only zone is inet/],
    [['--owner', 'nobody'], 64, /not an account akash1… or <cluster>\/<namespace>/],
    [['--pending-refs', '--upload-pack=x'], 64, /argument missing|not a pattern of refs/],
    [['--pending-refs', 'refs/pull/$(id)/head'], 64, /not a pattern of refs/],
    [['--pending-refs', 'refs/pull/*/head', '--remote', 'upstream'], 74, /no remote 'upstream'/],
    [['--pending-refs', 'refs/pull/*/head', '--remote', '--all'], 74, /no remote '--all'/],
  ])('%j ends with status %i', async (options, status, text) => {
    const { clone } = await forgeWith('bob', 'cat');
    const finished = await runInProcess(['capacity', ...options], clone);
    expect([finished.status, finished.out]).toEqual([status, '']);
    expect(finished.err).toMatch(text);
  });

  test('reports a pattern that matches no branch of the remote', { tags: 'slow' }, async () => {
    const { clone } = await forgeWith('bob');
    const told = async (...patterns: readonly string[]): Promise<string> => {
      const options = patterns.flatMap((pattern) => ['--pending-refs', pattern]);
      return (await runInProcess(['capacity', ...options, ...today], clone)).err;
    };
    expect(await told('refs/pul/*/head', 'refs/heads/x/*')).toBe(
      'origin has no ref that matches refs/pul/*/head, refs/heads/x/*\n',
    );
    expect(await told('refs/pul/*/head', 'refs/pull/*/head')).not.toContain('matches');
  });

  test('promises nothing where records cannot be read', async () => {
    const { root } = await remadeTwoLeases();
    putFile(root, 'leases/allocations/203.0.113/203.0.113.9.yaml', 'nonsense\n');
    const { status, out, err } = await runInProcess(['capacity', '--at-least', '0'], root);
    expect([status, err]).toEqual([1, '']);
    expect(out).toContain('leases/allocations/203.0.113/203.0.113.9.yaml:1:1 ');
  });
});
