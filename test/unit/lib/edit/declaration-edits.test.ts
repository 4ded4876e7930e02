import { describe, expect, it, test } from 'vitest';
import { parse } from 'yaml';
import { readLeaseFile } from '../../../../src/core/declarations/lease/lease-file.ts';
import { type Address, parseAddress } from '../../../../src/core/net/address.ts';
import {
  newLeaseText,
  type WrittenClaim,
  withEndpoint,
  withoutEndpointList,
  withoutEndpoints,
  withoutHostnames,
  withReservationFields,
  withSignature,
} from '../../../../src/lib/edit/declaration-edits.ts';
import { alice, thePools } from '../../../support/declarations/pools-and-claims.ts';

const claim: WrittenClaim = { name: 'shop', service: 'web', port: 8000, externalPort: 80 };

const block = `# A shop.
apiVersion: leasehold.dev/v1
kind: Lease
spec:
  id:   { owner: ${alice}, dseq: "12345", gseq: 1, oseq: 1 }
  endpoints: # what it serves
    # the site
    - { name: shop, service: web, port: 8000, externalPort: 80 }  # since May

    # the mail
    -
      name: mail
      service: smtp
      port: 25 # plain
    # the end
`;

function endpointsOf(text: string): readonly string[] {
  const read = readLeaseFile('leases/a.yaml', new TextEncoder().encode(text), thePools());
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  if (!('endpoints' in read.value)) throw new Error('an SDL');
  return read.value.endpoints.map(({ name, service, externalPort, protocol }) =>
    [name, service, externalPort, protocol].join(' '),
  );
}

describe('newLeaseText', () => {
  it('reads back as the lease', () => {
    const id = { owner: alice, dseq: '18446744073709551615', gseq: 1, oseq: 2 };
    const text = newLeaseText(id, {
      claims: [{ ...claim, selector: { app: 'true' } }],
      hosts: [],
    });
    expect(text).toBe(`apiVersion: leasehold.dev/v1
kind: Lease
spec:
  id:
    owner: ${alice}
    dseq: '18446744073709551615'
    gseq: 1
    oseq: 2
  endpoints:
    - { name: shop, service: web, port: 8000, externalPort: 80, selector: { app: 'true' } }
`);
    expect(endpointsOf(text)).toEqual(['shop web 80 TCP']);
  });

  it('quotes a name that YAML would not read as text', () => {
    const id = { owner: alice, dseq: '1', gseq: 1, oseq: 1, cluster: 'default' };
    const text = newLeaseText(id, {
      claims: [{ name: 'null', service: 'true', port: 1, address: '2001:db8::1' }],
      hosts: [],
    });
    expect(text).toContain("{ name: 'null', service: 'true', port: 1, address: 2001:db8::1 }");
    expect(text).toContain('\n  cluster: default\n');
  });
});

describe('withEndpoint', () => {
  it('appends the endpoint and preserves every other byte', () => {
    const text = withEndpoint(block, { name: 'dns', service: 'bind', port: 53, protocol: 'UDP' });
    expect(text).toBe(
      block.replace(
        '# plain\n',
        '# plain\n    - { name: dns, service: bind, port: 53, protocol: UDP }\n',
      ),
    );
    expect(endpointsOf(text)).toEqual(['shop web 80 TCP', 'mail smtp 25 TCP', 'dns bind 53 UDP']);
  });

  it('handles a text without a final line break', () => {
    const text = block.slice(0, block.indexOf(' # plain'));
    expect(endpointsOf(withEndpoint(text, { ...claim, externalPort: 81 }))).toHaveLength(3);
  });

  it('keeps the line endings of the file', () => {
    const text = withEndpoint(block.replaceAll('\n', '\r\n'), { ...claim, externalPort: 81 });
    expect(text.match(/(?<!\r)\n/)).toBeNull();
    expect(endpointsOf(text)).toHaveLength(3);
  });

  it('extends a list in brackets', () => {
    const text = `apiVersion: leasehold.dev/v1
kind: Lease
spec: { id: { owner: ${alice}, dseq: '1', gseq: 1, oseq: 1 }, endpoints: [{name: shop, service: web, port: 80}] } # all
`;
    const more = withEndpoint(text, { ...claim, externalPort: 81 });
    expect(endpointsOf(more)).toEqual(['shop web 80 TCP', 'shop web 81 TCP']);
    expect(more).toContain('[{name: shop, service: web, port: 80}, { name: shop,');
    expect(more.endsWith('] } # all\n')).toBe(true);
    expect(endpointsOf(withoutEndpoints(more, new Set([0])) ?? '')).toEqual(['shop web 81 TCP']);
  });
});

describe('withoutEndpoints', () => {
  it('removes the lines of the endpoint and preserves every other byte', () => {
    const first = withoutEndpoints(block, new Set([0])) ?? '';
    expect(first).toBe(block.replace(/ {4}- \{ name: shop.*\n/, ''));
    expect(endpointsOf(first)).toEqual(['mail smtp 25 TCP']);
    const second = withoutEndpoints(block, new Set([1])) ?? '';
    expect(second).toBe(block.replace(/ {4}-\n(?: {6}.*\n){3}/, ''));
    expect(endpointsOf(second)).toEqual(['shop web 80 TCP']);
  });

  it('returns undefined when no endpoint remains', () => {
    expect(withoutEndpoints(block, new Set([0, 1]))).toBeUndefined();
  });

  it('is the inverse of withEndpoint', () => {
    const more = withEndpoint(block, { ...claim, externalPort: 81 });
    expect(withoutEndpoints(more, new Set([2]))).toBe(block);
  });
});

describe('withoutHostnames', () => {
  const hosts = `apiVersion: leasehold.dev/v1
kind: Lease
spec:
  id: { owner: ${alice}, dseq: '1', gseq: 1, oseq: 1 }
  # where the shop is
  hosts:
    # the shop
    - service: web
      accept:
        - a.example.com # the first
        - b.example.com
    - { service: api, accept: [c.example.com, d.example.com] } # the interface
`;
  it.each([
    [['a.example.com'], [['b.example.com'], ['c.example.com', 'd.example.com']]],
    [['d.example.com'], [['a.example.com', 'b.example.com'], ['c.example.com']]],
    [['a.example.com', 'b.example.com'], [['c.example.com', 'd.example.com']]],
    [['b.example.com', 'c.example.com', 'd.example.com'], [['a.example.com']]],
  ])('removes %j and leaves the others', (gone, left) => {
    const text = withoutHostnames(hosts, new Set(gone));
    expect(parse(text).spec.hosts.map(({ accept }: { accept: string[] }) => accept)).toEqual(left);
    expect(text).toContain('  # where the shop is\n  hosts:\n');
  });

  it('removes the list with the last one', () => {
    const names = ['a', 'b', 'c', 'd'].map((name) => `${name}.example.com`);
    expect(parse(withoutHostnames(hosts, new Set(names))).spec).toEqual({
      id: { owner: alice, dseq: '1', gseq: 1, oseq: 1 },
    });
  });

  it('preserves every other byte', () => {
    expect(withoutHostnames(hosts, new Set(['b.example.com']))).toBe(
      hosts.replace(/ +- b.*\n/, ''),
    );
    expect(withoutHostnames(hosts, new Set(['d.example.com']))).toBe(
      hosts.replace(', d.example.com', ''),
    );
  });
});

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

/** The part that a text has in addition to another one. */
function added(from: string, into: string): string {
  let start = 0;
  while (from[start] === into[start] && start < from.length) start += 1;
  let end = 0;
  while (end < from.length - start && from.at(-1 - end) === into.at(-1 - end)) end += 1;
  expect(from.length - start - end).toBe(0);
  return into.slice(start, into.length - end);
}

describe('withReservationFields', () => {
  const reservation = `kind: Reservation
spec:
  service: web # of the shop
  ipFamily: ipv6
  addresses: ['2001:db8::7']
  retentionDays: 2 # enough
`;
  const four = parseAddress('203.0.113.7') as Address;
  const six = parseAddress('2001:db8::7') as Address;

  test('changes the fields that are given, and adds those that are missing', () => {
    const fields = { ipFamily: 'dual', addresses: [four, six], denyExternalCleanup: true } as const;
    expect(withReservationFields(reservation, fields)).toBe(`kind: Reservation
spec:
  service: web # of the shop
  ipFamily: dual
  addresses: [203.0.113.7, '2001:db8::7']
  retentionDays: 2 # enough
  denyExternalCleanup: true
`);
  });

  test('removes the addresses when none is left', () => {
    const text = withReservationFields(reservation, { addresses: [], retentionDays: 9 });
    expect(text).toBe(
      reservation.replace("  addresses: ['2001:db8::7']\n", '').replace('Days: 2', 'Days: 9'),
    );
    expect(withReservationFields(text, { addresses: [] })).toBe(text);
  });
});

describe('withSignature writes', () => {
  test('a line after the key', () => {
    const text = withSignature(service, 'abc');
    expect(text).toContain(`${key}   # in the safe\n    leasehold.dev/signature: 'abc'\n    # for`);
    expect(added(service, text)).toHaveLength("    leasehold.dev/signature: 'abc'\n".length);
  });

  test('over an existing signature', () => {
    const once = withSignature(service, 'abc');
    expect(withSignature(once, 'defg')).toBe(once.replace("'abc'", "'defg'"));
  });

  test.each([
    ['plain', 'abc # old', "'new' # old"],
    ['double', '"abc"', "'new'"],
    ['a block', '>-\n      abc\n      def', "'new'"],
    ['empty', '""', "'new'"],
  ])('in place of one that is %s', (_, old, now) => {
    const line = (value: string) =>
      service.replace(safe, `${safe}\n    leasehold.dev/signature: ${value}`);
    expect(withSignature(line(old), 'new')).toBe(line(now));
  });

  test('annotations in braces', () => {
    const text =
      'kind: Service\nmetadata: { annotations: { a: b, ipam.vitistack.io/secret: own } }\n';
    expect(withSignature(text, 'abc')).toBe(
      "kind: Service\nmetadata: { annotations: { a: b, leasehold.dev/signature: 'abc', ipam.vitistack.io/secret: own } }\n",
    );
  });

  test('the field of a Reservation', () => {
    const text = 'kind: Reservation\nspec:\n  secret: own\n  service: web\n';
    expect(withSignature(text, 'abc')).toBe(
      "kind: Reservation\nspec:\n  secret: own\n  signature: 'abc'\n  service: web\n",
    );
  });

  test('a file without a final line break, or with CRLF', () => {
    const text = 'kind: Reservation\nspec:\n  secret: own';
    expect(withSignature(text, 'abc')).toBe(`${text}\n  signature: 'abc'\n`);
    expect(withSignature(service.replaceAll('\n', '\r\n'), 'abc')).toBe(
      withSignature(service, 'abc').replaceAll('\n', '\r\n'),
    );
  });

  test('keys in quotes and in explicit form', () => {
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

describe('a lease with hostnames', () => {
  const routed = thePools({
    cluster: {
      routes: { kind: 'Ingress', className: 'nginx', controller: undefined, service: undefined },
    },
  });
  const withHosts = (text: string): string =>
    text.replace(
      '  endpoints:',
      '  hosts: [{ service: web, accept: [a.example.com] }]\n  endpoints:',
    );
  const read = (text: string) =>
    readLeaseFile('leases/a.yaml', new TextEncoder().encode(text), routed);

  it.each([
    ['with comments', block],
    [
      'as declare writes it',
      newLeaseText({ owner: alice, dseq: '1', gseq: 1, oseq: 1 }, { claims: [claim], hosts: [] }),
    ],
  ])('loses its endpoints and gets another one, %s', (_, text) => {
    const without = withoutEndpointList(withHosts(text));
    expect(read(without)).toMatchObject({ ok: true, value: { endpoints: [], hosts: [{}] } });
    expect(read(withEndpoint(without, claim))).toMatchObject({
      ok: true,
      value: { endpoints: [{ name: 'shop', externalPort: 80 }], hosts: [{}] },
    });
  });
});
