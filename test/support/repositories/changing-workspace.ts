import { type EndpointText, leaseText } from '../declarations/lease-text.ts';
import { providerPoolsText } from '../declarations/pools-text.ts';
import { type Seeded, seeded } from '../run/seeded.ts';
import type { FileTexts } from '../trees/tree-bytes.ts';

/** A day of a repository's life: its declarations, and the day that the run over them records. */
export interface Stage {
  readonly today: string;
  readonly declarations: FileTexts;
}

const tenants = 340;

/**
 * Some 300 random leases over three days. Most of those that go on the second day stay away, so that
 * released records remain, of pools with and without a retention; on the third, some come back.
 */
export function changingWorkspace(seed: number): readonly Stage[] {
  const random = seeded(seed);
  const all = Array.from({ length: tenants }, (_, index) => tenant(index, random));
  const kept = (share: (index: number) => boolean): FileTexts =>
    new Map([
      ['leases/pools.yaml', pools],
      ...all.flatMap((files, index) => (share(index) ? [...files] : [])),
    ]);
  return [
    { today: '2026-01-02', declarations: kept((index) => index < 300) },
    { today: '2026-01-03', declarations: kept((index) => index >= 24 && index < 310) },
    { today: '2026-01-20', declarations: kept((index) => index >= 16) },
  ];
}

/** One tenant: one lease or two, of up to three endpoints that stand on up to two addresses. */
function tenant(index: number, random: Seeded): FileTexts {
  const files = new Map<string, string>();
  const place = places[random.below(places.length)] ?? {};
  const leases = random.chance(0.15) ? 2 : 1;
  for (let lease = 0; lease < leases; lease += 1) {
    const dseq = 18_000_000 + 10 * index + lease;
    const endpoints = Array.from(
      { length: 1 + random.below(3) },
      (_, number): EndpointText => ({
        name: random.chance(0.7) ? 'front' : 'back',
        service: ['web', 'api', 'game'][random.below(3)] ?? 'web',
        port: 1024 + random.below(50_000),
        externalPort: 1 + 1000 * lease + 100 * number + random.below(100),
        protocol: random.chance(0.3) ? 'UDP' : 'TCP',
        retentionDays: random.below(31),
        ...place,
      }),
    );
    files.set(
      `leases/${random.below(12)}/${dseq}.yaml`,
      leaseText(`tenant ${index}`, dseq, endpoints),
    );
  }
  return files;
}

const places: readonly EndpointText[] = [
  {},
  {},
  { zone: 'edge', ipFamily: 'dual' },
  { zone: 'edge', ipFamily: 'ipv6' },
  { pool: 'rack' },
  { zone: 'edge' },
];

const pools = providerPoolsText(`defaultZone: inet
pools:
  - name: default
    zone: inet
    addresses: [203.0.113.0/24, 198.51.100.0/24]
    reserved: [203.0.113.1]
    avoidBuggyIPs: true
  - name: rack
    zone: inet
    addresses: [192.0.2.0/24]
    strategy: lowest
    retentionDays: 0
  - name: edge
    zone: edge
    addresses: [10.1.0.0/23, '2001:db8::/64', '2001:db8:0:1::/120']
    retentionDays: 30
    advertise: { bgp: { localPref: 100 } }
`);
