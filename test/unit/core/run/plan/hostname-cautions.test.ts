import { describe, expect, test } from 'vitest';
import { endedServiceCautions } from '../../../../../src/core/run/plan/hostname-cautions.ts';
import type { Declared } from '../../../../../src/core/tree/declared.ts';
import { aHostname, aLeaseHostname } from '../../../../support/allocations/hostname-records.ts';
import { aReservation, aService } from '../../../../support/declarations/services.ts';
import { aDeclared } from '../../../../support/plans/plan-builders.ts';

type Services = Declared['services'];

const hostnames = [aHostname('shop.example.com')];
const udp = { port: 80, targetPort: 80, protocol: 'UDP' } as const;
const other = { port: 81, targetPort: 80, protocol: 'TCP' } as const;

function told(before: Services, after: Services, routed: Declared['hostnames'] = hostnames) {
  const base = aDeclared({ services: before });
  return endedServiceCautions(base, aDeclared({ services: after, hostnames: routed })).map(
    ({ code, message, at }) => `${at?.file} ${code} ${message}`,
  );
}

const ended =
  'leases/shop/shop.example.com.yaml ROUTE_CUT the hostname shop.example.com of namespace shop is routed to web:80, but this Service is no longer declared';
const lostPort =
  'leases/shop/shop.example.com.yaml ROUTE_CUT the hostname shop.example.com of namespace shop is routed to web:80, but this Service no longer has port 80/TCP';

describe('a hostname that is routed to a Service', () => {
  test.each<[string, Services, Services, readonly string[]]>([
    ['that ends', [aService()], [], [ended]],
    ['without an address, that ends', [aService({ isLeased: false })], [], [ended]],
    ['of a Reservation that ends', [aReservation()], [], [ended]],
    ['that loses the port', [aService()], [aService({ ports: [other, udp] })], [lostPort]],
    [
      'whose Reservation loses it',
      [aReservation()],
      [aReservation({ ports: [other] })],
      [lostPort],
    ],
    ['that ends, and never had the port', [aService({ ports: [other] })], [], [ended]],
    ['that stays', [aService()], [aService()], []],
    ['that another declaration renders', [aService()], [aReservation()], []],
    [
      'that gets another port too',
      [aService()],
      [aService({ ports: [...aService().ports, other] })],
      [],
    ],
    ['that never had the port', [aService({ ports: [udp] })], [aService({ ports: [other] })], []],
    ['that is new', [], [aService()], []],
    ['that was never declared', [], [], []],
  ])('%s', (_, before, after, expected) => {
    expect(told(before, after)).toEqual(expected);
  });

  test('of another name, namespace or cluster is not told', () => {
    const others = [{ name: 'api' }, { namespace: 'blog' }, { cluster: 'west' }].map(aService);
    expect(told(others, [])).toEqual([]);
    expect(told([aService(), ...others], others)).toEqual([ended]);
  });

  test('and is of a lease is not told: its lease renders the Service', () => {
    expect(told([aService()], [], [aLeaseHostname('shop.example.com')])).toEqual([]);
  });

  test('is told once for more than five', () => {
    const many = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => aHostname(`${name}.example.com`));
    expect(told([aService()], [], many)).toEqual([
      'undefined ROUTE_CUT 6 hostnames are routed to Services or ports that are no longer declared, including a.example.com, b.example.com, c.example.com',
    ]);
  });
});
