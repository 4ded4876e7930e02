import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hostnameText, routedPoolText } from '../../support/declarations/hostname-text.ts';
import { accountOf, leaseText } from '../../support/declarations/lease-text.ts';
import { defaultPoolText } from '../../support/declarations/pools-text.ts';
import { serviceText } from '../../support/declarations/service-text.ts';
import { life, lifeHolder } from '../../support/repositories/address-history.ts';
import { web } from '../../support/repositories/checked-branches.ts';
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

  test('finds the holder by a DNS name that it declares', { tags: 'slow' }, async () => {
    const checkout = await leaseCheckout({
      'leases/pools.yaml': routedPoolText,
      'leases/shop/web.yaml': serviceText('web', { dns: 'www.cafe.de' }),
    });
    const answer = await answered(['history', 'www.cafe.de'], checkout.root, 'holder-history');
    const periods = [{ state: 'held', holder: 'default/service/shop/web' }];
    expect(answer).toMatchObject({ items: [{ address: expect.any(String), periods }] });
  });

  test('finds the holders by the dseq of their lease, and says where a former dseq is', async () => {
    const checkout = await leaseCheckout({
      'leases/pools.yaml': defaultPoolText(),
      'leases/ann.yaml': leaseText('ann', 18412033, [web]),
    });
    const answer = await answered(['history', '18412033'], checkout.root, 'holder-history');
    expect(answer).toMatchObject({ items: [{ periods: [{ state: 'held' }] }] });
    checkout.edit('leases/ann.yaml', '18412033', '18415900');
    await checkout.synth('2026-01-05');
    for (const command of ['who', 'history']) {
      const { status, out } = await checkout.run(command, '18412033');
      expect([status, out]).toEqual([1, expect.stringContaining('git log -S18412033')]);
    }
    const log = ['log', '-S18412033', '--first-parent', '-m', '--patch', '--', 'leases'];
    expect(checkout.repository.git(...log)).toContain('18415900');
  });

  test('lists all that a holder has and had, over a rename', { tags: 'slow' }, async () => {
    const checkout = await leaseCheckout({
      'leases/pools.yaml': routedPoolText,
      'leases/shop/name.yaml': hostnameText('cafe.de'),
      'leases/shop/web.yaml': serviceText('web'),
      'leases/shop/mail.yaml': serviceText('mail', { port: 25 }),
    });
    checkout.put('leases/shop/mail.yaml', '');
    await checkout.synth('2026-01-05');
    const renamed = await checkout.run('rename', 'shop/web', 'front', '--today', '2026-01-06');
    expect(renamed.status).toBe(0);
    checkout.commit('2026-01-06');
    const holder = 'default/service/shop';
    const answer = await answered(['history', 'shop'], checkout.root, 'holder-history');
    const web = [
      { state: 'held', holder: `${holder}/web`, until: '2026-01-06T12:00:00Z' },
      { state: 'held', holder: `${holder}/front`, begun: { event: 'renamed' } },
    ];
    expect(answer).toMatchObject({
      kind: 'HolderHistory',
      asked: 'shop',
      items: [
        {
          address: expect.any(String),
          periods: [
            { state: 'held', holder: `${holder}/mail` },
            { state: 'released', holder: `${holder}/mail`, freeFrom: expect.any(String) },
          ],
        },
        { address: expect.any(String), periods: web },
        { hostname: 'cafe.de', periods: [{ state: 'held', holder: 'default/namespace/shop' }] },
      ],
    });
    const front = await answered(['history', 'shop/front'], checkout.root, 'holder-history');
    expect(front).toMatchObject({ items: [{ periods: web }] });
    const former = await answered(['history', 'shop/web'], checkout.root, 'holder-history');
    expect(former).toMatchObject({ items: [{ periods: web.slice(0, 1) }] });
    const { out } = await checkout.run('history', 'shop');
    expect(out).toMatch(/^ADDRESS +FROM .*\n203\.0\.113\.\d+ +2026-01-02T12:00:00Z .* given /);
    expect(out).toMatch(/^cafe\.de +2026-01-02T12:00:00Z +- +given +default\/namespace\/shop /m);
  });

  test('of an owner, whose account may be shortened as tables print it', {
    tags: 'slow',
  }, async () => {
    const alice = accountOf('alice');
    // Another account with the same end.
    const name = [...Array(500).keys()]
      .map((number) => `twin ${number}`)
      .find((twin) => accountOf(twin).at(-1) === alice.at(-1));
    const bob = accountOf(name ?? '');
    const endpoint = { name: 'web', service: 'web', port: 80 };
    const checkout = await leaseCheckout({
      'leases/pools.yaml': defaultPoolText(),
      'leases/a.yaml': leaseText('alice', 1, [endpoint]),
      'leases/b.yaml': leaseText(name ?? '', 2, [endpoint]),
    });
    const short = alice.replace(/^(.{10}).*(.{5})$/, '$1…$2');
    const dots = short.replace('…', '...');
    for (const name of [alice, short, dots, `${dots}-ip-web`]) {
      const { status, out } = await checkout.run('history', name, '-o', 'csv');
      expect([status, out.match(/akash1\w+/g)]).toEqual([0, [alice]]);
      const who = await checkout.run('who', name, '-o', 'csv');
      expect([who.status, who.out]).toEqual([0, expect.stringContaining(alice)]);
      expect(who.out).not.toContain(bob);
    }
    for (const command of ['who', 'release', 'move']) {
      expect(await checkout.run(command, `akash1...${alice.slice(-1)}`)).toMatchObject({
        status: 64,
        err: expect.stringMatching(
          /^leasehold: akash1\.\.\.. is ambiguous: write akash1\w+ or akash1\w+/,
        ),
      });
    }
    const released = await checkout.run('release', `${dots}-ip-web`, '--today', '2026-01-05');
    expect([released.status, released.out]).toEqual([0, expect.stringContaining('1 released')]);
  });

  test.each([
    ['Shop.example.com', '; write shop.example.com'],
    ['shop/web', '; history knows holders by their account, namespace,'],
  ])('%s is told what history knows', async (name, advice) => {
    const root = tempTree();
    datedHistory(root, life);
    const { status, out } = await runInProcess(['history', name], root);
    expect([status, out]).toEqual([
      1,
      expect.stringContaining(`${name}: main never had a record of it${advice}`),
    ]);
  });

  test('refuses a block', async () => {
    const { status, err } = await runInProcess(['history', '203.0.113.0/28'], tempTree());
    expect([status, err]).toEqual([64, expect.stringContaining('`leasehold who` shows')]);
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
