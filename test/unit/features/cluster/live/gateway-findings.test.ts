import { describe, expect, it } from 'vitest';
import type { DesiredClaim } from '../../../../../src/features/cluster/live/claim-state.ts';
import { gatewayFindings } from '../../../../../src/features/cluster/live/gateway-findings.ts';

/** Claims of two ports of the Service of one Gateway, and one of a Service without. */
const claims = [
  { addresses: ['203.0.113.7', '2001:db8::7'], gateway: 'Gateway web/public' },
  { addresses: ['203.0.113.7', '2001:db8::7'], gateway: 'Gateway web/public' },
  { addresses: ['203.0.113.8'], gateway: undefined },
] as unknown as readonly DesiredClaim[];

const addresses = ['203.0.113.7', '2001:DB8:0::7'].map((value) => ({ type: 'IPAddress', value }));
const programmed = { type: 'Programmed', status: 'True' };

const gateway = (status: object) => ({ metadata: { namespace: 'web', name: 'public' }, status });

describe('gatewayFindings', () => {
  it('has none for a programmed Gateway with the reserved addresses, in any spelling', () => {
    const live = [gateway({ addresses, conditions: [programmed] })];
    expect(gatewayFindings(claims, live)).toEqual([]);
  });

  it.each([
    [[], 'does not exist; 203.0.113.7 and 2001:db8::7 are reserved for it'],
    [
      [gateway({ conditions: [programmed] })],
      'has no address in its status; 203.0.113.7 and 2001:db8::7 are reserved for it',
    ],
    [
      [gateway({ addresses: [{ value: '203.0.113.9' }, addresses[1]], conditions: [programmed] })],
      'has 203.0.113.9 and 2001:db8::7 in its status; 203.0.113.7 is reserved for it',
    ],
    [
      [
        gateway({
          addresses,
          conditions: [{ ...programmed, status: 'False', reason: 'Invalid', message: 'no port' }],
        }),
      ],
      'its condition Programmed is False: Invalid: no port',
    ],
    [[gateway({ addresses })], 'its condition Programmed is missing'],
  ] as const)('has one for the Gateway, not one for each port: %#', (live, message) => {
    expect(gatewayFindings(claims, live)).toEqual([
      { object: 'Gateway web/public', message, hint: expect.any(String) },
    ]);
  });
});
