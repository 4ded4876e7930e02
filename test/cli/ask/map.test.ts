import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { remadeTwoLeases } from '../../support/repositories/cached-repository.ts';
import { answered } from '../../support/run/json-answer.ts';
import { runInProcess } from '../../support/run/run-in-process.ts';

describe('map', () => {
  test('shows the usage of a pool', async () => {
    const { root } = await remadeTwoLeases();
    const { status, out } = await runInProcess(['map', 'default'], root);
    expect([status, out.split('\n')[1]]).toEqual([0, '203.0.113.0  █···············']);
    const map = await answered(['map', 'default'], root, 'address-map');
    expect(map).toMatchObject({ pool: 'default', ranges: [{ step: '1' }] });
  });

  test('shows the only pool when no pool is named', async () => {
    const { root } = await remadeTwoLeases();
    const map = await answered(['map'], root, 'address-map');
    expect(map).toMatchObject({ pool: 'default' });
  });

  test('names the pools when there are several and none is named', async () => {
    const { root } = await remadeTwoLeases();
    const file = join(root, 'leases/pools.yaml');
    const edge = '  - { name: edge, zone: inet, addresses: [198.18.0.0/30] }\n';
    writeFileSync(file, `${readFileSync(file, 'utf8')}${edge}`);
    const { status, err } = await runInProcess(['map'], root);
    expect([status, err]).toEqual([
      64,
      'leasehold: name one of the pools of leases/pools.yaml: default, edge\n',
    ]);
  });

  test('refuses a pool that is not declared', async () => {
    const { root } = await remadeTwoLeases();
    const { status, err } = await runInProcess(['map', 'edge'], root);
    expect([status, err]).toEqual([
      64,
      expect.stringMatching(/no pool edge; the only pool is default/),
    ]);
  });
});
