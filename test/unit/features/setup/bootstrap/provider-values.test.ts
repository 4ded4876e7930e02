import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { startOf } from '../../../../../src/core/model/problem.ts';
import { offerOf } from '../../../../../src/features/inventory/attributes.ts';
import type { Inventory } from '../../../../../src/features/inventory/inventory.ts';
import { editProviderValues } from '../../../../../src/features/setup/bootstrap/provider-values.ts';

const edited = (text: string, isOn: boolean, inventory?: Inventory) =>
  editProviderValues(
    { name: 'provider.yaml', bytes: new TextEncoder().encode(text) },
    { isOn, offer: inventory && offerOf(inventory) },
  );

function textOf(text: string, isOn: boolean): string {
  const edit = edited(text, isOn);
  if (!edit.ok) throw new Error(JSON.stringify(edit.problems));
  return edit.value.text;
}

function problemsOf(text: string, isOn: boolean): readonly string[] {
  const edit = edited(text, isOn);
  return edit.ok ? [] : edit.problems.map(({ code, at }) => `${code} ${at.line}:${at.column}`);
}

/** What tenants, Akash's guides and its Console look for. */
const leasedIPs = ['ip-lease', 'capabilities/ip-lease', 'feat-endpoint-ip'];

const values = `---
from: "akash1hwmenz63dp59uve5ytea09suwgr47y3rn9902y" # the wallet
domain:   example.com

# What tenants look for.
attributes:
  - key: region
    value: "us-west"   # the rack
  # storage
  - {key: capabilities/storage/1/class, value: default}

bidpricescript: |
  #!/bin/sh
  ipoperator: true
# The end.
`;

test.each(['!!binary aGk=', '!!timestamp 2026-01-01', '!!int x', 'text', '7'])(
  'a file of nothing but %s is refused',
  (text) => {
    const problems = problemsOf(`${text}\n`, true);
    expect(problems).toEqual([expect.stringMatching(/^FIELD_TYPE 1:/)]);
  },
);

describe('editProviderValues', () => {
  test('on: sets the flag and each attribute for leased IPs, and keeps every other line', () => {
    const added = leasedIPs.map((key) => `  - key: ${key}\n    value: "true"\n`).join('');
    expect(textOf(values, true)).toBe(
      values
        .replace('value: default}\n', `value: default}\n${added}`)
        .replace('# The end.\n', 'ipoperator: true\n# The end.\n'),
    );
  });

  test('off: changes nothing without the flag', () => {
    expect(edited(values, false)).toEqual({
      ok: true,
      value: { text: values, changes: [], advertised: [], undeclared: [] },
    });
  });

  test.each([
    ['ipoperator: true # by the guide\n', 'ipoperator: false # by the guide\n'],
    ['ipoperator: "true"\n', 'ipoperator: false\n'],
    ['ipoperator:   yes\n', 'ipoperator:   false\n'],
    ['{"domain": "x", "ipoperator": true}\n', '{"domain": "x", "ipoperator": false}\n'],
    ['domain: x\r\nipoperator: true\r\n# end\r\n', 'domain: x\r\nipoperator: false\r\n# end\r\n'],
  ])('off: %j becomes %j', (before, after) => {
    expect(textOf(before, false)).toBe(after);
  });

  test.each([
    ['ipoperator: false\n', true],
    ['ipoperator: # not yet\n', true],
    ['ipoperator:\nattributes:\n', true],
    ['attributes: []\n', true],
    ['attributes: # later\n# - key: region\ndomain: x\n', true],
    ['attributes:\n- key: ip-lease\n  value: false # no\n', true],
    ['attributes:\n- key: ip-lease\n', true],
    ['attributes:\n- key: ip-lease\n  value:\n', true],
    ['attributes: [{ key: ip-lease, value: "false" }, { key: a, value: b }]\n', true],
    ['attributes: [{ key: a, value: b }]', true],
    ['{ domain: x, attributes: [] }', true],
    ['domain: x', true],
    [values.replaceAll('\n', '\r\n'), true],
    [values, true],
    ['base: &base { a: 1 }\nother: *base\n', true],
    ['ipoperator: &off false\n', true],
    ['attributes:\n  - &a { key: a, value: b }\nother: *a\n', true],
    ['domain: x\nnotes: |+\n  # kept\n\n\n', true],
    ['attributes:\n  - key: a\n    value: |+\n      b\n\n\ndomain: x\n', true],
    ['notes: |\n  a\n     \n', true],
    ['notes: >-\r\n  a\r\n   \r\n\r\n', true],
    ['notes: |+\n\n', true],
    ['notes: |2-\n   a\n\n# end\n', true],
    ['? ipoperator # asked\n: false\ndomain: x\n', true],
    ['--- # values\ndomain: x\n...\n', true],
    ['ipoperator: true\nattributes:\n  - key: ip-lease\n    value: true\n', false],
  ])('keeps the rest of %j, and changes nothing the second time', (before, isOn) => {
    const after = textOf(before, isOn);
    const old = (parse(before) ?? {}) as Record<string, unknown>;
    const now = parse(after) as Record<string, unknown>;
    const others = ((old.attributes ?? []) as { readonly key: string }[]).filter(
      ({ key }) => !leasedIPs.includes(key),
    );
    const written = (now.attributes ?? []) as { readonly key: string; readonly value: unknown }[];
    expect(written.filter(({ key }) => !leasedIPs.includes(key))).toEqual(others);
    const offers = written.filter(({ key }) => leasedIPs.includes(key));
    expect(offers.map(({ key }) => key).sort()).toEqual(
      isOn ? [...leasedIPs].sort() : ['ip-lease'],
    );
    expect(offers.map(({ value }) => String(value))).toEqual(offers.map(() => 'true'));
    expect(now).toEqual({ ...old, ipoperator: isOn, attributes: written });
    for (const [comment] of before.matchAll(/#.*/g)) expect(after).toContain(comment.trimEnd());
    expect(edited(after, isOn)).toMatchObject({ ok: true, value: { text: after, changes: [] } });
  });

  test('reports each change with its position and the former value', () => {
    const text = 'ipoperator: false\nattributes:\n  - { key: ip-lease, value: no }\n';
    expect(edited(text, true)).toMatchObject({
      value: {
        changes: [
          {
            field: 'ipoperator',
            from: 'false',
            to: 'true',
            at: { line: 1, column: 13 },
          },
          {
            field: 'the attribute ip-lease',
            from: "'no'",
            to: 'true',
            at: { line: 3, column: 29 },
          },
          { field: 'the attribute capabilities/ip-lease', from: undefined, to: 'true' },
          { field: 'the attribute feat-endpoint-ip', from: undefined, to: 'true' },
        ],
      },
    });
  });

  test('reports each attribute that remains while the operator is off', () => {
    const offers = leasedIPs.map((key) => `  - { key: ${key}, value: true }\n`).join('');
    const text = `attributes:\n${offers}  - { key: feat-shm, value: true }\n`;
    const no = text.replaceAll('value: true', 'value: "false"');
    expect(edited(text, false)).toMatchObject({
      value: {
        text,
        advertised: leasedIPs.map((key, index) => ({ key, at: { line: 2 + index } })),
      },
    });
    expect(edited(no, false)).toMatchObject({ value: { text: no, advertised: [] } });
  });
});

describe('with an inventory', () => {
  const gpu = { vendor: 'nvidia', model: 'h100', ram: '80Gi', interface: 'sxm', count: 8 };
  const at = startOf('leases/inventory.yaml');
  const inventory: Inventory = {
    cluster: 'default',
    clusterStorage: ['beta3', 'default', 'ram'],
    exclude: { nodes: [], nodeStorage: [] },
    nodes: [
      { name: 'gpu-1', gpus: [gpu], at },
      { name: 'gpu-2', gpus: [gpu, { ...gpu, model: 'a100', ram: undefined, count: 1 }], at },
    ],
  };
  const attributesOf = (text: string): ReadonlyMap<string, unknown> => {
    const edit = edited(text, false, inventory);
    if (!edit.ok) throw new Error(JSON.stringify(edit.problems));
    const { attributes } = parse(edit.value.text);
    return new Map(
      attributes.map(({ key, value }: { key: string; value: unknown }) => [key, value]),
    );
  };

  test('each GPU is an attribute, with and without memory and interface, and each storage class', () => {
    const prefix = 'capabilities/gpu/vendor/nvidia/model';
    expect([...attributesOf('domain: x\n')]).toEqual([
      [`${prefix}/a100`, 'true'],
      [`${prefix}/a100/interface/sxm`, 'true'],
      [`${prefix}/h100`, 'true'],
      [`${prefix}/h100/interface/sxm`, 'true'],
      [`${prefix}/h100/ram/80Gi`, 'true'],
      [`${prefix}/h100/ram/80Gi/interface/sxm`, 'true'],
      ['capabilities/storage/1/class', 'beta3'],
      ['capabilities/storage/1/persistent', 'true'],
      ['capabilities/storage/2/class', 'default'],
      ['capabilities/storage/2/persistent', 'true'],
      ['capabilities/storage/3/class', 'ram'],
      ['capabilities/storage/3/persistent', 'false'],
    ]);
  });

  test('a storage class keeps its number, and the rest of the file its bytes', () => {
    const attributes = attributesOf(values);
    expect(attributes.get('region')).toBe('us-west');
    expect(attributes.get('capabilities/storage/1/class')).toBe('default');
    expect(attributes.get('capabilities/storage/1/persistent')).toBe('true');
    expect(attributes.get('capabilities/storage/2/class')).toBe('beta3');
    const once = edited(values, false, inventory);
    const text = once.ok ? once.value.text : '';
    expect(text.replace(/ {2}- key: capabilities\/.*\n {4}value: .*\n/g, '')).toBe(values);
    expect(edited(text, false, inventory)).toMatchObject({ value: { text, changes: [] } });
  });

  test('what only the file has stays, and is reported', () => {
    const text = `attributes:
  - { key: capabilities/gpu/vendor/amd/model/mi100, value: true }
  - { key: capabilities/gpu/vendor/nvidia/model/h100, value: false }
  - { key: capabilities/storage/1/class, value: old }
`;
    const edit = edited(text, false, inventory);
    expect(edit).toMatchObject({
      value: {
        undeclared: [
          { key: 'capabilities/gpu/vendor/amd/model/mi100', at: { line: 2 } },
          { key: 'capabilities/storage/1/class', at: { line: 4 } },
        ],
      },
    });
    const attributes = attributesOf(text);
    expect(attributes.get('capabilities/gpu/vendor/amd/model/mi100')).toBe(true);
    expect(attributes.get('capabilities/gpu/vendor/nvidia/model/h100')).toBe('true');
    expect(attributes.get('capabilities/storage/1/class')).toBe('old');
    expect(attributes.get('capabilities/storage/2/class')).toBe('beta3');
  });

  test('an attribute that is written twice is refused', () => {
    const twice = '  - { key: capabilities/gpu/vendor/nvidia/model/h100, value: true }\n';
    const edit = edited(`attributes:\n${twice}${twice}`, false, inventory);
    expect(edit).toMatchObject({ problems: [{ code: 'FIELD_VALUE', at: { line: 3 } }] });
  });
});

describe('editProviderValues rejects', () => {
  test.each([
    ['', ['YAML_DOCUMENTS 1:1']],
    ['a: 1\n---\nb: 2\n', ['YAML_DOCUMENTS 3:1']],
    ['- a\n', ['FIELD_TYPE 1:1']],
    ['a: [\n', ['YAML_SYNTAX 1:4']],
    ['ipoperator: &off false\nother: *off\n', ['YAML_ALIAS 1:1']],
    ['attributes: &a\n  - key: a\n    value: b\nother: *a\n', ['YAML_ALIAS 1:1']],
    ['attributes:\n  - &a { key: ip-lease }\nother: [*a]\n', ['YAML_ALIAS 2:8']],
    ['a: 1\na: 2\n', ['YAML_DUPLICATE_KEY 2:1']],
    ['ipoperator: maybe\nattributes: none\n', ['FIELD_TYPE 1:13', 'FIELD_TYPE 2:13']],
    ['attributes: [region]\n', ['FIELD_TYPE 1:14']],
    ['host: https://x:8443\nattributes: []\n', ['FIELD_UNKNOWN 1:1']],
    [
      'attributes:\n  - { key: ip-lease, value: a }\n  - { key: ip-lease, value: b }\n',
      ['FIELD_VALUE 3:5'],
    ],
    ['all: &all [{ key: a, value: b }]\nattributes: *all\n', ['YAML_ALIAS 2:1']],
    ['all: &all { attributes: [{ key: a, value: b }] }\n<<: *all\n', ['YAML_ALIAS 1:25']],
    ['all: &all false\nipoperator: *all\n', ['YAML_ALIAS 2:1']],
    ['all: &all no\nattributes: [{ key: ip-lease, value: *all }]\n', ['YAML_ALIAS 2:31']],
  ])('%j', (text, problems) => {
    expect(problemsOf(text, true)).toEqual(problems);
  });
});
