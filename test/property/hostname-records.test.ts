// @module-tag counted

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Day } from '../../src/core/model/day.ts';
import type { HostnameRecord } from '../../src/core/model/hostname.ts';
import {
  hostnamePath,
  printHostname,
  readHostnameRecord,
} from '../../src/core/records/hostname-file.ts';
import { classifyLeaseFiles } from '../../src/core/tree/lease-files.ts';
import { runs } from '../support/run/scope.ts';

const label = fc.oneof(
  fc
    .constantFrom('con', 'con-', 'nul', 'com1', 'com', 'a', 'wildcard')
    .map((one) => one.replace(/-$/, '')),
  fc
    .stringMatching(/^[a-z0-9](?:[-a-z0-9]{0,20}[a-z0-9])?$/)
    .filter((text) => !text.startsWith('xn--')),
);
const hostname = fc
  .tuple(fc.constantFrom('', '*.'), fc.array(label, { minLength: 1, maxLength: 4 }))
  .map(([wildcard, labels]) => `${wildcard}${labels.join('.')}.example`);

function recordOf(name: string, isReleased: boolean): HostnameRecord {
  return {
    hostname: name,
    holder: 'default/namespace/shop',
    since: '2026-11-01' as Day,
    retain: 30,
    keepUntil: isReleased ? undefined : ('2026-12-24' as Day),
    released: isReleased ? { on: '2026-11-20' as Day, freeFrom: '2026-12-20' as Day } : undefined,
    at: undefined,
  };
}

describe('the file of a hostname', () => {
  it('is read back as the record that was printed', () => {
    fc.assert(
      fc.property(hostname, fc.boolean(), (name, isReleased) => {
        const record = recordOf(name, isReleased);
        const path = hostnamePath(name);
        const read = readHostnameRecord(path, Buffer.from(printHostname(record)));
        expect(read).toMatchObject({ ok: true, value: { ...record, at: { file: path } } });
      }),
      { seed: 906, numRuns: runs(300) },
    );
  });

  it('has a name that every file system takes', () => {
    fc.assert(
      fc.property(hostname, (name) => {
        const path = hostnamePath(name);
        const entry = { path, kind: 'file' as const, size: 1 };
        expect(classifyLeaseFiles([entry]).hostnames).toEqual([entry]);
        for (const part of path.split('/')) {
          expect(part).not.toMatch(/^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)/);
        }
      }),
      { seed: 907, numRuns: runs(300) },
    );
  });

  it('belongs to one hostname only, also without regard to case', () => {
    fc.assert(
      fc.property(fc.uniqueArray(hostname, { maxLength: 20 }), (names) => {
        const paths = names.map((name) => hostnamePath(name).toLowerCase());
        expect(new Set(paths).size).toBe(names.length);
        // No file stands where another one needs a folder.
        for (const path of paths) {
          expect(paths.filter((other) => other.startsWith(`${path}/`))).toEqual([]);
        }
      }),
      { seed: 908, numRuns: runs(200) },
    );
  });
});
