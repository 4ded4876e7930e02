// @module-tag counted

import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import type * as z from 'zod';
import { leaseSchema } from '../../src/core/declarations/lease/lease-schema.ts';
import { promiseSchema } from '../../src/core/declarations/promise/promise-schema.ts';
import { serviceSchema } from '../../src/core/declarations/service/service-schema.ts';
import { readShape } from '../../src/core/text/shape.ts';
import * as byForm from '../../src/core/text/shape-by-form.ts';
import type { YamlDocument } from '../../src/core/text/yaml/document.ts';
import { readPlainDocument } from '../../src/core/text/yaml/plain-document.ts';
import { PlainForms } from '../../src/core/text/yaml/plain-form.ts';
import { readYaml } from '../../src/core/text/yaml/yaml-document.ts';
import { runs } from '../support/run/scope.ts';

const owner = 'akash17zp8jh5y4564hxvwg00vemgk5r6pry9j7nkks4';
const other = 'akash10tn20rjmfdayukq6parfrm2tt2cdg3jgnpqhjm';

/** Files with a place for each scalar, `@`, and what stands there in a valid file. */
const kinds: readonly { schema: z.ZodType; form: string; valid: readonly string[] }[] = [
  {
    schema: leaseSchema,
    form: 'apiVersion: @\nkind: @\nmetadata:\n  name: @\n  labels: { a/b: @ }\nspec:\n  id:\n    owner: @\n    dseq: @\n    gseq: @\n    oseq: @\n  cluster: @\n  endpoints:\n    - name: @\n      service: @\n      port: @\n      protocol: @\n      ipFamily: @\n      retentionPeriodDays: @\n      dns: [@, @]\n      selector: { app: @ }\n    - { name: @, service: @, port: @, externalPort: @, zone: @, pool: @, address: @ }\n',
    valid: [
      ...['leasehold.dev/v1', 'Lease', 'some', 'c', owner, "'18446744073709551615'", '1', '2'],
      ...['west', 'web', 'api', '8080', 'udp', 'dual', '7', 'a.example.com', 'b.example.com', 'x'],
      ...['web', 'api', '8081', '443', 'inet', 'edge', '203.0.113.7'],
    ],
  },
  {
    schema: leaseSchema,
    form: 'apiVersion: @\nkind: @\nspec:\n  id: { owner: @, dseq: @, gseq: @, oseq: @, provider: @ }\n  sdl: @\n',
    valid: ['leasehold.dev/v1', 'Lease', owner, '17', '1', '1', other, 'app.sdl.yaml'],
  },
  {
    schema: leaseSchema,
    form: 'apiVersion: @\nkind: @\nspec:\n  id: { owner: @, dseq: @, gseq: @, oseq: @ }\n  hosts:\n    - service: @\n      accept: [@]\n      httpOptions: { maxBodySize: @, nextCases: [@, @] }\n',
    valid: [
      ...['leasehold.dev/v1', 'Lease', owner, '17', '1', '1', 'web', 'a.example.com', '1000'],
      ...['error', 'timeout'],
    ],
  },
  {
    schema: serviceSchema,
    form: 'apiVersion: @\nkind: @\nmetadata:\n  name: @\n  namespace: @\n  annotations:\n    ipam.vitistack.io/zone: @\nspec:\n  type: @\n  selector: { app: @ }\n  ports:\n    - { name: @, port: @, protocol: @ }\n    - { name: @, port: @ }\n',
    valid: [
      ...['v1', 'Service', 'web', 'shop', 'inet', 'LoadBalancer', 'web', 'http', '80', 'TCP'],
      ...['https', '443'],
    ],
  },
  {
    schema: promiseSchema,
    form: 'apiVersion: @\nkind: @\nspec:\n  owner: @\n  endpoint: @\n  until: @\n',
    valid: ['leasehold.dev/v1', 'Promise', owner, 'web', '2026-12-01'],
  },
];

const scalar = fc.constantFrom(
  ...[
    owner,
    other,
    `${owner.slice(0, -1)}q`,
    'web',
    'Web',
    'x'.repeat(70),
    '0',
    '1',
    '80',
    '65536',
  ],
  ...[
    "'80'",
    'true',
    'false',
    '203.0.113.7',
    '203.0.113.0/24',
    '2001:db8::1',
    'TCP',
    'sctp',
    'dual',
  ],
  ...[
    'ipv6',
    '4294967296',
    '18446744073709551616',
    "'007'",
    "''",
    '"a b"',
    'a.example.com',
    'a..b',
  ],
  ...[
    'off',
    'error',
    'timeout',
    'app.sdl.yaml',
    'a/b.sdl.yaml',
    '2026-02-30',
    '2026-12-01',
    'ClusterIP',
  ],
);

function filled(form: string, scalars: readonly string[]): string {
  let index = 0;
  return form.replace(/@/g, () => scalars[index++] ?? 'x');
}

/** The forms of these tests: those of the process may be full. */
const forms = new PlainForms();

function documentOf(text: string): YamlDocument {
  const plain = readPlainDocument('leases/a.yaml', text, forms);
  if (plain) return plain;
  const read = readYaml('leases/a.yaml', Buffer.from(text), 'refused');
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return read.value;
}

/** The same document as one that was not read by its form. */
function whole(document: YamlDocument): YamlDocument {
  return {
    file: document.file,
    value: document.value,
    nonCanonicalNumbers: document.nonCanonicalNumbers,
    at: (path) => document.at(path),
    keyAt: (path) => document.keyAt(path),
  };
}

describe('a document that is read by its form', () => {
  test('is what the whole schema makes of it, with the same problems', () => {
    const byPattern = vi.spyOn(byForm, 'readByPattern');
    let [valid, wrong] = [0, 0];
    fc.assert(
      fc.property(
        fc.nat({ max: kinds.length - 1 }),
        fc.array(fc.tuple(fc.nat(), scalar), { maxLength: 2 }),
        (kind, edits) => {
          const { schema, form, valid: sound } = kinds[kind]!;
          const scalars = [...sound];
          for (const [place, text] of edits) scalars[place % scalars.length] = text;
          readShape(schema, documentOf(filled(form, sound)));
          const document = documentOf(filled(form, scalars));
          const read = readShape(schema, document);
          expect(read).toEqual(readShape(schema, whole(document)));
          if (read.ok) valid += 1;
          else wrong += 1;
        },
      ),
      { seed: 22, numRuns: runs(3000) },
    );
    expect(valid).toBeGreaterThan(runs(500));
    expect(wrong).toBeGreaterThan(runs(500));
    expect(byPattern).toHaveBeenCalled();
  });

  test.each(kinds)('has a pattern for every kind of file: %#', ({ schema, form, valid }) => {
    const document = documentOf(filled(form, valid));
    const read = readShape(schema, document);
    expect(read).toMatchObject({ ok: true });
    const known = document.formed && byForm.readByPattern(schema, document.formed);
    if (form.includes('httpOptions')) expect(known).toBeUndefined();
    else expect(known).toEqual({ output: read.ok && read.value });
  });
});
