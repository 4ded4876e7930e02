import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { addDays, type Day } from '../../../src/core/model/day.ts';
import type { Usage } from '../../../src/features/ask/history/usage-answer.ts';
import { poolsText } from '../../support/declarations/pools-text.ts';
import { life, lifeHolder } from '../../support/repositories/address-history.ts';
import { type DatedCommit, datedHistory } from '../../support/repositories/dated-history.ts';
import type { GitRepository } from '../../support/repositories/git-repository.ts';
import { answered } from '../../support/run/json-answer.ts';
import { runInProcess } from '../../support/run/run-in-process.ts';
import { seeded } from '../../support/run/seeded.ts';
import { tempTree } from '../../support/trees/temp-tree.ts';

const pools = poolsText(`pools:
  - { name: default, zone: inet, addresses: [203.0.113.0/28], advertise: { l2: {} } }
`);
const start: DatedCommit = {
  at: '2026-01-01T09:00:00Z',
  message: 'Pools',
  files: { 'leases/pools.yaml': pools },
};
const commits = [start, ...life];

/** Changes of the records of 16 addresses from January to April, a few in an hour or a day apart. */
function manyCommits(count: number): DatedCommit[] {
  const random = seeded(25);
  let seconds = Date.parse('2026-01-01T10:00:00Z') / 1000;
  return Array.from({ length: count }, (_, index) => {
    seconds += random.below(20_000);
    const at = new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
    const address = `203.0.113.${random.below(16)}`;
    const holder = lifeHolder(['ann', 'bob', 'cat'][random.below(3)] ?? '');
    const retain = random.below(9);
    const freeFrom = addDays(at.slice(0, 10) as Day, retain);
    const released = `released: { on: ${at.slice(0, 10)}, freeFrom: ${freeFrom} }\n`;
    const record = `apiVersion: leasehold.dev/v1\nkind: Allocation\naddress: ${address}\npool: default\nholder: ${holder}\nsince: 2026-01-01\nretain: ${retain}\n`;
    const text = [undefined, `${record}${released}`, record, record][random.below(4)];
    const path = `leases/allocations/203.0.113/${address}.yaml`;
    return { at, message: `Change ${index}`, files: { [path]: text } };
  });
}

/** For each address, holder and state the number of days. */
function countedBy({ items }: Usage): Readonly<Record<string, number>> {
  const counts = items.flatMap(({ addresses }) =>
    addresses.flatMap(({ address, holder, heldDays, retainedDays }) => [
      [`${address} ${holder} held`, heldDays] as const,
      [`${address} ${holder} retained`, retainedDays] as const,
    ]),
  );
  return Object.fromEntries(counts.filter(([, days]) => days > 0));
}

/** The same, from the last commit of each day as git names it. */
function countedByHand({ git }: GitRepository, month: string): Readonly<Record<string, number>> {
  const counted: Record<string, number> = {};
  for (let day = `${month}-01` as Day; day.startsWith(month); day = addDays(day, 1)) {
    const id = git('rev-list', '-1', '--first-parent', `--before=${day}T23:59:59Z`, 'main').trim();
    const names = git('ls-tree', '-r', '--name-only', id, 'leases/allocations').trim();
    const blobs = names === '' ? [] : names.split('\n').map((name) => `${id}:${name}`);
    const texts = blobs.length === 0 ? '' : git('show', ...blobs);
    for (const text of texts.split(/^(?=apiVersion)/m).filter((one) => one !== '')) {
      const record = parse(text);
      if (record.released !== undefined && day >= record.released.freeFrom) continue;
      const state = record.released === undefined ? 'held' : 'retained';
      const key = `${record.address} ${record.holder} ${state}`;
      counted[key] = (counted[key] ?? 0) + 1;
    }
  }
  return counted;
}

describe('leasehold usage', () => {
  it('counts the days of a month for each owner, as the branch had the addresses', {
    tags: 'slow',
  }, async () => {
    const root = tempTree();
    datedHistory(root, commits);
    const answer = await answered(['usage', '--month', '2026-02'], root, 'usage');
    expect(answer).toMatchObject({ ref: 'main', from: '2026-02-01', end: '2026-03-01' });
    expect(answer).toMatchObject({
      items: [{ heldDays: 1, retainedDays: 7, addresses: [{ holder: lifeHolder('alice') }] }],
    });
  });

  it('prints CSV with a line for each address and its holder', async () => {
    const root = tempTree();
    const { git } = datedHistory(root, commits);
    const { status, out, err } = await runInProcess(
      ['usage', '--month', '2026-03', '-o', 'csv'],
      root,
    );
    expect(out).toBe(
      `month,owner,zone,family,address,holder,heldDays,retainedDays,commit\n2026-03,akash1bob,inet,ipv4,203.0.113.7,${lifeHolder('bob')},31,0,${git('rev-parse', 'HEAD').trim()}\n`,
    );
    expect([status, err]).toEqual([0, 'address-days of 2026-03, as main had the addresses\n']);
  });

  it('equals a count of the records in the last commit of each day', {
    tags: 'slow',
  }, async () => {
    const root = tempTree();
    const repository = datedHistory(root, [start, ...manyCommits(300)]);
    const month = '2026-01';
    const answer = await answered(['usage', '--month', month], root, 'usage');
    const counted = countedBy(answer as Usage);
    expect(counted).toEqual(countedByHand(repository, month));
    expect(Object.keys(counted).length).toBeGreaterThan(30);
  });

  it('refuses a shallow clone, and a month of which no day has ended', async () => {
    const root = tempTree();
    const repository = datedHistory(root, commits);
    const clone = join(tempTree(), 'clone');
    repository.git('clone', '-q', '--depth', '1', `file://${root}`, clone);
    expect(await runInProcess(['usage', '--month', '2026-02'], clone)).toEqual({
      status: 1,
      err: '',
      out: 'the clone is shallow, so days before its oldest commit are not known: run `git fetch --unshallow`\n',
    });
    const later = await runInProcess(['usage', '--month', '2999-01'], root);
    expect([later.status, later.err]).toEqual([64, 'leasehold: no day of 2999-01 has ended\n']);
  });

  it.each(['2026-13', '2026-1', 'May', '1969-12'])('refuses the month %s', async (month) => {
    const { status, err } = await runInProcess(['usage', '--month', month], tempTree());
    expect([status, err]).toEqual([64, expect.stringContaining('Expected a month as YYYY-MM.')]);
  });
});
