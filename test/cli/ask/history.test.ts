import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hostnameText, routedPoolText } from '../../support/declarations/hostname-text.ts';
import { life, lifeHolder } from '../../support/repositories/address-history.ts';
import { datedHistory } from '../../support/repositories/dated-history.ts';
import { gitRepository } from '../../support/repositories/git-repository.ts';
import { leaseCheckout } from '../../support/repositories/lease-checkout.ts';
import { answered } from '../../support/run/json-answer.ts';
import { runInProcess } from '../../support/run/run-in-process.ts';
import { tempTree } from '../../support/trees/temp-tree.ts';

describe('history', () => {
  test('lists the holders of an address with their days', { tags: 'slow' }, async () => {
    const root = tempTree();
    datedHistory(root, life);
    const answer = await answered(['history', '203.0.113.7'], root, 'address-history');
    expect(answer).toMatchObject({
      address: '203.0.113.7',
      ref: 'main',
      shallow: false,
      periods: [
        {
          state: 'held',
          holder: lifeHolder('alice'),
          from: '2026-01-02T10:00:00Z',
          until: '2026-02-02T10:00:00Z',
          begun: { event: 'given', author: 'Alice', request: '#12' },
        },
        { state: 'released', freeFrom: '2026-02-09', until: '2026-02-10T10:00:00Z' },
        { state: 'none', begun: { event: 'pruned' } },
        { state: 'held', holder: lifeHolder('bob'), from: '2026-03-01T10:00:00Z' },
      ],
    });
  });

  test('lists the holders of a hostname', { tags: 'slow' }, async () => {
    const checkout = await leaseCheckout({
      'leases/pools.yaml': routedPoolText,
      'leases/shop/name.yaml': hostnameText('cafe.de'),
    });
    checkout.put('leases/shop/name.yaml', '');
    await checkout.synth('2026-01-05', 'Over (#3)');
    checkout.put('leases/blog/name.yaml', hostnameText('cafe.de', { namespace: 'blog' }));
    await checkout.synth('2026-01-20');
    const answer = await answered(['history', 'cafe.de'], checkout.root, 'hostname-history');
    expect(answer).toMatchObject({
      kind: 'HostnameHistory',
      hostname: 'cafe.de',
      periods: [
        { state: 'held', holder: 'default/namespace/shop', begun: { event: 'given' } },
        { state: 'released', freeFrom: '2026-01-12', begun: { event: 'released', request: '#3' } },
        { state: 'held', holder: 'default/namespace/blog', begun: { event: 'given to another' } },
      ],
    });
    const { out, err } = await checkout.run('history', 'cafe.de');
    expect(err).toBe('cafe.de: main has this history\n');
    expect(out).toMatch(/ released, free from 2026-01-12 +default\/namespace\/shop /);
    const csv = await checkout.run('history', 'cafe.de', '-o', 'csv');
    expect(csv.out).toMatch(
      /^hostname,from,until,event,state,holder,freeFrom,commit,request,author,subject\ncafe\.de,2026-01-02T12:00:00Z,2026-01-05T12:00:00Z,given,held,default\/namespace\/shop,,/,
    );
    expect((await checkout.run('history', 'x.cafe.de')).out).toBe(
      'x.cafe.de: main never had a record of it\n',
    );
  });

  test('refuses what is no address and no hostname', async () => {
    const { status, err } = await runInProcess(['history', 'Shop.example.com'], tempTree());
    expect(status).toBe(64);
    expect(err).toContain('not a hostname: not in canonical form; write shop.example.com');
  });

  test('names the command that takes a Service', async () => {
    const { status, err } = await runInProcess(['history', 'shop/web'], tempTree());
    expect(status).toBe(64);
    expect(err).toContain(
      'leasehold who shop/web shows the addresses of a block, Service or holder\n',
    );
  });

  test.each([
    [
      ['--since', '2026-02-10'],
      ['released', 'pruned', 'given'],
    ],
    [['--until', '2026-01-02'], ['given']],
    [['--since', '2026-01-15', '--until', '2026-01-16'], ['given']],
    [
      ['--ref', 'HEAD~2'],
      ['given', 'released'],
    ],
  ])('%j lists only a part', async (options, events) => {
    const root = tempTree();
    datedHistory(root, life);
    const { out } = await runInProcess(['history', '203.0.113.7', ...options, '-o', 'json'], root);
    const { periods } = JSON.parse(out) as { periods: { begun: { event: string } }[] };
    expect(periods.map(({ begun }) => begun.event)).toEqual(events);
  });

  test('reports an empty history, and the end of a shallow clone', { tags: 'slow' }, async () => {
    const root = tempTree();
    const repository = datedHistory(root, life);
    const nothing = await runInProcess(['history', '203.0.113.9'], root);
    expect(nothing).toEqual({
      status: 1,
      err: '',
      out: '203.0.113.9: main never had a record of it\n',
    });
    const clone = join(tempTree(), 'clone');
    repository.git('clone', '-q', '--depth', '1', `file://${root}`, clone);
    const { status, out, err } = await runInProcess(['history', '203.0.113.7'], clone);
    expect([status, out]).toEqual([0, expect.stringMatching(/2026-03-01T10:00:00Z {2}- +found /)]);
    expect(err).toMatch(/the clone is shallow: what was before its oldest commit is not known/);
  });

  test('requires a repository with commits, and a valid ref', { tags: 'slow' }, async () => {
    const root = tempTree();
    const ended = async (...line: string[]): Promise<string> => {
      const { status, out, err } = await runInProcess(['history', '203.0.113.7', ...line], root);
      expect([status, out]).toEqual([74, '']);
      return err;
    };
    expect(await ended()).toContain('this folder is not in a git repository');
    const { git } = gitRepository(root);
    expect(await ended()).toContain('the repository has no commit yet');
    git('commit', '-q', '--allow-empty', '-m', 'first');
    expect(await ended('--ref=--all')).toContain("git knows no commit '--all'");
    expect(await ended('--ref', 'nope')).toContain("git knows no commit 'nope'");
  });
});
