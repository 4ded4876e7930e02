import { describe, expect, test } from 'vitest';
import type * as z from 'zod';
import { readPolicy } from '../../../../../src/core/declarations/policy-file.ts';
import { policySchema } from '../../../../../src/core/declarations/policy-schema.ts';
import { readPools } from '../../../../../src/core/declarations/pools/pools-file.ts';
import { poolsSchema } from '../../../../../src/core/declarations/pools/pools-schema.ts';
import type { Policy } from '../../../../../src/core/model/policy.ts';
import type { Pools } from '../../../../../src/core/model/pools.ts';
import {
  changesSentence,
  declaredChanges,
  declaredText,
} from '../../../../../src/core/run/plan/declared-changes.ts';
import { alice, bob, provider } from '../../../../support/declarations/pools-and-claims.ts';

function textsOf<Kind extends Pools | Policy>(before: Kind, after: Kind): readonly string[] {
  return declaredChanges(before, after).map(({ text }) => text);
}

/* Every field of the schemas, in documents that have all of them: a new field fails here without one. */

const bgp = { localPref: 100, communities: ['65000:1'], peers: ['tor'] };
const selector = {
  matchLabels: { rack: 'a' },
  matchExpressions: [{ key: 'rack', operator: 'In', values: ['a'] }],
};
const ways = [
  { l2: { interfaces: ['eth0'], nodeSelectors: [selector] } },
  { bgp: { ...bgp, nodeSelectors: [selector] } },
] as const;

const poolFile = {
  apiVersion: 'leasehold.dev/v1',
  kind: 'Pools',
  metadata: { name: 'a' },
  provider,
  metallb: {
    version: '0.14.9',
    namespace: 'metallb',
    layout: 'lease',
    annotationPrefix: 'metallb.io',
    loadBalancerClass: 'a/b',
  },
  naming: 'akash',
  emit: {
    namespaces: true,
    providerLeasedIP: true,
    providerHost: true,
    networkPolicies: true,
    addressConfigMaps: true,
    addressNames: true,
    dnsEndpoints: true,
  },
  clusters: [
    { name: 'heir' },
    {
      name: 'own',
      id: 'a',
      labels: { env: 'a' },
      defaultZone: 'inet',
      provider,
      metallb: {
        version: '0.14.9',
        namespace: 'metallb',
        layout: 'pool',
        annotationPrefix: 'metallb.io',
        loadBalancerClass: 'a/b',
      },
      naming: 'akash',
      routes: {
        kind: 'HTTPRoute',
        gateway: { namespace: 'a', name: 'a' },
        controller: 'gateway.nginx.org/nginx-gateway-controller',
        service: { namespace: 'a', name: 'a' },
      },
      shards: 16,
    },
    {
      name: 'cilium',
      cilium: {
        version: '1.20.2',
        namespace: 'kube-system',
        loadBalancerClass: 'io.cilium/bgp-control-plane',
      },
    },
    { name: 'ingress', routes: { kind: 'Ingress', className: 'a' } },
  ],
  defaultCluster: 'heir',
  defaultZone: 'inet',
  pools: [
    {
      name: 'default',
      zone: 'inet',
      clusters: ['own'],
      addresses: ['203.0.113.0/28'],
      reserved: ['203.0.113.1'],
      nat: [{ inside: '203.0.113.2', outside: '198.51.100.1' }],
      avoidBuggyIPs: false,
      state: 'active',
      retentionDays: 1,
      strategy: 'spread',
      fence: 'closed',
      advertise: ways[0],
    },
    {
      name: 'bgp',
      zone: 'edge',
      addresses: ['203.0.113.64/28', '2001:db8::/64'],
      clusters: ['own'],
      advertise: {
        name: 'own',
        bgp: { ...ways[1].bgp, aggregationLength: 32, aggregationLengthV6: 128 },
      },
    },
    {
      name: 'other',
      zone: 'inet',
      clusters: ['own', 'heir'],
      addresses: ['203.0.113.128/28'],
      advertise: [ways[0], ways[1]],
    },
  ],
  branches: ['live'],
  quotas: { default: 8, owners: { [alice]: 4 } },
  dns: { ttl: 60, allowed: ['example.com'], blocked: ['a.example.com'] },
  hostnames: { retentionDays: 1, proof: 'optional', exempt: ['example.com'] },
  advertisements: [
    { name: 'near', ...ways[0] },
    { name: 'far', ...ways[1] },
  ],
  anycast: [{ name: 'dns', members: [{ cluster: 'heir', namespace: 'a', service: 'a' }] }],
};

const policyFile = {
  apiVersion: 'leasehold.dev/v1',
  kind: 'Policy',
  metadata: { name: 'a' },
  operators: { reviewers: ['@ops'], signers: ['ops'] },
  tenants: [
    {
      name: 'shop',
      folders: ['leases/shop'],
      owners: [alice],
      namespaces: ['heir/shop'],
      hostnames: ['shop.example.com'],
      clusters: ['own', 'heir'],
      zones: ['inet'],
      pools: ['default'],
      advertisements: ['near'],
      ports: [80, '100-200'],
      reviewers: ['@shop'],
      signers: ['shop'],
    },
  ],
};

type Path = readonly (string | number)[];

/** The parts of zod's definitions that lead to other schemas. */
interface Definition {
  readonly type: string;
  readonly innerType?: z.core.$ZodType;
  readonly in?: z.core.$ZodType;
  readonly shape?: Readonly<Record<string, z.core.$ZodType>>;
  readonly element?: z.core.$ZodType;
  readonly valueType?: z.core.$ZodType;
  readonly options?: readonly z.core.$ZodType[];
}

/** The paths of all leaves of a schema that a document has, and of the fields that it lacks. */
function leavesOf(schema: z.core.$ZodType, value: unknown, path: Path = []): readonly Path[] {
  const def = schema._zod.def as unknown as Definition;
  const inner = def.innerType ?? def.in;
  if (inner) return leavesOf(inner, value, path);
  if (def.type === 'object') {
    return Object.entries(def.shape ?? {}).flatMap(([name, part]) =>
      leavesOf(part, (value as Record<string, unknown> | undefined)?.[name], [...path, name]),
    );
  }
  if (def.type === 'array' && Array.isArray(value)) {
    return value.flatMap((item, index) => leavesOf(def.element!, item, [...path, index]));
  }
  const type = Array.isArray(value) ? 'array' : 'object';
  const option = def.options?.find((one) => one._zod.def.type === type);
  if (option) return leavesOf(option, value, path);
  if (def.type === 'record' && value) {
    return Object.entries(value).flatMap(([name, part]) =>
      leavesOf(def.valueType!, part, [...path, name]),
    );
  }
  return [path];
}

function at(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (part, step) => (part as Record<string, unknown> | undefined)?.[step],
    value,
  );
}

function withValue(value: unknown, [step, ...rest]: Path, leaf: unknown): unknown {
  if (step === undefined) return leaf;
  const copy = structuredClone(value) as Record<string, unknown>;
  copy[step] = withValue(copy[step], rest, leaf);
  return copy;
}

/** Values that some field takes; a leaf becomes the first that its document can have. */
const candidates: readonly unknown[] = [
  true,
  false,
  2,
  100,
  300,
  16,
  31,
  127,
  256,
  '81',
  'b',
  'pool',
  'both',
  'lease',
  'readable',
  'draining',
  'lowest',
  'open',
  'required',
  'NotIn',
  'other',
  'edge',
  'own',
  'heir',
  'ingress',
  'default',
  'far',
  '0.16.1',
  '1.18.5',
  'io.cilium/l2-announcer',
  'metallb.universe.tf',
  'leases/b',
  '@b',
  '300-400',
  '203.0.113.3',
  '203.0.113.5/32',
  '203.0.113.32/28',
  '203.0.113.0/27',
  '203.0.113.96/28',
  '203.0.113.192/28',
  '2001:db8:1::/64',
  '198.51.100.9',
  bob,
  'own/shop',
  'b.example.com',
  '65000:2',
  'c/d',
];

interface File<Kind> {
  readonly schema: z.core.$ZodType;
  readonly document: object;
  readonly read: (document: unknown) => Kind | undefined;
  /** Fields that decide nothing, and those of which a document has only one. */
  readonly fixed: RegExp;
}

const bytes = (document: unknown) => new TextEncoder().encode(JSON.stringify(document));

function pools(document: unknown): Pools | undefined {
  const read = readPools('leases/pools.yaml', bytes(document));
  return read.ok ? read.value : undefined;
}

function policy(document: unknown): Policy | undefined {
  const read = readPolicy('leases/policy.yaml', bytes(document), pools(poolFile));
  return read.ok ? read.value : undefined;
}

const outside = 'apiVersion|kind|metadata\\.[a-z]+';

function describeFile<Kind extends Pools | Policy>({ schema, document, read, fixed }: File<Kind>) {
  const known = leavesOf(schema, document);
  const present = known.filter((path) => at(document, path) !== undefined);
  /** With the first candidate that the document can have there: one of the type that is there is likely to be it. */
  const firstOther = (before: Kind, path: Path): Kind | undefined => {
    const now = at(document, path);
    const likelyFirst = [true, false].flatMap((isLikely) =>
      candidates.filter((value) => (typeof value === typeof now) === isLikely),
    );
    for (const value of likelyFirst.filter((one) => one !== now)) {
      const after = read(withValue(document, path, value));
      if (after !== undefined && declaredText(after) !== declaredText(before)) return after;
    }
    return undefined;
  };
  const nameOf = (path: Path) => path.filter((step) => typeof step === 'string').join('.');

  test('the document has every field', () => {
    expect(read(document)).toBeDefined();
    const has = present.map(nameOf);
    const missing = known
      .map(nameOf)
      .filter((name) => !has.some((one) => `${one}.`.startsWith(`${name}.`)))
      .filter((name) => !fixed.test(name));
    expect(missing).toEqual([]);
  });

  test.each(
    present
      .filter((path) => !fixed.test(path.join('.')))
      .map((path) => [path.join('.'), path] as const),
  )('a change of %s is told, and is in the digest', (_, path) => {
    const before = read(document)!;
    const changed = firstOther(before, path);
    expect(changed, 'no candidate is valid and makes a difference').toBeDefined();
    const told = textsOf(before, changed!);
    expect(told).not.toEqual([]);
    expect(told.join('; '), 'a word that the file does not have').not.toMatch(
      /(?<!control-)plane|\bkind\b/,
    );
    const way = path.findLast((step) => step === 'metallb' || step === 'l2' || step === 'bgp');
    if (way !== undefined) expect(told.join('; ')).toContain(`${way}.`);
    expect(declaredText(changed)).not.toBe(declaredText(before));
  });
}

describe('the pool file', () => {
  describeFile({
    schema: poolsSchema,
    document: poolFile,
    read: pools,
    // A file has one plane. The fields of Cilium are those of a cluster.
    fixed: new RegExp(
      `^(${outside}|cilium|.*\\.movedFrom|cilium\\.[A-Za-z]+|clusters\\.\\d\\.(name|routes\\.(kind|controller))$)`,
    ),
  });

  test('in another order means the same', () => {
    const { clusters, branches, ...others } = poolFile;
    const turned = { ...others, clusters: clusters.toReversed(), branches };
    expect(declaredText(pools(turned))).toBe(declaredText(pools(poolFile)));
  });
});

test.each([
  ['metallb', { ...poolFile.metallb, layout: 'pool' }, 'cluster heir: metallb.layout lease → pool'],
  [
    'pools',
    withValue(poolFile.pools, [0, 'advertise'], { l2: {} }),
    'pool default: advertise.l2.interfaces eth0 → none',
  ],
  [
    'pools',
    withValue(poolFile.pools, [1, 'advertise', 'name'], 'b'),
    'pool bgp: advertise.name own → b',
  ],
  [
    'advertisements',
    [{ name: 'near', bgp: {} }, poolFile.advertisements[1]],
    'advertisement near: bgp unset → {}',
  ],
])('a change of %s has the words of the file: %#', (field, value, phrase) => {
  const after = pools({ ...poolFile, [field]: value })!;
  expect(textsOf(pools(poolFile)!, after).join('\n')).toContain(phrase);
});

describe('the policy', () => {
  describeFile({
    schema: policySchema,
    document: policyFile,
    read: policy,
    fixed: new RegExp(`^(${outside})`),
  });

  test('no advertisements differ from all', () => {
    const [tenant] = policyFile.tenants;
    const none = policy({ ...policyFile, tenants: [{ ...tenant, advertisements: [] }] })!;
    const all = policy({ ...policyFile, tenants: [{ ...tenant, advertisements: undefined }] })!;
    expect(textsOf(none, all)).toEqual(['tenant shop: advertisements none → unset']);
  });
});

test('many changes are cut', () => {
  expect(changesSentence(Array.from({ length: 120 }, () => 'a'))).toMatch(
    /; a; and 20 more changes$/,
  );
});
