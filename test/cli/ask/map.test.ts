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

  test('refuses a pool that is not declared', async () => {
    const { root } = await remadeTwoLeases();
    const { status, err } = await runInProcess(['map', 'edge'], root);
    expect([status, err]).toEqual([64, expect.stringMatching(/no pool edge; it declares default/)]);
  });
});
