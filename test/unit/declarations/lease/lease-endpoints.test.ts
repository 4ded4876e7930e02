import { describe, expect, it } from 'vitest';
import { readLeaseFile } from '../../../../src/declarations/lease/lease-file.ts';
import { readPools } from '../../../../src/declarations/pools/pools-file.ts';
import type { Pools } from '../../../../src/model/pools.ts';
import type { Problem } from '../../../../src/model/problem.ts';
import { marked } from '../../text/mark.ts';

const owner = 'akash1h24fljt7p0nh82cq0za0uhsct3sfwsfu9w3c9h';
const provider = 'akash1nxq8gmsw2vlz3m68qvyvcf3kh6q269ajvqw6y0';
const file = 'leases/acme/web.yaml';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

function pools(): Pools {
  const outcome = readPools(
    'leases/pools.yaml',
    bytes(`apiVersion: leasehold.dev/v1
kind: Pools
provider: ${provider}
defaultZone: inet
pools:
  - {name: public, zone: inet, addresses: [203.0.113.0/28, "2001:db8::/64"]}
  - {name: inner, zone: lan, addresses: [10.0.0.0/28]}
`),
  );
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.problems));
  return outcome.value;
}

function problemsOf(text: string): readonly Problem[] {
  const outcome = readLeaseFile(file, bytes(text), pools());
  return outcome.ok ? [] : outcome.problems;
}

const textOf = ({ code, at }: Problem): string => `${code} ${at.line}:${at.column}`;

const id = `{owner: ${owner}, dseq: '8438017', gseq: 1, oseq: 1}`;
const lease = (spec: string): string =>
  `apiVersion: leasehold.dev/v1\nkind: Lease\nspec: ${spec}\n`;
const withEndpoint = (text: string): string =>
  lease(`{id: ${id}, endpoints: [{name: web, service: web, port: 80, ${text}}]}`);

describe('checkEndpoints', () => {
  it.each([
    ['▸port: 80', 'YAML_DUPLICATE_KEY'],
    ['externalPort: ▸0', 'FIELD_VALUE'],
    ['externalPort: ▸65536', 'FIELD_VALUE'],
    ['externalPort: ▸"80"', 'FIELD_TYPE'],
    ['externalPort: ▸080', 'FIELD_VALUE'],
    ['protocol: ▸SCTP', 'FIELD_VALUE'],
    ['zone: ▸moon', 'ZONE_UNKNOWN'],
    ['pool: ▸pubic', 'POOL_UNKNOWN'],
    ['zone: lan, pool: ▸public', 'FIELD_VALUE'],
    ['ipFamily: ▸both', 'FIELD_VALUE'],
    ['address: ▸203.0.113.7/32', 'ADDRESS_INVALID'],
    ['address: ▸203.0.113.07', 'ADDRESS_INVALID'],
    ['address: ▸"2001:db8::7"', 'FIELD_VALUE'],
    ['ipFamily: ipv6, address: ▸203.0.113.7', 'FIELD_VALUE'],
    ['retentionPeriodDays: ▸31', 'FIELD_VALUE'],
    ['retentionPeriodDays: ▸-1', 'FIELD_VALUE'],
    ['selector: ▸{}', 'FIELD_VALUE'],
    ['selector: ▸', 'FIELD_TYPE'],
    ['selector: {▸"a b": c}', 'FIELD_VALUE'],
    ['selector: {a: ▸"$ {b}"}', 'FIELD_VALUE'],
    ['selector: {a: ▸1}', 'FIELD_TYPE'],
    [`selector: {${'▸'}${'x'.repeat(64)}: a}`, 'FIELD_VALUE'],
    [`selector: {a: ▸${'x'.repeat(64)}}`, 'FIELD_VALUE'],
    ['▸sharingKey: mine', 'FIELD_UNKNOWN'],
  ])('refuses an endpoint with %s: %s', (markedText, code) => {
    const { text, place } = marked(withEndpoint(markedText));

    expect(problemsOf(text).map(textOf)).toEqual([`${code} ${place}`]);
  });

  it.each([
    ['name: ▸w, service: web, port: 1', 'FIELD_VALUE'],
    ['name: ▸1web, service: web, port: 1', 'FIELD_VALUE'],
    ['name: ▸Web, service: web, port: 1', 'FIELD_VALUE'],
    [`name: ▸${'w'.repeat(64)}, service: web, port: 1`, 'FIELD_VALUE'],
    ['name: web, service: ▸web-, port: 1', 'FIELD_VALUE'],
    ['name: web, service: ▸1web, port: 1', 'FIELD_VALUE'],
    [`name: web, service: ▸${'w'.repeat(64)}, port: 1`, 'FIELD_VALUE'],
    ['name: web, service: web, port: ▸0', 'FIELD_VALUE'],
  ])('refuses the endpoint %s: %s', (markedText, code) => {
    const { text, place } = marked(lease(`{id: ${id}, endpoints: [{${markedText}}]}`));

    expect(problemsOf(text).map(textOf)).toEqual([`${code} ${place}`]);
  });

  it.each(['my_ip', 'w1', 'a-', 'meyou2'])('takes the endpoint name %s', (name) => {
    const text = lease(`{id: ${id}, endpoints: [{name: ${name}, service: w, port: 65535}]}`);

    expect(problemsOf(text)).toEqual([]);
  });

  it('names both places of an endpoint that stands twice, and tells ports and protocols apart', () => {
    const endpoints = [
      'name: web, service: web, port: 80',
      'name: web, service: web, port: 8080',
      'name: web, service: web, port: 80, protocol: UDP',
      'name: web2, service: web, port: 80',
      'name: web, service: web, port: 9000, externalPort: 80, protocol: tcp',
    ];
    const text = lease(
      `\n  id: ${id}\n  endpoints:${endpoints.map((line) => `\n  - {${line}}`).join('')}`,
    );

    expect(problemsOf(text)).toMatchObject([
      { code: 'ENDPOINT_DUPLICATE', at: { line: 10, column: 5 }, also: [{ line: 6, column: 5 }] },
    ]);
  });
});
