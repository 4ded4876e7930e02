import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import {
  withEndpointPins,
  withReservationPins,
  withServicePins,
} from '../../../../src/lib/edit/declaration-edits.ts';
import {
  withEntry,
  withoutEntry,
  withText,
  withValue,
} from '../../../../src/lib/edit/yaml-edit.ts';
import { anAddress } from '../../../support/declarations/pools-and-claims.ts';

const four = anAddress('203.0.113.7');
const six = anAddress('2001:db8::7');

/** That what one text adds to another stands in one piece, and everything else as it was. */
function expectAdded(before: string, after: string): string {
  let start = 0;
  while (start < before.length && before[start] === after[start]) start += 1;
  const rest = before.length - start;
  expect(after.endsWith(before.slice(start))).toBe(true);
  return after.slice(start, after.length - rest);
}

describe('one more entry', () => {
  it.each([
    [
      'after the last one of a block',
      'a:\n  b: 1 # one\n  c: 2\n# end\nd: 3\n',
      'a:\n  b: 1 # one\n  c: 2\n  x: 9\n# end\nd: 3\n',
    ],
    ['at the end of a file without a line break', 'a:\n  b: 1', 'a:\n  b: 1\n  x: 9\n'],
    [
      'with the line ends of Windows',
      'a:\r\n  b: 1\r\nd: 3\r\n',
      'a:\r\n  b: 1\r\n  x: 9\r\nd: 3\r\n',
    ],
    [
      'after a block within',
      'a:\n  b:\n    - 1\n    - 2\nd: 3\n',
      'a:\n  b:\n    - 1\n    - 2\n  x: 9\nd: 3\n',
    ],
    ['on the line of a flow', 'a: { b: 1 } # one\n', 'a: { b: 1, x: 9 } # one\n'],
    ['before a comma at the end of a flow', 'a: { b: 1, }\n', 'a: { b: 1, x: 9, }\n'],
    ['before a comment in a flow', 'a: {\n  b: 1 # one\n}\n', 'a: {\n  b: 1, x: 9 # one\n}\n'],
    ['in an empty flow', 'a: {}\n', 'a: { x: 9 }\n'],
    ['after JSON', '{"a": {"b": "1"}}\n', '{"a": {"b": "1", x: 9}}\n'],
  ])('stands %s', (_, before, after) => {
    expect(withEntry(before, ['a'], 'x', '9')).toBe(after);
    expect(parse(after).a.x).toBe(9);
  });

  it('stands in an item of a list, under its first key', () => {
    const text = 'l:\n  - b: 1\n    c: 2 # two\n  - b: 3\n';
    expect(withEntry(text, ['l', 0], 'x', '9')).toBe(
      'l:\n  - b: 1\n    c: 2 # two\n    x: 9\n  - b: 3\n',
    );
    expect(withEntry(text, ['l', 1], 'x', '9')).toBe(`${text}    x: 9\n`);
  });
});

describe('another value', () => {
  it.each([
    ['a scalar', 'a: { b: "1" } # one\n', 'a: { b: 9 } # one\n'],
    ['a text in a block', 'a:\n  b: 1 # one\nc: 2\n', 'a:\n  b: 9 # one\nc: 2\n'],
    ['a list in a block', 'a:\n  b:\n    - 1\n    - 2\nc: 2\n', 'a:\n  b:\n    9\nc: 2\n'],
  ])('stands in the place of %s', (_, before, after) => {
    expect(withValue(before, ['a', 'b'], '9')).toBe(after);
    expect(parse(after).a.b).toBe(9);
  });
});

describe('a pin', () => {
  const lease = `spec:
  endpoints:
    # the front
    - { name: shop, service: web, port: 80 }  # flow
    - name: shop
      service: api
      port: 81
`;

  it('of an endpoint is its address, whatever its layout', () => {
    const text = withEndpointPins(
      lease,
      new Map([
        [0, four],
        [1, six],
      ]),
    );
    expect(parse(text).spec.endpoints.map(({ address }: { address: string }) => address)).toEqual([
      '203.0.113.7',
      '2001:db8::7',
    ]);
    expect(
      text.replace(', address: 203.0.113.7', '').replace("      address: '2001:db8::7'\n", ''),
    ).toBe(lease);
  });

  it('of a Reservation is a list of all its addresses', () => {
    const text = 'kind: Reservation\nspec:\n  service: web\n  addresses: [203.0.113.7] # mine\n';
    expect(withReservationPins(text, [four, six])).toBe(
      text.replace('[203.0.113.7]', "[203.0.113.7, '2001:db8::7']"),
    );
    expect(
      expectAdded(
        'spec: { service: web }\n',
        withReservationPins('spec: { service: web }\n', [four]),
      ),
    ).toBe(', addresses: [203.0.113.7]');
  });

  it.each([
    ['without annotations', 'metadata:\n  name: web\n'],
    ['with an annotation', 'metadata:\n  name: web\n  annotations:\n    a/b: c\n'],
    ['with annotations that are empty', 'metadata:\n  annotations: {}\n  name: web\n'],
    ['with annotations that are not there', 'metadata:\n  annotations:\n  name: web\n'],
    [
      'with one address',
      'metadata:\n  annotations:\n    ipam.vitistack.io/addresses: 203.0.113.7/32\n  name: web\n',
    ],
    ['in JSON', '{"metadata": {"name": "web", "annotations": {"a/b": "c"}}}\n'],
  ])('of a Service %s is an annotation', (_, text) => {
    const pinned = parse(withServicePins(text, [four, six]));
    expect(pinned.metadata.annotations['ipam.vitistack.io/addresses']).toBe(
      '203.0.113.7,2001:db8::7',
    );
    expect(pinned.metadata.name).toBe('web');
  });
});

describe('another text', () => {
  it.each([
    ['a: |\n  one\n\n  two\nb: 1\n', 'one\n\nthree\n', 'a: |\n  one\n\n  three\nb: 1\n'],
    ['a: |-\n    one\nb: 1\n', 'one\n  two', 'a: |-\n    one\n      two\nb: 1\n'],
    ['a: |2\n    one\n', '  two\n', 'a: |2\n    two\n'],
    ['a: | # why\n one', 'two\n', 'a: | # why\n two'],
    ['{ a: "one", b: 1 }\n', 'two\n# 3', '{ a: "two\\n# 3", b: 1 }\n'],
    ['a: >\n  one\n  two\nb: 1\n', 'one\ntwo\n', 'a: "one\\ntwo\\n"\nb: 1\n'],
    ['a: |\r\n  one\r\nb: 1\r\n', 'two\n3\n', 'a: |\r\n  two\r\n  3\r\nb: 1\r\n'],
  ])('in %j', (before, value, after) => {
    const written = withText(before, ['a'], value);
    expect(written).toBe(after);
    expect(parse(written)).toEqual({ ...parse(before), a: value });
  });
});

describe('without an entry', () => {
  it.each([
    ['a: 1\nb:\n  - x # why\n  - y\n# after\nc: 3\n', 'a: 1\n# after\nc: 3\n'],
    ['a: 1\nb: [x]\n', 'a: 1\n'],
    ['a: 1\r\nb: 2 # why\r\nc: 3', 'a: 1\r\nc: 3'],
    ['b:\n  x: |\n    one\na: 1\n', 'a: 1\n'],
    ['{ a: 1, b: [x], c: 3 }\n', '{ a: 1, c: 3 }\n'],
    ['{"b": {"x": 1}, "a": 1}\n', '{ "a": 1 }\n'],
  ])('of %j', (before, after) => {
    const written = withoutEntry(before, [], 'b');
    expect(written).toBe(after);
    const { b: _, ...others } = parse(before);
    expect(parse(written)).toEqual(others);
  });
});
