import { readdirSync, readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { jsonSchemas } from '../../../docs/generators/json-schemas.ts';
import { readPools } from '../../../src/core/declarations/pools/pools-file.ts';
import type { List } from '../../../src/lib/list/list-answer.ts';

const owner = 'akash1h24fljt7p0nh82cq0za0uhsct3sfwsfu9w3c9h';
const folder = new URL('../../../docs/schemas/', import.meta.url);

const texts = jsonSchemas();
const ajv = new Ajv2020({ strict: false, formats: { date: true } });

function accepts(name: string, value: unknown): boolean {
  const known = ajv.getSchema(name);
  const validate = known ?? ajv.addSchema(schemaOf(name), name).getSchema(name);
  return validate?.(value) === true;
}

function schemaOf(name: string) {
  return JSON.parse(texts.get(`${name}.schema.json`) ?? '');
}

/** The names and types of all properties of a JSON Schema, at any depth. */
function propertiesIn(schema: unknown): readonly (readonly [name: string, type: unknown])[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties = {} } = schema as { readonly properties?: object };
  const own = Object.entries(properties).map(
    ([name, { type }]: [string, { type?: unknown }]) => [name, type] as const,
  );
  return [...own, ...Object.values(schema).flatMap(propertiesIn)];
}

describe('jsonSchemas', () => {
  it('has each count of addresses as decimal text, and counts of anything else as numbers', () => {
    const ofAddresses =
      /^(?:total|usable|held|retained|free|promisable|quota|step|count|reserved)$/;
    const others = /^(?:written|removed|commits|signed|passed|leftOut|refs|problemCount)$/;
    const other = ['verification.schema.json', 'inventory.schema.json'];
    const answers = [...texts].filter(([name]) => !other.includes(name));
    const counts = answers.flatMap(([file, text]) =>
      propertiesIn(JSON.parse(text))
        .filter(([, type]) => type === 'integer' || type === 'string')
        .map(([name, type]) => [file, name, type] as const),
    );
    const typesOf = (names: RegExp) => {
      const found = counts.filter(([, name]) => names.test(name));
      return [found.length > 7, [...new Set(found.map(([, , type]) => type))]];
    };
    expect(typesOf(ofAddresses)).toEqual([true, ['string']]);
    expect(typesOf(others)).toEqual([true, ['integer']]);
  });

  it('returns the files in docs/schemas/ (else run npm run docs)', () => {
    const names = readdirSync(folder).filter((name) => name.endsWith('.json'));

    expect(names.sort()).toEqual([...texts.keys()].sort());
    for (const [name, text] of texts) {
      expect(readFileSync(new URL(name, folder), 'utf8'), name).toBe(text);
    }
  });

  it.each([
    ['pools', 'pools: [{name: a, zone: z, addresses: [203.0.113.0/28]}]', true],
    ['pools', 'pools: [{name: a, zone: z, addresses: []}]', false],
    ['pools', 'pools: [{name: a, zone: z, addresses: [203.0.113.0/28], colour: red}]', false],
    ['pools', 'pools: [{name: $a, zone: z, addresses: [203.0.113.0/28]}]', false],
    [
      'lease',
      `spec: {id: {owner: ${owner}, dseq: "1", gseq: 1, oseq: 1}, sdl: a/b.sdl.yaml}`,
      true,
    ],
    [
      'lease',
      `spec: {id: {owner: ${owner}, dseq: 1, gseq: 1, oseq: 1}, sdl: ../b.sdl.yaml}`,
      false,
    ],
    ['lease', `spec: {id: {owner: ${owner}, dseq: 1, gseq: 1, oseq: 1}}`, false],
    ['lease', `spec: {id: {owner: ${owner}, dseq: 0, gseq: 1, oseq: 1}, sdl: b.sdl.yaml}`, false],
  ])('validates a %s file with %s: %s', (name, text, accepted) => {
    const kind = name === 'pools' ? 'Pools' : 'Lease';
    const value = { apiVersion: 'leasehold.dev/v1', kind, ...parse(text) };

    expect(accepts(name, value)).toBe(accepted);
  });

  it.each([
    ['kind: Lease\nspec: {}', false],
    ['kind: Pools\npools: []', false],
    ['kind: Pools\npools: [{name: a, zone: z, addresses: [203.0.113.0/28]}]', true],
    ['kind: Pod', false],
    ['version: "2.0"\nservices: {}', true],
  ])('validates a file in leases/ by its kind: %s', (text, accepted) => {
    const schemas = [...texts].map(([name, schema]) => ({ ...JSON.parse(schema), $id: name }));
    const ajv = new Ajv2020({ strict: false, formats: { date: true }, schemas });
    const value = { apiVersion: 'leasehold.dev/v1', ...parse(text) };
    expect(ajv.validate('leases.schema.json', value)).toBe(accepted);
  });

  it.each([
    ['{ kind: HTTPRoute, gateway: { namespace: a, name: b } }', true],
    ['{ kind: Ingress, className: nginx }', true],
    ['{ kind: Ingress, className: nginx, service: { namespace: a, name: b } }', true],
    ['{ kind: Ingress, className: nginx, controller: k8s.io/ingress-nginx }', true],
    [
      '{ kind: Ingress, className: nginx, controller: gateway.nginx.org/nginx-gateway-controller }',
      false,
    ],
    ['{ kind: Ingress, className: nginx, controller: example.com/other }', false],
    ['{ kind: HTTPRoute }', false],
    ['{ kind: Ingress }', false],
    ['{ kind: HTTPRoute, className: nginx }', false],
    ['{ kind: Ingress, gateway: { namespace: a, name: b } }', false],
    ['{ kind: HTTPRoute, gateway: { namespace: a, name: b }, className: nginx }', false],
    ['{ kind: Ingress, className: nginx, gateway: { namespace: a, name: b } }', false],
  ])('accepts the same routes as the reader of the pool file: %s', (routes, accepted) => {
    const text = `apiVersion: leasehold.dev/v1
kind: Pools
clusters: [{ name: default, routes: ${routes} }]
pools: [{ name: a, zone: z, addresses: [203.0.113.0/28] }]
`;
    expect(accepts('pools', parse(text))).toBe(accepted);
    expect(readPools('leases/pools.yaml', Buffer.from(text)).ok).toBe(accepted);
  });

  it('describes the fields of a pool', () => {
    const schema = schemaOf('pools');

    for (const [name, field] of Object.entries(schema.properties.pools.items.properties)) {
      expect(field, name).toHaveProperty('description');
    }
  });

  it('accepts a list', () => {
    const item = {
      holder: `default/akash/${owner}-ip-web`,
      cluster: 'default',
      pool: 'public',
      zone: 'inet',
      addresses: ['203.0.113.7', '2001:db8::7'],
      claims: [
        {
          lease: `${owner}/1/1/1/${owner}`,
          namespace: 'lease-ns',
          service: 'web',
          port: 80,
          externalPort: 80,
          protocol: 'TCP' as const,
          file: 'leases/web.yaml:9',
        },
      ],
    };
    const list: List = {
      apiVersion: 'leasehold.dev/v1',
      kind: 'List',
      day: '2026-01-01',
      items: [
        { ...item, since: '2025-12-01', state: 'held' },
        { ...item, since: '2025-12-01', state: 'released', freeFrom: '2026-01-01', claims: [] },
      ],
    };

    expect(accepts('list', list)).toBe(true);
    expect(accepts('list', { ...list, items: [{ ...item, state: 'gone' }] })).toBe(false);
  });
});
