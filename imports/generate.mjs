// Makes the files of this folder that are not written by hand, offline: `npm run import`.
//   crds/*.yaml        -> akash.network.ts, …                (cdk8s import, one call per API group)
//   crds/*.yaml, core  -> schemas.ts                        (a closed JSON schema per emitted kind)
// An argument names another folder to write to, as the test does that compares the two.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';

const here = fileURLToPath(new URL('.', import.meta.url));
const target = resolve(process.argv[2] ?? here);
const cdk8s = fileURLToPath(new URL('bin/cdk8s', import.meta.resolve('cdk8s-cli/package.json')));
const groups = ['akash.network', 'cilium.io', 'externaldns.k8s.io', 'metallb.io'];

/** Limits that OpenAPI writes as formats, as the keywords every JSON schema reader knows. */
const formats = {
  int32: { minimum: -(2 ** 31), maximum: 2 ** 31 - 1 },
  // Beyond the numbers of JavaScript: a field of this format has its own limits.
  int64: {},
  uint64: { pattern: '^(0|[1-9][0-9]{0,19})$' },
};

mkdirSync(target, { recursive: true });
for (const group of groups) importGroup(group);
writeFileSync(join(target, 'schemas.ts'), schemasModule([...crdKinds(), ...coreKinds()]));

/** cdk8s writes one file per API group, and keeps the last one only: a CRD file holds a whole group. */
function importGroup(group) {
  const crd = join(here, 'crds', `${group}.yaml`);
  const cwd = mkdtempSync(join(tmpdir(), 'leasehold-import-'));
  const options = ['--language', 'typescript', '--check-upgrade=false', '--save=false'];
  try {
    execFileSync(process.execPath, [cdk8s, 'import', crd, ...options, '--output', target], {
      cwd,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  } finally {
    rmSync(cwd, { recursive: true });
  }
}

function crdKinds() {
  return groups.flatMap((group) =>
    parseAllDocuments(readFileSync(join(here, 'crds', `${group}.yaml`), 'utf8'))
      .map((document) => document.toJS().spec)
      .map(({ names, scope, versions: [version] }) => ({
        apiVersion: `${group}/${version.name}`,
        kind: names.kind,
        scope,
        schema: version.schema.openAPIV3Schema,
      })),
  );
}

function coreKinds() {
  return core().kinds;
}

function core() {
  return JSON.parse(readFileSync(join(here, 'schemas', 'core.json'), 'utf8'));
}

/** The whole schema of a kind: its own fields, and the type and metadata that all kinds have. */
function schemaOf({ apiVersion, kind, scope, name, labels, annotations, schema, ofLease }) {
  const { metadata, namespace } = core();
  const namespaced = scope === 'Namespaced';
  const own = Object.entries({ name, labels, annotations }).filter(([, value]) => value);
  const properties = { ...metadata.properties, ...Object.fromEntries(own) };
  return closed({
    type: 'object',
    required: ['apiVersion', 'kind', 'metadata', ...(schema.required ?? [])],
    properties: {
      ...schema.properties,
      apiVersion: { const: apiVersion },
      kind: { const: kind },
      metadata: namespaced
        ? {
            ...metadata,
            required: [...metadata.required, 'namespace'],
            properties: { ...properties, namespace },
          }
        : { ...metadata, properties },
    },
    ...(ofLease ? ruleOfLease(ofLease) : {}),
  });
}

/** What is asked besides of an object with the Akash provider's label: a lease's, all of it our own. */
function ruleOfLease(spec) {
  const { labels, annotations } = core().metadata.properties;
  const open = { additionalProperties: true };
  const hasLabel = { type: 'object', required: ['akash.network'], ...open };
  const metadata = (properties) => ({ type: 'object', properties, ...open });
  return {
    if: { properties: { metadata: metadata({ labels: hasLabel }) }, ...open },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    then: { properties: { metadata: metadata({ labels, annotations }), spec }, ...open },
  };
}

/**
 * A copy in which every object with named properties has no others, unless it says what those are, without
 * prose and formats.
 */
function closed(schema) {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { description: _, format, ...rest } = schema;
  const copy = Object.entries(rest).map(([key, value]) => [
    key,
    key === 'properties' ? mapValues(value, closed) : closed(value),
  ]);
  return {
    ...(format === undefined ? {} : limits(format)),
    ...Object.fromEntries(copy),
    ...(rest.properties && !('additionalProperties' in rest)
      ? { additionalProperties: false }
      : {}),
  };
}

function limits(format) {
  if (!(format in formats)) throw new Error(`format '${format}' has no limits in generate.mjs`);
  return formats[format];
}

function mapValues(object, change) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
}

function schemasModule(kinds) {
  const byKind = Object.fromEntries(
    kinds.map((entry) => [`${entry.apiVersion}/${entry.kind}`, schemaOf(entry)]),
  );
  return [
    '// Generated by imports/generate.mjs from imports/crds/ and imports/schemas/. Do not edit.',
    '',
    '/** A closed JSON schema for every kind that leasehold emits, by `<apiVersion>/<kind>`. */',
    `export const schemas: Readonly<Record<string, object>> = ${JSON.stringify(byKind, null, 2)};`,
    '',
  ].join('\n');
}
