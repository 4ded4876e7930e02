// @module-tag counted

import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { jsonSchemas } from '../../docs/generators/json-schemas.ts';
import type { Manifest } from '../../src/core/manifests/manifest.ts';
import {
  declaredServiceManifest,
  unleasedServiceManifest,
} from '../../src/core/manifests/objects/declared-service.ts';
import { checkManifest } from '../../src/core/manifests/rules/schema-check.ts';
import { yamlText } from '../../src/core/manifests/yaml-text.ts';
import type { Cluster } from '../../src/core/model/pools.ts';
import type { DeclaredService } from '../../src/core/model/service.ts';
import { anAddress, thePools } from '../support/declarations/pools-and-claims.ts';
import { readText, somePools } from '../support/declarations/read-declaration.ts';
import { anyServiceObject } from '../support/declarations/service-arbitrary.ts';
import { runs } from '../support/run/scope.ts';

const [cluster] = thePools().clusters as readonly [Cluster];
const addresses = [anAddress('203.0.113.7'), anAddress('2001:db8::7')];
const claim = { holder: 'default/service/a/b', sharingKey: 'leasehold-a' };

/** What is read of an object as YAML, which JSON is; undefined when it is refused. */
function read(object: unknown): DeclaredService | undefined {
  const outcome = readText(JSON.stringify(object), somePools);
  if (outcome.ok) return outcome.value as DeclaredService;
  expect(outcome.problems).not.toEqual([]);
  return undefined;
}

function manifestOf(declared: DeclaredService): Manifest {
  return declared.isLeased
    ? declaredServiceManifest(cluster, claim, declared, { addresses, pool: { name: 'default' } })
    : unleasedServiceManifest(declared);
}

describe('a Service that is taken', () => {
  it('comes out as the closed schema has it, and as it is written', () => {
    let taken = 0;
    fc.assert(
      fc.property(anyServiceObject, (object) => {
        const declared = read(object);
        if (!declared) return;
        taken += 1;
        const manifest = manifestOf(declared);

        checkManifest(manifest);
        expect(parse(yamlText([manifest]))).toEqual(manifest);
      }),
      { seed: 11, numRuns: runs(1000) },
    );
    // Else the arbitrary has gone stale, and nothing is shown.
    expect(taken).toBeGreaterThan(runs(200));
  });

  it('comes out with every field that its author wrote, but for pins and families', () => {
    fc.assert(
      fc.property(anyServiceObject, (object) => {
        const declared = read(object);
        if (!declared) return;
        const wrote = JSON.parse(JSON.stringify(object));
        const { spec, metadata } = manifestOf(declared) as unknown as typeof wrote;
        const { loadBalancerIP, ipFamilies, ipFamilyPolicy, ports, ...others } = wrote.spec;

        expect(spec).toMatchObject(others);
        for (const [index, port] of ports.entries()) expect(spec.ports[index]).toMatchObject(port);
        expect(metadata.labels).toMatchObject(wrote.metadata.labels ?? {});
        expect(metadata.annotations).toMatchObject(
          Object.fromEntries(
            Object.entries(wrote.metadata.annotations ?? {}).filter(
              ([key]) => !key.startsWith('metallb.'),
            ),
          ),
        );
      }),
      { seed: 12, numRuns: runs(300) },
    );
  });

  it('is one that an editor takes by the schema that is published', () => {
    const schema = JSON.parse(jsonSchemas().get('service.schema.json') ?? '');
    const accepts = new Ajv2020({ strict: false }).compile(schema);
    fc.assert(
      fc.property(anyServiceObject, (object) => {
        if (!read(object)) return;

        expect(accepts(JSON.parse(JSON.stringify(object))), JSON.stringify(accepts.errors)).toBe(
          true,
        );
      }),
      { seed: 13, numRuns: runs(300) },
    );
  });
});

describe('whatever stands in a declaration', () => {
  it('is refused with problems, and never thrown over', () => {
    const steps = fc.array(fc.nat(12), { maxLength: 5 });
    fc.assert(
      fc.property(anyServiceObject, steps, fc.jsonValue(), (object, path, value) => {
        read(withValue(JSON.parse(JSON.stringify(object)), path, value));
      }),
      { seed: 14, numRuns: runs(1000) },
    );
  });
});

/** The object with another value at a place: the steps count through the keys. */
function withValue(object: unknown, [step, ...path]: readonly number[], value: unknown): unknown {
  if (step === undefined || typeof object !== 'object' || object === null) return value;
  const keys = Object.keys(object);
  if (keys.length === 0) return value;
  const key = keys[step % keys.length] as keyof typeof object;
  const changed = withValue(object[key], path, value);
  return Array.isArray(object) ? object.with(Number(key), changed) : { ...object, [key]: changed };
}
