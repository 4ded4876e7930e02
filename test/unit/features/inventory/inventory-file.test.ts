import { describe, expect, test } from 'vitest';
import type { Outcome } from '../../../../src/core/model/problem.ts';
import type { Inventory } from '../../../../src/features/inventory/inventory.ts';
import { readInventory } from '../../../../src/features/inventory/inventory-file.ts';
import { thePools } from '../../../support/declarations/pools-and-claims.ts';

const head = 'apiVersion: leasehold.dev/v1\nkind: Inventory\nclusters:\n  - name: default\n';

/** What is read of the cluster `default`, from the fields beside its name. */
function read(fields: string): Outcome<readonly Inventory[]> {
  return readInventory('leases/inventory.yaml', Buffer.from(`${head}${fields}`), thePools());
}

function messages(fields: string): readonly string[] {
  const outcome = read(fields);
  return outcome.ok ? [] : outcome.problems.map(({ code, message }) => `${code} ${message}`);
}

/** True when a cluster may exclude nodes by a pattern. */
function isPattern(pattern: string): boolean {
  return read(`    clusterStorage: []\n    exclude: { nodes: [${JSON.stringify(pattern)}] }\n`).ok;
}

describe('the inventory file', () => {
  test('fills in defaults, sorts classes and keeps the order of the rest', () => {
    const outcome = read(`    clusterStorage: [ram, beta3]
    exclude:
      nodes: [^b, ^a]
      nodeStorage: [{ nodeFilter: ^c, classes: [ram, beta3] }]
    nodes:
      - { name: gpu-2, gpus: [{ vendor: nvidia, model: h100 }] }
      - { name: gpu-1 }
`);
    const at = { file: 'leases/inventory.yaml' };
    const gpu = { vendor: 'nvidia', model: 'h100', ram: undefined, interface: undefined, count: 1 };
    expect(outcome).toMatchObject({
      ok: true,
      value: [
        {
          cluster: 'default',
          clusterStorage: ['beta3', 'ram'],
          exclude: {
            nodes: ['^b', '^a'],
            nodeStorage: [{ nodeFilter: '^c', classes: ['beta3', 'ram'] }],
          },
          nodes: [
            { name: 'gpu-2', gpus: [gpu], at: { ...at, line: 10 } },
            { name: 'gpu-1', gpus: [], at: { ...at, line: 11 } },
          ],
        },
      ],
    });
  });

  test('accepts the patterns that RE2 compiles, without flags and escaped codes', () => {
    const accepted = [
      '^test-',
      'a|b',
      '(?:gpu|cpu)-[0-9]{1,3}$',
      '\\d+\\.node',
      '[^a-f\\-]',
      '.*?',
      ...['\\bgpu\\B', '\\Agpu-\\d\\z', '\\pL\\PN', '[\\pL\\p{^N}_]', '\\p{L}'],
      ...['(?P<kind>gpu|cpu)-', '[[:alpha:]]+', '[^[:^digit:]-]', '[a[:punct:]]', '\\\\pX', 'a<b>'],
    ];
    expect(accepted.filter((pattern) => !isPattern(pattern))).toEqual([]);
    const refused = [
      ...['', '(', 'a**', '[]', '[^]', '[b-a]', 'a{', '(?i)a', '(?<n>a)', '(?=a)', '(?<!a)'],
      ...['(a)\\1', '\\k<n>', '\\u0061', '\\x61', '\\cA', '[\\b]', '[\\A]', 'ä', 'a\nb'],
      ...[
        '\\p',
        '\\pX',
        '\\p{Greek}',
        '[[:alfa:]]',
        '(?P<n',
        '(?P<1>a)',
        '(?P<n>a)(?P<n>b)',
        '(?P=n)',
      ],
      ...['a{1001}', '(?:a{40}){40}', 'a'.repeat(254)],
    ];
    expect(refused.filter(isPattern)).toEqual([]);
  });

  test('suggests a class of the cluster for an excluded one', () => {
    const fields =
      '    clusterStorage: [beta3]\n    exclude: { nodeStorage: [{ nodeFilter: a, classes: [beta2] }] }\n';
    expect(messages(fields)).toEqual([
      "STORAGE_CLASS_UNKNOWN the storage class 'beta2' is not in clusterStorage",
    ]);
    expect(read(fields)).toMatchObject({ problems: [{ hint: "did you mean 'beta3'?" }] });
  });

  test('counts the characters of the longest label of a GPU', () => {
    const gpu = (model: string) =>
      `    clusterStorage: []\n    nodes: [{ name: a, gpus: [{ vendor: nvidia, model: ${model}, interface: pcie }] }]\n`;
    expect(messages(gpu('m'.repeat(11)))).toEqual([]);
    expect(messages(gpu('m'.repeat(12)))).toEqual([
      'FIELD_VALUE the label of this GPU has 64 characters in its name, expected at most 63',
    ]);
  });
});
