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
function readZone(text: string) {
  const lines = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split(' '));
  const origin = lines.find(([first]) => first === '$ORIGIN')?.[1] ?? '';
  const absolute = (name: string): string => {
    if (name === '@') return origin.slice(0, -1);
    return (name.endsWith('.') ? name : `${name}.${origin}`).slice(0, -1);
  };
  return lines
    .filter(([first]) => !first?.startsWith('$'))
    .map(([name = '', ttl, , type, value = '']) => ({
      name: absolute(name),
      type,
      value: type === 'PTR' ? absolute(value) : value,
      ttl: Number(ttl),
    }));
}

it('a zone file has exactly its records, with and without an origin', () => {
  fc.assert(
    fc.property(
      fc.array(anyRecord, { maxLength: 8 }),
      fc.integer({ min: 1, max: 86_400 }),
      fc.boolean(),
      (records, ttl, relative) => {
        const text = zoneText({ ...(relative ? { zone } : {}), ttl, records });

        expect(readZone(text)).toEqual(records.map((record) => ({ ...record, ttl })));
      },
    ),
    { seed: 909, numRuns: runs(500) },
  );
});
