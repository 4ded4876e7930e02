import { appendFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { accountOf, leaseText } from '../../support/declarations/lease-text.ts';
import { lifeRecord } from '../../support/repositories/address-history.ts';
import { gitRepository } from '../../support/repositories/git-repository.ts';
import { answered } from '../../support/run/json-answer.ts';
import { runInProcess } from '../../support/run/run-in-process.ts';
import { example } from '../../support/trees/example.ts';
import { putFile } from '../../support/trees/temp-tree.ts';

describe('who', () => {
  test('answers with an address in any spelling', async () => {
    const root = example();
    const answer = await answered(['who', '[2001:DB8:30::E0]'], root, 'who');
    expect(answer).toMatchObject({
      kind: 'Who',
      asked: '[2001:DB8:30::E0]',
      items: [{ address: '2001:db8:30::e0', state: 'held', pool: 'edge' }],
    });
  });

  test.each([
    ['nobody', /^nothing has the name nobody: /],
    ['198.51.100.0/24', /^no address of 198\.51\.100\.0\/24 is held or recorded\n$/],
    ['Shop.example.com.', /, and no hostname; write shop\.example\.com\n$/],
    ['no\u001bbody', /^nothing has the name no\?body: /],
  ])('reports that nothing matches %j', async (what, said) => {
    const { status, out, err } = await runInProcess(['who', what], example());
    expect([status, err]).toEqual([1, '']);
    expect(out).toMatch(said);
  });

  test('says that a lease waits for its address', async () => {
    const root = example();
    const endpoint = { name: 'late', service: 'web', port: 80 };
    putFile(root, 'leases/late.yaml', leaseText('late', 4711, [endpoint]));
    expect(await runInProcess(['who', '4711'], root)).toEqual({
      status: 1,
      err: '',
      out: `default/akash/${accountOf('late')}-ip-late is declared and has no address yet; run \`leasehold synth\`\n`,
    });
  });

  test('answers beside a broken declaration, and reports it', async () => {
    const root = example();
    putFile(root, 'leases/broken.yaml', 'kind: Lease\n');
    const { status, out, err } = await runInProcess(['who', '194.28.98.217'], root);
    expect(status).toBe(0);
    expect(out).toContain('held since 2026-11-20');
    expect(err).toMatch(/^declarations have .*, so claims may be missing here; `leasehold check` /);
  });

  test('refuses to answer from unreadable records', async () => {
    const root = example();
    const { git } = gitRepository(root);
    git('add', '-A');
    rmSync(join(root, 'leases/allocations/194.28.98/194.28.98.217.yaml'));
    const { status, out, err } = await runInProcess(['who', '194.28.98.217'], root);
    expect([status, err]).toEqual([1, '']);
    expect(out).toContain('194.28.98.217.yaml:1:1 FILE_LOST');
  });

  test.each(['203.0.113.07', '203.0.113.7/28', '10.1.2', ' '])('refuses %j', async (what) => {
    const { status, out, err } = await runInProcess(['who', what], example());
    expect([status, out]).toEqual([64, '']);
    expect(err).toMatch(/^leasehold: [^\n]+\n$/);
  });
});

describe('pools', () => {
  test('count the addresses retained on a day', async () => {
    const root = example();
    const retained = async (day: string): Promise<unknown> => {
      const { out } = await runInProcess(['pools', 'default', '--today', day, '-o', 'json'], root);
      const { held, retained: kept, free } = JSON.parse(out).items[0].families[0];
      return [held, kept, free];
    };
    const before = await answered(['pools'], root, 'pool-usages');
    expect(before).toMatchObject({
      day: '2026-11-20',
      items: [{ pool: 'default' }, { pool: 'edge' }],
    });
    putFile(
      root,
      'leases/allocations/144.217.30/144.217.30.200.yaml',
      lifeRecord('x', 'released:\n  on: 2026-12-01\n  freeFrom: 2026-12-08\n').replace(
        '203.0.113.7',
        '144.217.30.200',
      ),
    );
    expect(await retained('2026-12-07')).toEqual(['4', '1', '47']);
    expect(await retained('2026-12-08')).toEqual(['4', '0', '48']);
  });

  test('that are not declared are refused by name', async () => {
    const { status, err } = await runInProcess(['pools', 'edge', 'nope'], example());
    expect(status).toBe(64);
    expect(err).toBe(
      'leasehold: leases/pools.yaml declares no pool nope; the pools are default, edge\n',
    );
  });

  test('list the addresses of each owner, also beyond its quota', async () => {
    const root = example();
    const dune = 'akash1ymv9sphkkage9ntkua599frd43tfkwezwfpeu3';
    const pools = join(root, 'leases/pools.yaml');
    appendFileSync(pools, `quotas: { default: 3, owners: { ${dune}: 1, default/shop: 4 } }\n`);
    expect((await runInProcess(['check'], root)).out).toContain('QUOTA_EXCEEDED');
    const answer = await answered(['pools', '--owners'], root, 'owner-usages');
    expect(answer).toMatchObject({ kind: 'OwnerUsages', day: '2026-11-20' });
    const { out } = await runInProcess(['pools', '--owners'], root);
    expect(out).toContain(`${dune}  2     0         1      0     1 of edge ipv4, 1 of edge ipv6\n`);
    expect(out).toMatch(/^default\/shop +0 +0 +4 +4 +-\n/m);
    expect(await runInProcess(['pools', '--owners', 'edge'], root)).toMatchObject({
      status: 64,
      err: 'leasehold: --owners counts all pools together and takes no pool or zone names\n',
    });
  });
});
