// @module-tag counted

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type ZoneExport, zoneText } from '../../src/features/export/zone-export.ts';
import { runs } from '../support/run/scope.ts';

type Records = ZoneExport['records'];

const zone = 'example.com';
const label = fc.stringMatching(/^[a-z0-9](?:[-a-z0-9]{0,10}[a-z0-9])?$/);
const nameInZone = fc
  .tuple(fc.constantFrom('', '*.'), fc.array(label, { maxLength: 3 }))
  .map(([wildcard, labels]) => `${wildcard}${[...labels, zone].join('.')}`);
const anyRecord: fc.Arbitrary<Records[number]> = fc.oneof(
  fc.record({ name: nameInZone, type: fc.constant('A' as const), value: fc.ipV4() }),
  fc.record({
    name: nameInZone,
    type: fc.constant('AAAA' as const),
    value: fc.constantFrom('2001:db8::7', '::1'),
  }),
  fc.record({ name: nameInZone, type: fc.constant('PTR' as const), value: nameInZone }),
);

/** Reads a master file as RFC 1035 says: a name without a dot at its end is relative to the origin. */
function readZone(text: string): { readonly ttl: number; readonly records: Records } {
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => line.split(' '));
  const directive = (word: string) => lines.find(([first]) => first === word)?.[1];
  const origin = directive('$ORIGIN') ?? '';
  const absolute = (name: string): string => {
    if (name === '@') return origin.slice(0, -1);
    return (name.endsWith('.') ? name : `${name}.${origin}`).slice(0, -1);
  };
  const records = lines
    .filter(([first]) => !first?.startsWith('$'))
    .map(([name = '', , type, value = '']) => ({
      name: absolute(name),
      type: type as Records[number]['type'],
      value: type === 'PTR' ? absolute(value) : value,
    }));
  return { ttl: Number(directive('$TTL')), records };
}

it('a zone file has exactly its records, with and without an origin', () => {
  fc.assert(
    fc.property(
      fc.array(anyRecord, { maxLength: 8 }),
      fc.integer({ min: 1, max: 86_400 }),
      fc.boolean(),
      (records, ttl, relative) => {
        const text = zoneText({ ...(relative ? { zone } : {}), ttl, records });

        expect(readZone(text)).toEqual({ ttl, records });
      },
    ),
    { numRuns: runs(500) },
  );
});
