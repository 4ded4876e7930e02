import { describe, expect, it } from 'vitest';
import { anAddress } from '../../../../support/declarations/pools-and-claims.ts';
import {
  declarationPath,
  declaredBy,
  placeText,
  problemsOf,
  readText,
} from '../../../../support/declarations/read-declaration.ts';

const file = declarationPath;
const reservation = (spec: string): string =>
  `apiVersion: leasehold.dev/v1\nkind: Reservation\nspec:\n  namespace: shop\n  service: web\n  ports: [{ port: 80 }]\n${spec}`;

describe('a Reservation', () => {
  it('takes every default', () => {
    expect(declaredBy(reservation(''))).toEqual({
      kind: 'Reservation',
      cluster: 'default',
      namespace: 'shop',
      name: 'web',
      ports: [{ port: 80, targetPort: undefined, protocol: 'TCP' }],
      zone: undefined,
      pool: undefined,
      ipFamily: 'ipv4',
      pins: [],
      dns: [],
      retentionDays: 0,
      sharingKey: undefined,
      secret: undefined,
      signature: undefined,
      denyExternalCleanup: false,
      at: { file, line: 4, column: 3 },
    });
  });

  it('has the same terms as the annotations of a Service', () => {
    const text = reservation(`  cluster: default
  zone: inet
  pool: default
  ipFamily: dual
  addresses: [203.0.113.7, '2001:db8::7']
  retentionDays: 30
  sharingKey: a key
  secret: my.key
  signature: abc
  denyExternalCleanup: true
  dns: [shop.example.com, '*.example.com']
`);

    expect(declaredBy(text)).toMatchObject({
      zone: 'inet',
      pool: 'default',
      ipFamily: 'dual',
      pins: [
        { address: anAddress('203.0.113.7'), at: { file, line: 11, column: 15 } },
        { address: anAddress('2001:db8::7'), at: { file, line: 11, column: 28 } },
      ],
      dns: [
        { name: 'shop.example.com', at: { file, line: 17, column: 9 } },
        { name: '*.example.com', at: { file, line: 17, column: 27 } },
      ],
      retentionDays: 30,
      sharingKey: 'a key',
      secret: { name: 'my.key', at: { file, line: 14, column: 11 } },
      signature: { text: 'abc', at: { file, line: 15, column: 14 } },
      denyExternalCleanup: true,
    });
  });

  it('has no key when its secret is default', () => {
    expect(declaredBy(reservation('  secret: default\n')).secret).toBeUndefined();
  });

  it('is checked as far as possible without the pools', () => {
    const text = reservation('  zone: moon\n  cluster: other\n');

    expect(readText(text, undefined)).toEqual({ ok: true, value: undefined });
    expect(problemsOf(text).map(placeText)).toEqual(['ZONE_UNKNOWN 7:9', 'CLUSTER_UNKNOWN 8:12']);
  });

  it('may have any text in its metadata, which is not emitted', () => {
    const metadata = `metadata: { name: web, annotations: { example.com/by: '\${TEAM}' } }\n`;
    const text = reservation('').replace('spec:\n', `${metadata}spec:\n`);

    expect(declaredBy(text).name).toBe('web');
  });

  it('reports the problems of pins and pools together', () => {
    const text = reservation(`  pool: moon\n  addresses: ['2001:db8::7']\n  sharingKey: a \${b}\n`);

    expect(problemsOf(text).map(placeText)).toEqual([
      'POOL_UNKNOWN 7:9',
      'FIELD_VALUE 8:15',
      'SUBSTITUTION 9:15',
    ]);
  });
});
