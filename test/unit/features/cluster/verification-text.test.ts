import { describe, expect, it } from 'vitest';
import { sanitizedJson } from '../../../../src/core/text/print/escape.ts';
import { paintOf } from '../../../../src/core/text/print/problems-text.ts';
import type { Detail, Verification } from '../../../../src/features/cluster/verification-answer.ts';
import { verificationTable as verificationTableIn } from '../../../../src/features/cluster/verification-text.ts';
import { verifiedClaim } from '../../../support/live/verification.ts';

const object = 'Service web/app';

const claim = (...details: Detail[]) =>
  verifiedClaim({ state: details[0]?.state ?? 'ok', details });

const verificationTable = (found: Verification, width?: number) =>
  verificationTableIn(found, { paint: paintOf(false), width });

const verification = (found: Partial<Verification>): Verification => ({
  apiVersion: 'leasehold.dev/v1',
  kind: 'Verification',
  cluster: 'default',
  asked: 'here',
  ok: false,
  counts: { ok: 0 },
  claims: [],
  objects: [],
  findings: [],
  openPools: [],
  notes: [],
  ...found,
});

describe('verificationTable', () => {
  it('has a line and details for each claim, then the counts', () => {
    const table = verificationTable(
      verification({
        claims: [
          claim(),
          claim(
            { state: 'not applied', object: 'IPAddressPool m/x', message: 'does not exist' },
            { state: 'wrong address', object, message: 'has 1 instead of 2' },
            { state: 'changed by hand', object, message: 'spec.a is 1; it should be 2' },
            { state: 'pending', object, message: 'MetalLB: no' },
          ),
        ],
        counts: { ok: 1, 'not applied': 1 },
      }),
    );

    expect(table).toBe(`\
STATE        ADDRESS                  PORT    OBJECT           HOLDER
ok           203.0.113.7,2001:db8::7  80/TCP  Service web/app  default/akash/holder
not applied  203.0.113.7,2001:db8::7  80/TCP  Service web/app  default/akash/holder
  IPAddressPool m/x does not exist
  the Service has 1 instead of 2
  spec.a is 1; it should be 2
  MetalLB: no
1 ok, 1 not applied
`);
  });

  it('lists the Services that need an open fence before the counts', () => {
    const services = ['a', 'b'].map((name) => ({
      object: `Service web/${name}`,
      addresses: ['203.0.113.7', '2001:db8::7'],
      message: 'is not declared',
    }));
    const openPools = [
      { pool: 'done', services: [] },
      { pool: 'half', services: services.slice(0, 1) },
      { pool: 'new', services },
    ];
    expect(verificationTable(verification({ openPools }))).toBe(`\
pool done has an open fence that no Service needs: remove fence: open from leases/pools.yaml in a separate commit
pool half has an open fence; closing it would remove the addresses of 1 Service:
  Service web/a on 203.0.113.7,2001:db8::7 is not declared
pool new has an open fence; closing it would remove the addresses of 2 Services:
  Service web/a on 203.0.113.7,2001:db8::7 is not declared
  Service web/b on 203.0.113.7,2001:db8::7 is not declared
0 ok
`);
  });

  it('has a line for each object and finding', () => {
    const details: Detail[] = [{ state: 'not applied', object: 'x', message: 'does not exist' }];
    const changed: Detail = { state: 'changed by hand', object: 'y', message: 'a is 1', hint: 'b' };
    const table = verificationTable(
      verification({
        objects: [
          { object: 'ConfigMap m/leasehold', state: 'not applied', details },
          { object: 'NetworkPolicy m/y', state: 'changed by hand', details: [changed] },
          { object: 'Namespace former', state: 'kept', details: [] },
        ],
        findings: [{ object: 'Deployment a/b', message: 'is bad', hint: 'stop it' }],
        counts: { ok: 0, 'not applied': 1, kept: 1, 'cluster problem': 2 },
      }),
    );

    expect(table).toBe(`\
STATE            ADDRESS  PORT  OBJECT                 HOLDER
not applied      -        -     ConfigMap m/leasehold  -
  does not exist
changed by hand  -        -     NetworkPolicy m/y      -
  a is 1
  fix: b
cluster problem  -        -     Deployment a/b         -
  is bad
  fix: stop it
0 ok, 1 not applied, 1 kept, 2 cluster problems
`);
  });

  it('has only the counts when all is ok', () => {
    expect(verificationTable(verification({}))).toBe('0 ok\n');
  });

  it.each([40, 80, 100, 120, 160])(
    'fits %i characters, and loses no address, object or message',
    (width) => {
      const message = 'MetalLB: AllocationFailed: no available addresses in the pool, and more';
      const table = verificationTable(
        verification({
          claims: [claim(), claim({ state: 'pending', object, message })],
          findings: [{ object: 'Deployment a/b', message, hint: message }],
          openPools: [{ pool: 'done', services: [] }],
        }),
        width,
      );

      expect(table.split('\n').filter(({ length }) => length > width)).toEqual([]);
      expect(table).toContain('203.0.113.7');
      expect(table).toContain('2001:db8::7');
      expect(table).not.toContain('…');
      expect(table.replace(/\s+/g, ' ')).toContain(message);
    },
  );

  it('removes control characters of texts from the cluster', () => {
    const table = verificationTable(
      verification({
        claims: [
          claim({ state: 'pending', object, message: 'MetalLB: \u001b[31mred\r\nmore\u202e' }),
        ],
        objects: [{ object: 'Service a/\u001b]0;x\u0007', state: 'left over', details: [] }],
        findings: [{ object: 'a\nb', message: '\u0000', hint: '\u2028' }],
      }),
    );

    expect(table.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}]/u);
    expect(table).toContain('MetalLB: ?[31mred??more?');
    expect(table).toContain('a?b');
  });
});

describe('a verification as JSON', () => {
  it('is the verification with a final newline', () => {
    const one = verification({ claims: [claim()] });

    expect(JSON.parse(sanitizedJson(one))).toEqual(one);
    expect(sanitizedJson(one)).toMatch(/}\n$/);
  });

  it('escapes control characters without losing them', () => {
    const message = 'a\u001bb\u009bc\u202ed\u2028e\u{e0001}f\u007f';
    const one = verification({ claims: [claim({ state: 'pending', object, message })] });

    expect(sanitizedJson(one).replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}]/u);
    expect(JSON.parse(sanitizedJson(one))).toEqual(one);
  });
});
