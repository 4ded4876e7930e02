import { bech32 } from '@scure/base';
import { describe, expect, it } from 'vitest';
import { readLeaseFile } from '../../../../../src/core/declarations/lease/lease-file.ts';
import { readPools } from '../../../../../src/core/declarations/pools/pools-file.ts';
import type { Pools } from '../../../../../src/core/model/pools.ts';
import type { Problem } from '../../../../../src/core/model/problem.ts';
import { poolsText } from '../../../../support/declarations/pools-text.ts';
import { cpuSeconds } from '../../../../support/run/cpu-seconds.ts';
import { marked } from '../../text/mark.ts';

const owner = 'akash1h24fljt7p0nh82cq0za0uhsct3sfwsfu9w3c9h';
const provider = 'akash1nxq8gmsw2vlz3m68qvyvcf3kh6q269ajvqw6y0';
const other = 'akash1hwmenz63dp59uve5ytea09suwgr47y3rn9902y';
const module32 = bech32.encode('akash', bech32.toWords(new Uint8Array(32).fill(7)));
const file = 'leases/acme/web.yaml';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

function pools(extra = `provider: ${provider}\n`): Pools {
  const outcome = readPools(
    'leases/pools.yaml',
    bytes(
      poolsText(`${extra}defaultZone: inet
pools:
  - {name: public, zone: inet, addresses: [203.0.113.0/28, "2001:db8::/64"]}
  - {name: inner, zone: lan, addresses: [10.0.0.0/28]}
`),
    ),
  );
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.problems));
  return outcome.value;
}

const read = (text: string, known: Pools | undefined = pools()) =>
  readLeaseFile(file, bytes(text), known);

function problemsOf(text: string, known?: Pools): readonly Problem[] {
  const outcome = read(text, known);
  return outcome.ok ? [] : outcome.problems;
}

const textOf = ({ code, at }: Problem): string => `${code} ${at.line}:${at.column}`;

const id = `{owner: ${owner}, dseq: '8438017', gseq: 1, oseq: 1}`;
const lease = (spec: string): string =>
  `apiVersion: leasehold.dev/v1\nkind: Lease\nspec: ${spec}\n`;
const withId = (text: string): string =>
  lease(`{id: ${text}, endpoints: [{name: web, service: web, port: 80}]}`);
const withEndpoint = (text: string): string =>
  lease(`{id: ${id}, endpoints: [{name: web, service: web, port: 80, ${text}}]}`);

describe('readLeaseFile', () => {
  it('fills in every default', () => {
    expect(read(withId(id))).toEqual({
      ok: true,
      value: {
        id: { owner, dseq: '8438017', gseq: 1, oseq: 1, provider },
        cluster: 'default',
        at: { file, line: 3, column: 12 },
        endpoints: [
          {
            name: 'web',
            service: 'web',
            port: 80,
            externalPort: 80,
            protocol: 'TCP',
            zone: undefined,
            pool: undefined,
            ipFamily: 'ipv4',
            address: undefined,
            dns: [],
            retentionDays: 0,
            selector: undefined,
            at: { file, line: 3, column: 114 },
          },
        ],
        hosts: [],
      },
    });
  });

  it('reads every field of an endpoint', () => {
    const text = withEndpoint(
      'externalPort: 443, protocol: udp, zone: inet, pool: public, ipFamily: dual, address: "2001:DB8:0::7", retentionDays: 30, dns: [shop.example.com], selector: {app.kubernetes.io/name: web, tier: ""}',
    );

    expect(read(text)).toMatchObject({
      ok: true,
      value: {
        endpoints: [
          {
            externalPort: 443,
            protocol: 'UDP',
            zone: 'inet',
            pool: 'public',
            ipFamily: 'dual',
            address: { family: 'ipv6', value: 0x20010db8000000000000000000000007n },
            retentionDays: 30,
            dns: [{ name: 'shop.example.com' }],
            selector: { 'app.kubernetes.io/name': 'web', tier: '' },
          },
        ],
      },
    });
  });

  it('returns the path of the SDL from the repository root', () => {
    const outcome = read(lease(`{id: ${id}, cluster: default, sdl: deploy/web.sdl.yaml}`));

    expect(outcome).toEqual({
      ok: true,
      value: {
        id: { owner, dseq: '8438017', gseq: 1, oseq: 1, provider },
        cluster: 'default',
        at: { file, line: 3, column: 12 },
        isRouted: false,
        sdl: { path: 'leases/acme/deploy/web.sdl.yaml', at: { file, line: 3, column: 125 } },
      },
    });
  });

  it.each([
    ['"18446744073709551615"', '18446744073709551615'],
    ['8438017', '8438017'],
    ['9007199254740992', '9007199254740992'],
    ['"1"', '1'],
  ])('accepts the dseq %s', (written, dseq) => {
    const text = withId(`{owner: ${owner}, dseq: ${written}, gseq: 1, oseq: 4294967295}`);

    expect(read(text)).toMatchObject({ ok: true, value: { id: { dseq, oseq: 4294967295 } } });
  });

  it.each([
    ['0'],
    ['-1'],
    ['1.5'],
    ['"0123"'],
    ['0123'],
    ['0x10'],
    ['0o17'],
    ['1e3'],
    ['+1'],
    ['8438017.0'],
    ['9007199254740993'],
    ['12345678901234567890'],
    ['"18446744073709551616"'],
    ['"8 438"'],
    ['""'],
    ['1e30'],
    ['"٣"'],
  ])('refuses the dseq %s', (written) => {
    const { text, place } = marked(
      withId(`{owner: ${owner}, dseq: ▸${written}, gseq: 1, oseq: 1}`),
    );

    expect(problemsOf(text).map(textOf)).toEqual([`DSEQ_INVALID ${place}`]);
  });

  it.each([
    [`{owner: ${owner}, dseq: ▸true, gseq: 1, oseq: 1}`, 'FIELD_TYPE'],
    [`{owner: ${owner}, dseq: 1, gseq: ▸0, oseq: 1}`, 'DSEQ_INVALID'],
    [`{owner: ${owner}, dseq: 1, gseq: ▸01, oseq: 1}`, 'DSEQ_INVALID'],
    [`{owner: ${owner}, dseq: 1, gseq: 1, oseq: ▸4294967296}`, 'DSEQ_INVALID'],
    [`{owner: ${owner}, dseq: 1, gseq: 1, oseq: ▸"1"}`, 'FIELD_TYPE'],
    ['{owner: ▸acme, dseq: 1, gseq: 1, oseq: 1}', 'OWNER_INVALID'],
    [`{owner: ▸cosmos${owner.slice(5)}, dseq: 1, gseq: 1, oseq: 1}`, 'OWNER_INVALID'],
    [`{owner: ▸${module32}, dseq: 1, gseq: 1, oseq: 1}`, 'NAME_TOO_LONG'],
    [`{owner: ${owner}, dseq: 1, gseq: 1, oseq: 1, provider: ▸${other}}`, 'FIELD_VALUE'],
    [`{owner: ${owner}, dseq: 1, gseq: 1, oseq: 1, ▸bseq: 1}`, 'FIELD_UNKNOWN'],
  ])('refuses the id %s: %s', (markedId, code) => {
    const { text, place } = marked(withId(markedId));

    expect(problemsOf(text).map(textOf)).toEqual([`${code} ${place}`]);
  });

  it.each([
    [`${owner.slice(0, -1)}a`, /^the checksum of 'akash1.* does not match: a letter .* is wrong$/],
    [owner.slice(0, -1), /has 43 characters, expected 44$/],
    [`${owner}q`, /has 45 characters, expected 44$/],
    [`${owner.slice(0, -1)}b`, /is not a bech32 address akash1…$/],
    ['akash1abc', /is not a bech32 address akash1…$/],
  ])('explains the fault of the owner %s', (written, message) => {
    const [problem] = problemsOf(withId(`{owner: ${written}, dseq: 1, gseq: 1, oseq: 1}`));

    expect(problem).toMatchObject({
      code: 'OWNER_INVALID',
      message: expect.stringMatching(message),
    });
  });

  it.each([
    ['▸/web.sdl.yaml'],
    ['▸../web.sdl.yaml'],
    ['▸a/../web.sdl.yaml'],
    ['▸./web.sdl.yaml'],
    ['▸a//web.sdl.yaml'],
    ['▸web.yaml'],
    ['▸web.sdl.yml'],
    ['▸.sdl.yaml'],
    ['▸"a\\\\b.sdl.yaml"'],
    ['▸"a b.sdl.yaml"'],
  ])('refuses the SDL path %s', (markedPath) => {
    const { text, place } = marked(lease(`{id: ${id}, sdl: ${markedPath}}`));

    expect(problemsOf(text).map(textOf)).toEqual([`FIELD_VALUE ${place}`]);
  });

  it('shows a missing part of the id at its key', () => {
    const text = withId(`{owner: ${owner}, dseq: 1, gseq: 1}`);
    expect(problemsOf(text).map(textOf)).toEqual(['FIELD_MISSING 3:8']);
  });

  it('requires either endpoints or an SDL', () => {
    expect(problemsOf(lease(`{id: ${id}}`)).map(textOf)).toEqual(['FIELD_MISSING 3:7']);
    const both = marked(
      lease(`{id: ${id}, endpoints: [{name: web, service: w, port: 1}], sdl: ▸a.sdl.yaml}`),
    );
    expect(problemsOf(both.text).map(textOf)).toEqual([`FIELD_VALUE ${both.place}`]);
    expect(problemsOf(lease(`{id: ${id}, endpoints: []}`)).map(textOf)).toEqual([
      'FIELD_VALUE 3:113',
    ]);
  });

  it('requires a provider in the lease or the pool file', () => {
    const own = withId(`{owner: ${owner}, dseq: 1, gseq: 1, oseq: 1, provider: ${other}}`);

    expect(problemsOf(withId(id), pools('')).map(textOf)).toEqual(['PROVIDER_MISSING 3:12']);
    expect(read(own, pools(''))).toMatchObject({ ok: true, value: { id: { provider: other } } });
    expect(problemsOf(own).map(({ code }) => code)).toEqual(['FIELD_VALUE']);
  });

  it('refuses a cluster that is not declared', () => {
    expect(problemsOf(lease(`{id: ${id}, cluster: defualt, sdl: a.sdl.yaml}`))).toMatchObject([
      { code: 'CLUSTER_UNKNOWN', hint: "did you mean 'default'?" },
    ]);
  });

  it('checks what it can without the pools, and then returns no lease', () => {
    expect(readLeaseFile(file, bytes(withEndpoint('zone: moon')), undefined)).toEqual({
      ok: true,
      value: undefined,
    });
    const text = withEndpoint('zone: moon, address: "2001:db8::7"');
    expect(readLeaseFile(file, bytes(text), undefined)).toMatchObject({
      ok: false,
      problems: [{ code: 'FIELD_VALUE' }],
    });
  });

  it.each([
    [`bogus: [${Array.from({ length: 9000 }, () => '0x1').join(', ')}]\n`, 9002],
    [Array.from({ length: 9000 }, (_, index) => `key${index}: 0x1\n`).join(''), 18_001],
    [`spec: {endpoints: [${'{name: 0x1, port: 0x0, externalPort: 00}, '.repeat(900)}]}\n`, 3601],
  ])('reports all problems of a hostile file quickly', (text, count) => {
    const [seconds, problems] = cpuSeconds(() =>
      problemsOf(`apiVersion: leasehold.dev/v1\nkind: Lease\n${text}`),
    );

    expect(problems).toHaveLength(count);
    expect(seconds).toBeLessThan(5);
  });

  it('handles a field with the name of an object property', () => {
    const text = `${withEndpoint('protocol: TCP')}constructor: 0x10\n`;

    expect(problemsOf(text).map(textOf)).toEqual(['FIELD_UNKNOWN 4:1', 'FIELD_VALUE 4:14']);
  });

  it.each([
    ['apiVersion: leasehold.dev/v1\nkind: ▸Reservation\n', 'KIND_UNKNOWN'],
    ['apiVersion: leasehold.dev/v1\nkind: ▸Leese\n', 'KIND_UNKNOWN'],
    ['apiVersion: ▸v1\nkind: ConfigMap\n', 'KIND_UNKNOWN'],
    ['apiVersion: ▸leasehold.dev/v2\nkind: Lease\n', 'KIND_UNKNOWN'],
  ])('refuses %j: %s', (markedText, code) => {
    const { text, place } = marked(`${markedText}metadata: {name: x}\n`);

    expect(problemsOf(text).map(textOf)).toEqual([`${code} ${place}`]);
  });
});

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
    ['dns: ▸shop.example.com', 'FIELD_TYPE'],
    ['dns: [shop.example.com, ▸Shop.example.com]', 'DNS_INVALID'],
    ['dns: [▸a_b.example.com]', 'DNS_INVALID'],
    ['retentionDays: ▸31', 'FIELD_VALUE'],
    ['retentionDays: ▸-1', 'FIELD_VALUE'],
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

  it.each(['my_ip', 'w1', 'a-', 'meyou2'])('accepts the endpoint name %s', (name) => {
    const text = lease(`{id: ${id}, endpoints: [{name: ${name}, service: w, port: 65535}]}`);

    expect(problemsOf(text)).toEqual([]);
  });

  it('reports both places of a duplicate endpoint, and distinguishes ports and protocols', () => {
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
