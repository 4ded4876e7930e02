import { expect, test } from 'vitest';
import { remadeTwoLeases } from '../../support/repositories/cached-repository.ts';
import { serving } from '../../support/serve/server.ts';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description?: string;
  readonly required?: boolean;
  readonly schema: object;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters: readonly Parameter[];
  readonly responses: Readonly<Record<string, { readonly description: string }>>;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
}

interface Document {
  readonly info: { readonly license: { readonly name: string; readonly identifier?: string } };
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, unknown>>;
    readonly securitySchemes: Readonly<Record<string, unknown>>;
  };
}

async function document(): Promise<Document> {
  const { json } = await serving((await remadeTwoLeases()).root);
  return (await json('/api/v1/openapi.json')) as Document;
}

/** Every operation with its path and method. */
function operationsOf({ paths }: Document) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
}

// The rules below have the names that they have in the ruleset `recommended` of Redocly CLI 2.

test('no-empty-servers, no-server-trailing-slash, no-server-example.com, info-license, info-license-strict', async () => {
  const { servers, info } = await document();
  expect(servers.map(({ url }) => url)).toEqual(['/']);
  expect(info.license).toEqual({ name: 'Apache-2.0', identifier: 'Apache-2.0' });
});

test('operation-operationId, operation-operationId-unique, operation-operationId-url-safe, operation-summary', async () => {
  const operations = operationsOf(await document());
  const ids = operations.map(({ operation }) => operation.operationId);
  expect(operations.length).toBeGreaterThan(20);
  for (const id of ids) expect(id).toMatch(/^[a-z][A-Za-z]+$/);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { operation } of operations) expect(operation.summary).not.toBe('');
});

test('operation-2xx-response, operation-4xx-response', async () => {
  for (const { path, operation } of operationsOf(await document())) {
    const statuses = Object.keys(operation.responses);
    expect([path, statuses.some((status) => /^2\d\d$/.test(status))]).toEqual([path, true]);
    expect([path, statuses.some((status) => /^4\d\d$/.test(status))]).toEqual([path, true]);
    for (const { description } of Object.values(operation.responses)) {
      expect(description).not.toBe('');
    }
  }
});

test('security-defined', async () => {
  const described = await document();
  const schemes = Object.keys(described.components.securitySchemes);
  const open: string[] = [];
  for (const { path, operation } of operationsOf(described)) {
    const names = operation.security.flatMap((requirement) => Object.keys(requirement));
    expect(schemes).toEqual(expect.arrayContaining(names));
    if (names.length === 0) open.push(path);
  }
  expect(open.sort()).toEqual(['/', '/health', '/ready']);
});

test('path-parameters-defined, operation-parameters-unique, path-not-include-query, no-path-trailing-slash', async () => {
  for (const { path, operation } of operationsOf(await document())) {
    const named = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name);
    const given = operation.parameters.filter((parameter) => parameter.in === 'path');
    expect(given.map(({ name }) => name)).toEqual(named);
    expect(given.every(({ required }) => required === true)).toBe(true);
    const keys = operation.parameters.map((parameter) => `${parameter.in} ${parameter.name}`);
    expect(new Set(keys).size).toBe(keys.length);
    expect(path).toMatch(/^\/$|^\/[^?]*[^/?]$/);
  }
});

test('no-identical-paths, no-ambiguous-paths', async () => {
  const paths = operationsOf(await document()).map(({ path }) => path.split('/'));
  const isOneRequest = (left: readonly string[], right: readonly string[]) =>
    left.length === right.length &&
    left.every((part, index) => {
      const other = right[index] ?? '';
      return part === other || part.startsWith('{') || other.startsWith('{');
    });
  const pairs = paths.flatMap((left, index) =>
    paths.slice(index + 1).filter((right) => isOneRequest(left, right)),
  );
  expect(pairs).toEqual([]);
});

test('no-unresolved-refs, no-unused-components, no-invalid-schema-examples', async () => {
  const described = await document();
  const text = JSON.stringify(described);
  const used = [...text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(
    ([, name]) => name,
  );
  expect([...new Set(used)].sort()).toEqual(Object.keys(described.components.schemas).sort());
  expect(text).not.toMatch(/"example/);
});

test('the lists have a limit, a cursor and the header Link', async () => {
  const paged = operationsOf(await document()).filter(({ operation }) =>
    operation.parameters.some(({ name }) => name === 'cursor'),
  );
  expect(paged.map(({ path }) => path).sort()).toEqual([
    '/api/v1/addresses',
    '/api/v1/addresses/{address}/history',
    '/api/v1/hostnames',
    '/api/v1/hostnames/{hostname}/history',
    '/api/v1/leases',
    '/api/v1/owners',
    '/api/v1/pools',
    '/api/v1/who/{name}',
  ]);
  for (const { operation } of paged) {
    expect(operation.parameters).toContainEqual(
      expect.objectContaining({
        name: 'limit',
        schema: { type: 'integer', minimum: 1, maximum: 1000, default: 500 },
      }),
    );
    expect(operation.responses[200]).toHaveProperty('headers.Link');
    expect(operation.responses).toHaveProperty('410');
  }
});
