import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { withSignature } from '../../../src/declarations/signature-edit.ts';

const service = `apiVersion: v1
kind: Service
metadata:
  name: web # the shop
  annotations:
    # who owns it
    ipam.vitistack.io/secret: own   # in the safe
    # for how long
    ipam.vitistack.io/retention-period-days: "7"
spec: { type: LoadBalancer, ports: [{ port: 80 }] }
`;
const key = 'ipam.vitistack.io/secret: own';
const safe = '# in the safe';

/** What a text has more than another one, the rest being the same before and after. */
function added(from: string, into: string): string {
  let start = 0;
  while (from[start] === into[start] && start < from.length) start += 1;
  let end = 0;
  while (end < from.length - start && from.at(-1 - end) === into.at(-1 - end)) end += 1;
  expect(from.length - start - end).toBe(0);
  return into.slice(start, into.length - end);
}

describe('a signature goes', () => {
  test('into a line after the key', () => {
    const text = withSignature(service, 'abc');
    expect(text).toContain(`${key}   # in the safe\n    leasehold.dev/signature: 'abc'\n    # for`);
    expect(added(service, text)).toHaveLength("    leasehold.dev/signature: 'abc'\n".length);
  });

  test('into the place of the one that is there', () => {
    const once = withSignature(service, 'abc');
    expect(withSignature(once, 'defg')).toBe(once.replace("'abc'", "'defg'"));
  });

  test.each([
    ['plain', 'abc # old', "'new' # old"],
    ['double', '"abc"', "'new'"],
    ['a block', '>-\n      abc\n      def', "'new'"],
    ['empty', '""', "'new'"],
  ])('into the place of one that is %s', (_, old, now) => {
    const line = (value: string) =>
      service.replace(safe, `${safe}\n    leasehold.dev/signature: ${value}`);
    expect(withSignature(line(old), 'new')).toBe(line(now));
  });

  test('into annotations on one line', () => {
    const text =
      'kind: Service\nmetadata: { annotations: { a: b, ipam.vitistack.io/secret: own } }\n';
    expect(withSignature(text, 'abc')).toBe(
      "kind: Service\nmetadata: { annotations: { a: b, leasehold.dev/signature: 'abc', ipam.vitistack.io/secret: own } }\n",
    );
  });

  test('into a Reservation', () => {
    const text = 'kind: Reservation\nspec:\n  secret: own\n  service: web\n';
    expect(withSignature(text, 'abc')).toBe(
      "kind: Reservation\nspec:\n  secret: own\n  signature: 'abc'\n  service: web\n",
    );
  });

  test('into a file that ends without a line break, or has those of Windows', () => {
    const text = 'kind: Reservation\nspec:\n  secret: own';
    expect(withSignature(text, 'abc')).toBe(`${text}\n  signature: 'abc'\n`);
    expect(withSignature(service.replaceAll('\n', '\r\n'), 'abc')).toBe(
      withSignature(service, 'abc').replaceAll('\n', '\r\n'),
    );
  });

  test('into keys in quotes, or written out', () => {
    const quoted = service.replace('ipam.vitistack.io/secret:', '"ipam.vitistack.io/secret":');
    const explicit = service.replace(`${key} `, '? ipam.vitistack.io/secret\n    : own');
    for (const text of [quoted, explicit]) {
      const signed = withSignature(text, 'abc');
      expect(parse(signed)).toEqual({
        ...parse(service),
        metadata: {
          name: 'web',
          annotations: {
            ...parse(service).metadata.annotations,
            'leasehold.dev/signature': 'abc',
          },
        },
      });
      for (const comment of ['# the shop', '# who owns it', '# in the safe', '# for how long']) {
        expect(signed).toContain(comment);
      }
    }
  });
});
