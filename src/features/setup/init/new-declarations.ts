import type { z } from 'zod';
import { akashAddress } from '../../../core/declarations/akash-fields.ts';
import { reviewer } from '../../../core/declarations/policy-schema.ts';
import { ciliumVersion, metallbVersion } from '../../../core/declarations/pools/plane-schema.ts';
import { readPools } from '../../../core/declarations/pools/pools-file.ts';
import { examplePaths, policyPath, poolsPath } from '../../../core/model/repository-paths.ts';
import { dnsLabel, poolRange } from '../../../core/text/common-fields.ts';
import { flow, schemaLine } from '../../../core/text/yaml/yaml-output.ts';
import { hasKey, withEntry, withValue } from '../../../lib/edit/yaml-edit.ts';
import type { PoolDraft, PoolsDraft, Profile } from './setup.ts';

/** The text of a new pool file. It spells out defaults that people will want to find. */
export function newPoolFileText(draft: PoolsDraft): string {
  const { profile, provider, plane, clusters, shards, pools } = draft;
  const zones = new Set(pools.map(({ zone }) => zone));
  return [
    schemaLine(poolsPath, 'pools'),
    '# The addresses that leasehold assigns. Nothing else may use them: list addresses in other use under reserved.',
    'apiVersion: leasehold.dev/v1',
    'kind: Pools',
    ...(provider === undefined ? [] : [`provider: ${flow(provider)}`]),
    ...planeLines(plane),
    ...(profile === 'akash' ? [] : ['emit: { providerLeasedIP: false }']),
    '# Choose the shards of a cluster before its first lease.',
    'clusters:',
    ...clusters.map((name) => `  - ${flow({ name, shards })}`),
    ...(clusters.length > 1 ? [`defaultCluster: ${flow(clusters[0])}`] : []),
    ...(zones.size > 1 ? [`defaultZone: ${flow(pools[0]?.zone)}`] : []),
    'pools:',
    ...pools.flatMap(poolLines),
    '',
  ].join('\n');
}

function planeLines({ kind, version, namespace, layout }: PoolsDraft['plane']): readonly string[] {
  if (kind === 'cilium') return [`cilium: ${flow({ version, namespace })}`];
  return [
    '# layout: pool creates one MetalLB pool for each of these pools, and needs Kubernetes 1.31 or later. layout: lease',
    '# creates one for each leased address, and gets slower with every lease. Choose before the first lease.',
    `metallb: ${flow({ version, namespace, layout })}`,
  ];
}

/**
 * The text of a valid pool file with an Akash provider, and with `ProviderLeasedIP`s, without which
 * the provider does not know its leases. Unchanged when its clusters have a provider.
 */
export function withProvider(text: string, provider: string): string {
  const read = readPools(poolsPath, new TextEncoder().encode(text));
  const isNamed = read.ok && read.value.clusters.every((one) => one.provider !== undefined);
  if (isNamed) return text;
  const emit = ['emit', 'providerLeasedIP'];
  const emitting = hasKey(text, emit) ? withValue(text, emit, 'true') : text;
  return withEntry(emitting, [], 'provider', flow(provider));
}

function poolLines({ name, zone, addresses, reserved, advertise }: PoolDraft): readonly string[] {
  return [
    `  - name: ${flow(name)}`,
    `    zone: ${flow(zone)}`,
    `    addresses: ${flow(addresses)}`,
    ...(reserved.length > 0 ? [`    reserved: ${flow(reserved)}`] : []),
    `    advertise: { ${advertise}: {} }`,
  ];
}

/**
 * The first problem of a drafted pool file as a whole, such as overlapping pools; undefined if
 * none.
 */
export function draftFault(draft: PoolsDraft): string | undefined {
  const read = readPools(poolsPath, new TextEncoder().encode(newPoolFileText(draft)));
  if (read.ok) return undefined;
  const [problem] = read.problems;
  return problem && (problem.hint ? `${problem.message}; ${problem.hint}` : problem.message);
}

const schemas = {
  poolRange,
  akashAddress,
  dnsLabel,
  metallbVersion,
  ciliumVersion,
  reviewer,
} as const;

/** A field of the pool file or the policy that `init` asks for separately. */
export type SetupField = keyof typeof schemas;

/** The schema's error for the text of a field, as a sentence; undefined when it is valid. */
export function fieldFault(field: SetupField, text: string): string | undefined {
  const parsed = schemas[field].safeParse(text);
  if (parsed.success) return undefined;
  const [issue] = parsed.error.issues;
  return issue === undefined ? 'not a valid value' : faultText(issue, text);
}

function faultText(issue: z.core.$ZodIssue, text: string): string {
  if (issue.code === 'too_big') {
    return `it has ${text.length} characters, expected at most ${issue.maximum}`;
  }
  return issue.message;
}

/** The text of a new policy file with these reviewers of the operators. */
export function newPolicyFileText(reviewers: readonly string[], profile: Profile): string {
  const owned =
    profile === 'akash'
      ? "#     owners: [akash1…] # the tenant's accounts"
      : "#     namespaces: [shop] # the tenant's namespaces";
  return [
    schemaLine(policyPath, 'policy'),
    '# Who may declare what. Without tenants, anyone who can merge can declare anything. A tenant declares only in its',
    '# own folders, and only this:',
    '#',
    '# tenants:',
    '#   - name: ember',
    '#     folders: [leases/ember]',
    owned,
    "#     reviewers: ['@acme/ember']",
    'apiVersion: leasehold.dev/v1',
    'kind: Policy',
    ...(reviewers.length > 0 ? [`operators: ${flow({ reviewers })}`] : []),
    '',
  ].join('\n');
}

/** An example of a declaration, valid in a folder below `leases/`. */
export function exampleText(profile: Profile): string {
  return profile === 'akash' ? akashExample : platformExample;
}

const akashExample = `${schemaLine(examplePaths.akash, 'lease')}
# An example, which leasehold does not read here. In a folder below leases/ it is a lease. Take owner, dseq, gseq and
# oseq from the tenant's lease on the chain, and the endpoints from its SDL.
apiVersion: leasehold.dev/v1
kind: Lease
spec:
  id:
    owner: akash17ye4gh0tdevfclxztxrfu53cvuq9gyzavnfxye
    dseq: '18500001' # in quotes: a number this long can lose digits
    gseq: 1
    oseq: 1
  endpoints:
    - { name: site, service: web, port: 3000, externalPort: 80 }
`;

const platformExample = `${schemaLine(examplePaths.platform, 'service')}
# An example, which leasehold does not read here. In a folder below leases/ it is a Service with a leased address.
apiVersion: v1
kind: Service
metadata:
  name: web
  namespace: shop
spec:
  type: LoadBalancer
  selector: { app: web }
  ports:
    - { name: http, port: 80, targetPort: 8080 }
`;
