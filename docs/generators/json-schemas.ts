import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { additionsTo } from '../../src/core/interfaces/extension.ts';
import { partsOf } from '../../src/core/tree/parts.ts';
import { features } from '../../src/features.ts';
import { doctorChecks } from '../../src/lib/kubernetes/doctor-checks.ts';
import { schemas as core } from './core-schemas.ts';

/** The file `schemas.ts` of a feature. */
interface SchemasFile {
  readonly schemas: Readonly<Record<string, z.ZodType>>;
  /** The names of the schemas of its kinds of files in `leases/`, by kind. */
  readonly leaseFiles?: Readonly<Record<string, string>>;
}

/** The schemas of a feature: those of its file `schemas.ts`, if it has one. */
async function schemasOf(name: string): Promise<SchemasFile> {
  const file = fileURLToPath(new URL(`../../src/features/${name}/schemas`, import.meta.url));
  if (!['.ts', '.js'].some((extension) => existsSync(`${file}${extension}`)))
    return { schemas: {} };
  return import(`../../src/features/${name}/schemas.ts`);
}

const ofFeatures = await Promise.all(features.map(({ name }) => schemasOf(name)));
const schemas = [{ schemas: core }, ...ofFeatures].flatMap((some) =>
  Object.entries<z.ZodType>(some.schemas),
);

/** The codes that features add to those of core and of doctor, by what has them. */
const addedCodes = {
  problems: (await partsOf(features)).flatMap(({ codes = {} }) => Object.keys(codes)),
  findings: (await additionsTo(doctorChecks, features)).flatMap(({ codes }) => Object.keys(codes)),
};

/**
 * JSON Schemas (draft 2020-12) of declarations and of the output of leasehold: file name under
 * `docs/schemas/` to text. Editors use them for completion; leasehold checks more than they
 * express.
 */
export function jsonSchemas(): ReadonlyMap<string, string> {
  const texts = schemas.map(([name, schema]) => {
    const json = z.toJSONSchema(schema, {
      target: 'draft-2020-12',
      io: 'input',
      override: ({ jsonSchema }) => {
        const { codes, enum: own } = jsonSchema;
        if (codes !== 'problems' && codes !== 'findings') return;
        jsonSchema.enum = [...(own ?? []), ...addedCodes[codes]];
        delete jsonSchema.codes;
      },
    });
    return [name, textOf(json)] as const;
  });
  return new Map([...texts, ['leases.schema.json', textOf(anyFile)]]);
}

/** The schema of each kind of file in `leases/`. */
const fileKinds: Readonly<Record<string, string>> = {
  ...Object.assign({}, ...ofFeatures.map(({ leaseFiles }) => leaseFiles)),
  Allocation: 'allocation',
  DomainProof: 'domain-proof',
  Hostname: 'hostname',
  HostnameRecord: 'hostname-record',
  Key: 'key',
  Lease: 'lease',
  Policy: 'policy',
  Pools: 'pools',
  Promise: 'promise',
  Repository: 'repository',
  Reservation: 'reservation',
  Service: 'service',
};

/** Any file in `leases/`, by its kind. An SDL has none, and is not checked. */
const anyFile = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  description: 'A file in leases/ of leasehold.',
  type: 'object',
  properties: { kind: { enum: Object.keys(fileKinds).sort() } },
  allOf: Object.entries(fileKinds)
    .sort()
    .map(([kind, name]) => ({
      if: { properties: { kind: { const: kind } }, required: ['kind'] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { $ref: `${name}.schema.json` },
    })),
};

function textOf(schema: object): string {
  return `${JSON.stringify(schema, undefined, 2)}\n`;
}
