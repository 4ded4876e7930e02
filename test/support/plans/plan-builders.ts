import type {
  AddressChange,
  AddressSide,
  ManifestChange,
  Occupancy,
  Plan,
  PlanPlace,
  PoolTotals,
} from '../../../src/core/run/plan/plan-answer.ts';
import type { Declared } from '../../../src/core/tree/declared.ts';
import { alice } from '../declarations/pools-and-claims.ts';

/** Alice's endpoint `shop`, as holders are named. */
export const aliceShop = `default/akash/${alice}-ip-shop`;

/** A plan of two commits in which nothing changes; `changes` say what does. */
export function aPlan(changes: Partial<Plan> = {}): Plan {
  return {
    apiVersion: 'leasehold.dev/v1',
    kind: 'Plan',
    verdict: 'no change',
    day: '2026-11-21',
    commit: '0f1e2d3c4b'.repeat(4),
    summary: 'No address, pool or manifest changes.',
    base: { commit: 'a1b2c3d4e5'.repeat(4), day: '2026-11-20', parents: [] },
    head: { commit: '0f1e2d3c4b'.repeat(4), day: '2026-11-21', parents: ['a1b2c3d4e5'.repeat(4)] },
    pools: [],
    addresses: [],
    cautions: [],
    problems: [],
    manifests: [],
    digest: '5ea1ab1e'.repeat(8),
    ...changes,
  };
}

/** A side of a pull request that declares nothing but what is given. */
export function aDeclared(changes: Partial<Declared> = {}): Declared {
  return {
    entries: [],
    pools: undefined,
    policy: undefined,
    leases: [],
    claims: [],
    services: [],
    promises: [],
    hostnames: [],
    renames: [],
    hostnameTable: new Map(),
    others: [],
    proofs: new Map(),
    keys: { repository: undefined, byName: new Map() },
    holders: [],
    table: new Map(),
    problems: [],
    ...changes,
  };
}

/** Of 62 usable addresses 12 are held. */
export function anOccupancy({ usable = '62', held = 12, retained = 0 }: Counts = {}): Occupancy {
  const used = BigInt(held + retained);
  return {
    usable,
    held: String(held),
    retained: String(retained),
    free: String(BigInt(usable) - used),
    percent: Number((used * 100n) / BigInt(usable)),
  };
}

interface Counts {
  readonly usable?: string;
  readonly held?: number;
  readonly retained?: number;
}

/** A pool with so many addresses held before and after, and more if given. */
export function aTotal(
  held: readonly [number, number],
  more: Partial<PoolTotals> = {},
): PoolTotals {
  const [before, after] = held.map((count) => anOccupancy({ held: count }));
  return {
    pool: 'default',
    zone: 'inet',
    family: 'ipv4',
    ...(before && { before }),
    ...(after && { after }),
    ...more,
  };
}

/** A holder on an address with `web 80/TCP`; released when it has a day from which it is free. */
export function aSide(holder = aliceShop, freeFrom?: string): AddressSide {
  return freeFrom === undefined
    ? { holder, state: 'held', claims: ['web 80/TCP'] }
    : { holder, state: 'released', freeFrom, claims: [] };
}

export const aPlace: PlanPlace = { side: 'head', file: 'leases/alice/12345.yaml', line: 7 };

/** 203.0.113.7, allocated to Alice's shop. */
export function aChange(changes: Partial<AddressChange> = {}): AddressChange {
  return {
    address: '203.0.113.7',
    pool: 'default',
    change: 'allocated',
    after: aSide(),
    details: [],
    at: aPlace,
    ...changes,
  };
}

/** A new file with a Service. */
export function aManifest(changes: Partial<ManifestChange> = {}): ManifestChange {
  return {
    path: 'dist/default/4e/akash1h24fljt7p0nh82cq0za0uhsct3sfwsfu9w3c9h-ip-shop-4e2f9c1b7a.yaml',
    holder: aliceShop,
    objects: [
      { action: 'added', object: 'IPAddressPool metallb-system/ip-203.0.113.7' },
      { action: 'added', object: 'Service lease/web-ip-80-tcp' },
    ],
    added: 6,
    removed: 0,
    diff: '@@ -0,0 +1,6 @@\n+apiVersion: v1\n+kind: Service\n+metadata:\n+  name: web-ip-80-tcp\n+spec:\n+  loadBalancerIP: 203.0.113.7\n',
    ...changes,
  };
}

/** The page of a line on a forge. */
export function linkOf({ side, file, line }: PlanPlace): string {
  const path = file
    .replace(/\p{Cs}/gu, '?')
    .split('/')
    .map(encodeURIComponent)
    .join('/');
  return `https://github.com/example/leases/blob/${side}/${path}#L${line}`;
}
