import { describe, expect, test } from 'vitest';
import type { Change } from '../../../../../src/core/model/allocation.ts';
import { changesText } from '../../../../../src/core/run/synth/changes-text.ts';
import { paintOf } from '../../../../../src/core/text/print/problems-text.ts';

const change = (kind: Change['kind'], last: number): Change => ({
  kind,
  address: { family: 'ipv4', value: 0xcb007100n + BigInt(last) },
  holder: `default/akash/h${last}`,
  pool: 'edge',
});

describe('changesText', () => {
  test('has a line per address, and the totals', () => {
    const changes = [change('allocated', 7), change('released', 12), change('updated', 3)];
    const text = changesText({ changes, held: 9, written: 4, removed: 1 }, paintOf(false));
    expect(text.split('\n')).toEqual([
      '+ 203.0.113.7   allocated  edge  default/akash/h7',
      '- 203.0.113.12  released   edge  default/akash/h12',
      '~ 203.0.113.3   updated    edge  default/akash/h3',
      '1 allocated, 1 updated, 1 released; 9 held; 4 files written, 1 removed',
      '',
    ]);
  });

  test('has a line per hostname, and says that addresses are held', () => {
    const hostnameChanges = [
      { kind: 'allocated', hostname: 'shop.example.com', holder: 'default/namespace/shop' },
    ] as const;
    const summary = { changes: [], hostnameChanges, held: 1, written: 3, removed: 0 };
    expect(changesText(summary, paintOf(false))).toBe(
      '+ shop.example.com  allocated  -  default/namespace/shop\nno address changes; hostnames: 1 allocated; 1 address held; 3 files written, 0 removed\n',
    );
  });

  test('names the promises that it removed', () => {
    const takenPromises = ['leases/ann/promise-shop.yaml'];
    const summary = { changes: [], held: 9, written: 3, removed: 1, takenPromises };
    expect(changesText(summary, paintOf(false))).toBe(
      'removed leases/ann/promise-shop.yaml: a lease has its address\nno address changes; 9 held; 3 files written, 1 removed\n',
    );
  });

  test('states that there are no changes', () => {
    const summary = { changes: [], held: 9, written: 0, removed: 0 };
    expect(changesText(summary, paintOf(false))).toBe(
      'no address changes; 9 held; all files up to date\n',
    );
  });

  test('counts the changes beyond the fiftieth', () => {
    const changes = Array.from({ length: 53 }, (_, index) => change('allocated', index));
    const lines = changesText({ changes, held: 53, written: 1, removed: 0 }, paintOf(false)).split(
      '\n',
    );
    expect(lines).toHaveLength(53);
    expect(lines[50]).toBe('… and 3 more');
    expect(lines[51]).toBe('53 allocated; 53 held; 1 file written, 0 removed');
  });
});
