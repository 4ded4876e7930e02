// @module-tag counted

import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { holderPath } from '../../src/core/manifests/paths.ts';
import { FileTemplate } from '../../src/core/manifests/templates/file-template.ts';
import { Templates } from '../../src/core/manifests/templates/templates.ts';
import type { Placement } from '../../src/core/model/holder.ts';
import type { Advertisement, PoolAdvertisement, Pools } from '../../src/core/model/pools.ts';
import { startOf } from '../../src/core/model/problem.ts';
import { nastyTexts } from '../support/declarations/hostile-scalars.ts';
import { aClaim, aPlacement, aPool, thePools } from '../support/declarations/pools-and-claims.ts';
import { aReservation, aService, aServicePlacement } from '../support/declarations/services.ts';
import { textsOf } from '../support/manifests/rendered.ts';
import { runs } from '../support/run/scope.ts';

const l2: PoolAdvertisement = {
  ...{ name: 'default', kind: 'l2', interfaces: ['eth0'], nodeSelectors: [] },
};
const bgp: PoolAdvertisement = {
  ...{ name: 'default', kind: 'bgp', aggregationLength: 32, aggregationLengthV6: 128 },
  ...{ localPref: 100, communities: ['65535:1'], peers: ['one'] },
  nodeSelectors: [{ matchLabels: { a: 'b' } }],
};
const advertise = fc.constantFrom<readonly PoolAdvertisement[]>(
  [l2],
  [bgp],
  [l2, bgp, { ...bgp, name: 'other', communities: [] }],
);
const pools = fc
  .record({
    advertise,
    layout: fc.constantFrom('lease' as const, 'pool' as const),
    version: fc.constantFrom('0.13.12' as const, '0.15.2' as const),
    naming: fc.constantFrom('akash' as const, 'readable' as const),
    shards: fc.constantFrom(1 as const, 16 as const),
    providerLeasedIP: fc.boolean(),
    networkPolicies: fc.boolean(),
    addressNames: fc.boolean(),
  })
  .map(({ advertise: way, layout, version, naming, shards, ...emit }) =>
    thePools({
      cluster: { naming, shards, metallb: { version, namespace: 'metallb-system', layout } },
      emit,
      pools: [aPool({ advertise: way })],
    }),
  );

const port = fc.integer({ min: 1, max: 65_535 });
const lease = fc.record({
  service: fc.oneof(
    fc.constantFrom('web', 'on', 'e3', 'null'),
    fc.stringMatching(/^[a-z]([-a-z0-9]{0,8}[a-z0-9])?$/),
    fc.stringMatching(/^[a-z][-a-z0-9]{30,48}[a-z0-9]$/),
  ),
  endpoint: fc.constantFrom('web', 'on', '9', '0x1', 'Not.Plain'),
  port,
  externalPort: port,
  protocol: fc.constantFrom('TCP' as const, 'UDP' as const),
  ipFamily: fc.constantFrom('ipv4' as const, 'ipv6' as const, 'dual' as const),
  selector: fc.constantFrom(undefined, undefined, undefined, undefined, { app: 'own' }),
  gseq: fc.integer({ min: 1, max: 4_294_967_295 }),
});
/** Each with both protocols: they have templates of their own. */
const leases = fc
  .array(lease, { minLength: 1, maxLength: 4 })
  .map((all) =>
    all.flatMap((one) => (['TCP', 'UDP'] as const).map((protocol) => ({ ...one, protocol }))),
  );
type Lease = typeof lease extends fc.Arbitrary<infer Value> ? Value : never;

/** Enough of each lease for a template, with other owners, numbers, ports and addresses. */
function placed(all: readonly Lease[], { pools: [pool] }: Pools): readonly Placement[] {
  const many = all.flatMap((one) => Array.from({ length: 30 }, () => one));
  return many.map(({ gseq, ...fields }, index) => {
    const owner = `akash1${index.toString(36).padStart(38, 'q')}`;
    const externalPort = 1 + ((fields.externalPort + 97 * index) % 65_535);
    const claim = aClaim({
      ...fields,
      port: index % 5 === 0 ? externalPort : fields.port,
      externalPort,
      lease: { owner, dseq: String(9000 + index), gseq },
    });
    const both = [`203.0.113.${index}`, `2001:db8::${(index * 257).toString(16)}`];
    const [ipv4, ipv6] = [both.slice(0, 1), both.slice(1)];
    const addresses = { ipv4, ipv6, dual: both }[fields.ipFamily];
    const placement = aPlacement({ claims: [claim], addresses, pool: pool ?? aPool() });
    return index % 3 === 0 ? advertised(placement) : placement;
  });
}

/** The placement with an advertisement of its own. */
function advertised(placement: Placement): Placement {
  const name = `own-${placement.holder.id.length % 2}`;
  const of = {
    name,
    at: startOf('leases/pools.yaml'),
    nodeSelectors: [{ matchLabels: { c: 'd' } }],
  };
  const advertisement: Advertisement =
    placement.pool.advertise[0]?.kind === 'l2'
      ? { ...of, kind: 'l2', interfaces: undefined }
      : { ...of, kind: 'bgp', localPref: 7, communities: undefined, peers: undefined };
  return { ...placement, holder: { ...placement.holder, advertisement } };
}

/** A port of a claim beside others of its holder, which has one of a few services and leases. */
const sharedPort = fc.record({
  service: fc.constantFrom('web', 'mail'),
  lease: fc.nat({ max: 1 }),
  protocol: fc.constantFrom('TCP' as const, 'UDP' as const),
  selector: fc.constantFrom(undefined, undefined, { app: 'Own' }),
});
const shared = fc.record({
  kind: fc.constant('leases' as const),
  ipFamily: fc.constantFrom('ipv4' as const, 'dual' as const),
  ports: fc.array(sharedPort, { minLength: 2, maxLength: 4 }),
});
const labelValue = fc.constantFrom('a', 'on', '7', 'B', '', 'edge');
const value = fc.oneof(labelValue, fc.constantFrom('B c', 'https://x/?y', 'naïve', '# a', 'a: b'));
const servicePort = fc.record(
  {
    port,
    name: fc.constantFrom('http', '80-tcp', 'e3'),
    targetPort: fc.oneof(port, fc.constantFrom('http', 'on')),
    protocol: fc.constantFrom('TCP', 'UDP'),
    appProtocol: fc.constant('http'),
  },
  { requiredKeys: ['port', 'protocol'] },
);
const services = fc.record({
  kind: fc.constant('services' as const),
  ipFamily: fc.constantFrom('ipv4' as const, 'ipv6' as const, 'dual' as const),
  isPinnedByAnnotation: fc.boolean(),
  all: fc.array(
    fc.record({
      isReserved: fc.boolean(),
      labels: fc.dictionary(fc.constantFrom('app', 'tier/x'), labelValue, { maxKeys: 2 }),
      annotations: fc.dictionary(fc.constantFrom('note', 'ipam.vitistack.io/zone'), value),
      policy: fc.constantFrom('Cluster', 'Cluster', 'Local'),
      ports: fc.array(servicePort, { minLength: 1, maxLength: 2 }),
    }),
    { minLength: 1, maxLength: 3 },
  ),
});
type Shared = typeof shared extends fc.Arbitrary<infer Value> ? Value : never;
type Services = typeof services extends fc.Arbitrary<infer Value> ? Value : never;

/** Many holders of each kind with other owners, names, numbers, ports and addresses. */
function placedTogether(kinds: readonly (Shared | Services)[]): readonly Placement[] {
  const many = kinds.flatMap((kind) => Array.from({ length: 24 }, () => kind));
  return many.map((kind, index) => {
    const both = [`203.0.113.${index}`, `2001:db8::${(index * 257).toString(16)}`];
    const addresses = { ipv4: both.slice(0, 1), ipv6: both.slice(1), dual: both }[kind.ipFamily];
    return kind.kind === 'leases'
      ? leasesTogether(kind, index, addresses)
      : servicesTogether(kind, index, addresses);
  });
}

function leasesTogether({ ipFamily, ports }: Shared, index: number, addresses: readonly string[]) {
  const owner = `akash1${index.toString(36).padStart(38, 'q')}`;
  const claims = ports.map(({ lease: nth, ...fields }, each) =>
    aClaim({
      ...fields,
      ipFamily,
      port: 1 + ((index * 31 + each) % 5),
      externalPort: 1 + ((index * 97 + each * 13) % 65_535),
      lease: { owner, dseq: String(9000 + index * 3 + nth) },
    }),
  );
  return aPlacement({ claims, addresses });
}

function servicesTogether(
  { ipFamily, isPinnedByAnnotation, all }: Services,
  index: number,
  addresses: readonly string[],
): Placement {
  const namespace = `shop-${index % 7}`;
  const declared = all.map(({ isReserved, labels, annotations, policy, ports }, nth) => {
    const own = ports.map((one, each) => ({ ...one, port: 1000 + index + 300 * (2 * nth + each) }));
    const common = {
      ...{ name: `app${index}-${nth}`, namespace, ipFamily, sharingKey: `key-${index}` },
      ports: own.map((one) => ({
        port: one.port,
        targetPort: undefined,
        protocol: 'TCP' as const,
      })),
    };
    if (isReserved) return aReservation(common);
    const marked = Object.entries(annotations).map(([key, text]) => [key, `${text}${index % 3}`]);
    return aService({
      ...common,
      isPinnedByAnnotation,
      labels,
      annotations: Object.fromEntries(marked),
      localBackend: policy === 'Local' ? `app=${index}` : undefined,
      spec: { externalTrafficPolicy: policy, selector: { app: `a${index}` }, ports: own },
    });
  });
  return aServicePlacement(declared, addresses);
}

/** What a rendering gives: its files, or the fault that stops it. */
function outcomeOf(run: () => ReadonlyMap<string, string>): ReadonlyMap<string, string> | string {
  try {
    return run();
  } catch (fault) {
    return String(fault);
  }
}

afterEach(() => vi.restoreAllMocks());

describe('a file that is filled in from a template', () => {
  it('has the bytes of one that is rendered', () => {
    const fill = vi.spyOn(FileTemplate.prototype, 'fill');
    fc.assert(
      fc.property(pools, leases, (file, all) => {
        const [cluster] = file.clusters;
        const placements = placed(all, file);
        const many = textsOf(file, placements);
        for (let start = 0; start < placements.length; start += 8) {
          // So few that each of them is rendered.
          const few = placements.slice(start, start + 8);
          const alone = textsOf(file, few);
          for (const { holder } of few) {
            const path = holderPath(cluster!, holder);
            expect(many.get(path)).toBe(alone.get(path));
          }
        }
      }),
      { seed: 7, numRuns: runs(60) },
    );
    const filled = fill.mock.results.filter(({ value }) => value !== undefined);
    expect(filled.length).toBeGreaterThan(runs(60) * 10);
  });

  it('has the bytes of one that is rendered, for leases and Services that share an address', () => {
    const fill = vi.spyOn(FileTemplate.prototype, 'fill');
    const kinds = fc.array(fc.oneof(shared, services), { minLength: 1, maxLength: 4 });
    const outcomes: string[] = [];
    fc.assert(
      fc.property(pools, kinds, (file, all) => {
        const placements = placedTogether(all);
        const filled = outcomeOf(() => textsOf(file, placements));
        const off = vi.spyOn(Templates.prototype, 'fill').mockReturnValue(undefined);
        const written = outcomeOf(() => textsOf(file, placements));
        off.mockRestore();
        expect(filled).toEqual(written);
        outcomes.push(typeof written === 'string' ? written : 'sound');
      }),
      { seed: 9, numRuns: runs(100) },
    );
    const sound = outcomes.filter((outcome) => outcome === 'sound');
    expect(sound.length / outcomes.length, outcomes.join('\n')).toBeGreaterThan(0.4);
    const found = fill.mock.results.filter(({ value: one }) => one !== undefined);
    expect(found.length).toBeGreaterThan(runs(100) * 10);
  });

  it('is refused where one that is rendered is refused', () => {
    const wrong = fc.record({
      field: fc.constantFrom('service' as const, 'sharingKey' as const),
      text: fc.oneof(fc.constantFrom(...nastyTexts), fc.constantFrom('Web', 'a.b', 'x'.repeat(64))),
    });
    const [file, sound] = [thePools(), { ...fc.sample(lease, { seed: 1, numRuns: 1 })[0]! }];
    const same: Lease = { ...sound, ipFamily: 'ipv4', protocol: 'TCP', selector: undefined };
    let refused = 0;
    fc.assert(
      fc.property(wrong, port, ({ field, text }, last) => {
        const placements = placed([same], file);
        const { holder, ...place } = placements[29]!;
        const claim = holder.claims[0]!;
        const changed = { ...claim, [field]: text, externalPort: last } as typeof claim;
        const odd = { ...place, holder: { ...holder, claims: [changed] as const } };
        const alone = outcomeOf(() => textsOf(file, [odd]));
        const among = outcomeOf(() => textsOf(file, [...placements.slice(0, 29), odd]));
        if (typeof alone === 'string') {
          refused += 1;
          expect(among).toBe(alone);
        } else {
          const path = holderPath(file.clusters[0]!, odd.holder);
          expect(typeof among === 'string' ? among : among.get(path)).toBe(alone.get(path));
        }
      }),
      { seed: 8, numRuns: runs(300) },
    );
    expect(refused).toBeGreaterThan(runs(50));
  });
});
