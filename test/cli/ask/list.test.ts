import { describe, expect, test } from 'vitest';
import { leaseText } from '../../support/declarations/lease-text.ts';
import { defaultPoolText, providerPoolsText } from '../../support/declarations/pools-text.ts';
import { web } from '../../support/repositories/checked-branches.ts';
import { gitRepository } from '../../support/repositories/git-repository.ts';
import { answered } from '../../support/run/json-answer.ts';
import { runInProcess } from '../../support/run/run-in-process.ts';
import { example } from '../../support/trees/example.ts';
import { putFile, tempTree } from '../../support/trees/temp-tree.ts';

/** The addresses of a table, by its lines. */
async function addressesOf(...line: readonly string[]): Promise<readonly string[]> {
  const { status, out } = await runInProcess(['list', ...line], example());
  expect(status).toBe(0);
  return out
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((row) => row.split(' ')[0] ?? '');
}

describe('list', () => {
  test('is by address as a table, and by holder for programs', async () => {
    expect(await addressesOf()).toEqual([
      '144.217.30.196',
      '144.217.30.203',
      '144.217.30.207',
      '194.28.98.217',
      '203.0.113.29,2001:db8:30::e0',
    ]);
    const { out } = await runInProcess(['list', '-o', 'json'], example());
    const holders = JSON.parse(out).items.map(({ holder }: { holder: string }) => holder);
    expect(holders).toEqual(holders.toSorted());
    expect(holders[0]).toContain('akash10tn2');
  });

  test.each([
    [['--zone', 'edge'], ['203.0.113.29,2001:db8:30::e0']],
    [['--pool', 'edge', '--pool', 'default', '--sort', 'holder', '--state', 'held'], 5],
    [['--owner', 'akash17zp8jh5y4564hxvwg00vemgk5r6pry9j7nkks4'], 2],
    [['--namespace', 'nowhere'], []],
    [['--expires-within', '7d'], []],
    [['--state', 'retained'], []],
  ] as const)('%j are filters', async (line, found) => {
    const addresses = await addressesOf(...line);
    if (typeof found === 'number') expect(addresses).toHaveLength(found);
    else expect(addresses).toEqual(found);
  });

  test('of a workspace without leases is a line with the next step', async () => {
    const root = tempTree({ 'leases/pools.yaml': defaultPoolText() });
    const empty = (...line: readonly string[]) => runInProcess(['list', ...line], root);
    const line =
      'nothing is leased yet; `leasehold add` declares a lease, Service or reservation\n';
    expect(await empty()).toEqual({ status: 0, out: line, err: '' });
    expect((await empty('-o', 'wide')).out).toBe(line);
    expect(JSON.parse((await empty('-o', 'json')).out)).toMatchObject({ items: [] });
    expect((await empty('-o', 'yaml')).out).toContain('items: []');
    expect((await empty('-o', 'csv')).out).toMatch(/^[a-zA-Z,]+\n$/);
    putFile(root, 'leases/ann.yaml', leaseText('ann', 1, [web]));
    expect(await empty()).toEqual({
      status: 0,
      out: 'nothing is leased yet\n',
      err: '1 holder has no address yet; run `leasehold synth`\n',
    });
  });

  test.each([
    [['--pool', 'nope'], 'declares no pool nope; the pools are default, edge'],
    [['--zone', 'nope'], 'declares no zone nope; the zones are edge, inet'],
    [['--free', '--pool', 'nope'], 'declares no pool nope'],
    [['--expires-within', '7h'], 'It is not a time such as 7d or 2w.'],
    [['--owner', 'nope'], 'It is not an account akash1'],
    [['--free', '--state', 'held'], 'cannot be used with option'],
    [['--family', 'ipv4'], '--family needs --free'],
    [['--free', '-o', 'values'], 'which --free leaves out'],
  ] as const)('refuses %j', async (line, reason) => {
    const { status, out, err } = await runInProcess(['list', ...line], example());
    expect([status, out]).toEqual([64, '']);
    expect(err).toContain(reason);
  });

  test('has the day and the commit for programs', { tags: 'slow' }, async () => {
    const root = example();
    const { git } = gitRepository(root);
    git('add', '-A');
    git('commit', '-q', '-m', 'All');
    const commit = git('rev-parse', 'HEAD').trim();
    for (const [line, schema] of [
      [['list'], 'list'],
      [['list', '--free', '--family', 'ipv4'], 'free-ranges'],
      [['who', '194.28.98.217'], 'who'],
      [['pools'], 'pool-usages'],
      [['pools', '--owners'], 'owner-usages'],
      [['map', 'edge'], 'address-map'],
    ] as const) {
      const answer = await answered(line, root, schema);
      expect(answer).toMatchObject({ day: '2026-11-20', commit });
      expect(answer).not.toHaveProperty('uncommitted');
    }
  });
});

test('addresses that a holder left are in the line of their pool, one of each family', async () => {
  const root = tempTree({
    'leases/pools.yaml': providerPoolsText(`pools:
  - { name: old, zone: inet, addresses: [203.0.113.0/29, '2001:db8::/125'], strategy: lowest }
  - { name: new, zone: inet, addresses: [203.0.113.8/29, '2001:db8::8/125'], strategy: lowest }
`),
    'leases/ann.yaml': leaseText('ann', 1, [{ ...web, ipFamily: 'dual' }]),
  });
  const run = async (...words: readonly string[]) =>
    expect(await runInProcess([...words, '--today', '2026-01-10'], root)).toMatchObject({
      status: 0,
    });
  await run('synth');
  await run('move', '2001:db8::', '--family', 'ipv6');
  await run('move', '203.0.113.0', '--pool', 'new', '--family', 'both');
  await run('release', '203.0.113.8');
  const { items } = (await answered(['list'], root, 'list')) as {
    readonly items: readonly { readonly pool: string; readonly addresses: readonly string[] }[];
  };
  expect(items.map(({ pool, addresses }) => [pool, ...addresses])).toEqual([
    ['old', '203.0.113.0', '2001:db8::'],
    ['new', '203.0.113.8', '2001:db8::8'],
    ['old', '2001:db8::1'],
  ]);
});

test('pools of a zone', async () => {
  const { out } = await runInProcess(['pools', '--zone', 'edge'], example());
  expect(out.match(/^edge /gm)).toHaveLength(2);
  expect(out).not.toContain('default');
});
