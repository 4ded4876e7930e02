import { UsageError } from '../../../../core/cli/failure.ts';
import { forgeOf } from '../../../../core/model/forges/forges.ts';
import {
  type Layout,
  lastingLayouts,
  type Plane,
  planeNames,
  usualCilium,
} from '../../../../core/model/planes.ts';
import { type Cluster, type Pools, shardCounts } from '../../../../core/model/pools.ts';
import { engineOf } from '../../../../core/model/repository-paths.ts';
import type { AdoptionTerms } from '../../../../lib/kubernetes/adoption.ts';
import { fieldFault } from '../../init/new-declarations.ts';
import {
  type PoolDraft,
  type PoolsDraft,
  type Profile,
  profiles,
  type SetupAnswers,
} from '../../init/setup.ts';
import { parseTool } from '../../init/tool.ts';
import { clusterServers } from '../cluster-servers.ts';
import {
  type AnswerName,
  answerFault,
  defaultAnswers,
  listFault,
  listOf,
  namedText,
  optionOf,
  type RawAnswers,
} from './raw-answers.ts';

/** The leasehold files of a repository before it is set up. */
export interface ExistingSetup {
  /** The existing pool file. */
  readonly pools: Pools | undefined;
  readonly hasPolicy: boolean;
}

/** The validated answers, or all missing options and all faults. */
export type ReadAnswers =
  | { readonly ok: true; readonly answers: SetupAnswers }
  | { readonly ok: false; readonly missing: readonly string[]; readonly faults: readonly string[] };

/** Validates answers. An existing pool file or policy is kept when no answer is about it. */
export function readAnswers(raw: RawAnswers, existing: ExistingSetup): ReadAnswers {
  const missing = missingOptions(raw, existing);
  const faults = [
    ...answerFaults(raw),
    ...poolFaults(raw),
    ...unusedOptions(raw),
    ...serverFaults(raw, existing),
    ...(concernsPools(raw, existing) ? [] : otherFaults(raw, existing.pools)),
  ];
  const tool = parseTool(raw.leasehold ?? '', forgeOf(raw.forge));
  if (missing.length > 0 || faults.length > 0 || typeof tool === 'string') {
    return { ok: false, missing, faults };
  }
  const { repo = '', secret, branch = defaultAnswers.branch } = raw;
  const kind = engineOf(raw.engine);
  return {
    ok: true,
    answers: {
      profile: profileOf(raw, existing),
      pools: concernsPools(raw, existing) ? poolsDraft(raw, existing) : undefined,
      provider: raw.provider,
      reviewers: existing.hasPolicy && raw.reviewer.length === 0 ? undefined : raw.reviewer,
      engine: kind && { kind, repo, secret },
      forge: forgeOf(raw.forge),
      branch,
      tool,
    },
  };
}

/** True when the answers describe a pool file: there is none yet, or they name pools. */
export function concernsPools(raw: RawAnswers, { pools }: ExistingSetup): boolean {
  const lists = ['pool', 'reserved', 'zone', 'bgp'] as const;
  return pools === undefined || lists.some((name) => raw[name].length > 0);
}

/** True when the set-up needs the address of an Akash provider. */
export function needsProvider(raw: RawAnswers, existing: ExistingSetup): boolean {
  if (profileOf(raw, existing) !== 'akash' || raw.provider !== undefined) return false;
  return concernsPools(raw, existing) || !hasProvider(existing.pools);
}

function hasProvider(pools: Pools | undefined): boolean {
  return pools?.clusters.some(({ provider }) => provider !== undefined) ?? false;
}

/** The profile: the answer, or else that of the existing pool file. */
export function profileOf(raw: RawAnswers, { pools }: ExistingSetup): Profile {
  const asked = profiles.find((profile) => profile === raw.for);
  if (asked) return asked;
  const isAkash = pools !== undefined && raw.provider !== undefined;
  return isAkash || hasProvider(pools) ? 'akash' : 'platform';
}

/** The answers about the data plane that a live cluster does not give. Throws for invalid ones. */
export function readTerms(raw: RawAnswers): Omit<AdoptionTerms, 'today'> {
  const others = ['cluster', 'pool', 'reserved', 'zone', 'bgp'] as const;
  const faults = [
    ...answerFaults(raw),
    ...others.flatMap((name) =>
      raw[name].length > 0 ? [`${optionOf(name)} cannot be combined with --from-cluster`] : [],
    ),
  ];
  if (faults.length > 0) throw new UsageError(faults.join('; '));
  const { provider, metallb, cilium } = raw;
  return { provider, metallb, cilium, layout: layoutOf(raw) };
}

/** The draft of a pool file from valid answers. */
export function poolsDraft(raw: RawAnswers, existing: ExistingSetup): PoolsDraft {
  const shards = shardCounts.find((count) => String(count) === raw.shards) ?? 1;
  return {
    profile: profileOf(raw, existing),
    provider: raw.provider,
    plane: planeDraft(raw),
    clusters: raw.cluster.length > 0 ? raw.cluster : [defaultAnswers.cluster],
    shards,
    pools: raw.pool.map((text) => poolDraft(text, raw)),
  };
}

function planeDraft(raw: RawAnswers): PoolsDraft['plane'] {
  const { metallb, metallbNamespace, cilium } = raw;
  const layout = layoutOf(raw) ?? 'pool';
  if (cilium !== undefined) {
    return { kind: 'cilium', version: cilium, namespace: usualCilium.namespace, layout };
  }
  return {
    kind: 'metallb',
    version: metallb ?? defaultAnswers.metallb,
    namespace: metallbNamespace ?? defaultAnswers.metallbNamespace,
    layout,
  };
}

function layoutOf(raw: RawAnswers): Layout | undefined {
  return lastingLayouts.find((layout) => layout === raw.layout);
}

function poolDraft(text: string, raw: RawAnswers): PoolDraft {
  const [name, addresses] = namedText(text);
  const own = (texts: readonly string[]): readonly string[] =>
    texts.map(namedText).flatMap(([of, rest]) => (of === name ? listOf(rest) : []));
  return {
    name,
    zone: own(raw.zone)[0] ?? defaultAnswers.zone,
    addresses: listOf(addresses),
    reserved: own(raw.reserved),
    advertise: raw.bgp.includes(name) ? 'bgp' : 'l2',
  };
}

function missingOptions(raw: RawAnswers, existing: ExistingSetup): readonly string[] {
  const isPools = concernsPools(raw, existing);
  return [
    ...(raw.for === undefined && existing.pools === undefined
      ? [`--for ${profiles.join('|')}`]
      : []),
    ...(needsProvider(raw, existing) ? ['--provider ADDRESS'] : []),
    ...(isPools && raw.pool.length === 0 ? ['--pool NAME=ADDRESSES'] : []),
    ...(engineOf(raw.engine) && raw.repo === undefined ? ['--repo URL'] : []),
    ...(raw.leasehold === undefined ? ['--leasehold SOURCE'] : []),
  ];
}

/** Not printed: a repository's address may contain a password. */
const unshown: readonly AnswerName[] = ['repo', 'leasehold'];

const single: readonly AnswerName[] = [
  'for',
  'provider',
  'metallb',
  'metallbNamespace',
  'cilium',
  'layout',
  'cluster',
  'shards',
  'reviewer',
  'engine',
  'repo',
  'secret',
  'branch',
  'forge',
  'leasehold',
];

function answerFaults(raw: RawAnswers): readonly string[] {
  return single.flatMap((name) => {
    const texts = [raw[name] ?? []].flat();
    return texts.flatMap((text) => {
      const fault = answerFault(name, text, raw);
      if (fault === undefined) return [];
      const shown = unshown.includes(name) || fault.includes(`'${text}'`) ? '' : ` '${text}'`;
      return [`${optionOf(name)}${shown}: ${fault}`];
    });
  });
}

function poolFaults(raw: RawAnswers): readonly string[] {
  const names = raw.pool.map((text) => namedText(text)[0]);
  const entryFault = (
    option: string,
    text: string,
    fault: string | undefined,
  ): readonly string[] => (fault === undefined ? [] : [`${option} '${text}': ${fault}`]);
  const known = (name: string): string | undefined =>
    names.includes(name)
      ? undefined
      : `there is no --pool ${name === '' ? 'without a name' : name}`;
  const address = (part: string): string | undefined => fieldFault('poolRange', part);
  return [
    ...raw.pool.flatMap((text) => {
      const [name, rest] = namedText(text);
      const fault = fieldFault('dnsLabel', name);
      return entryFault('--pool', text, fault ? `the name: ${fault}` : listFault(rest, address));
    }),
    ...raw.reserved.flatMap((text) => {
      const [name, rest] = namedText(text);
      return entryFault('--reserved', text, known(name) ?? listFault(rest, address));
    }),
    ...raw.zone.flatMap((text) => {
      const [name, rest] = namedText(text);
      return entryFault('--zone', text, known(name) ?? fieldFault('dnsLabel', rest));
    }),
    ...raw.bgp.flatMap((text) => entryFault('--bgp', text, known(text))),
  ];
}

/** Faults of options that have no effect. */
function unusedOptions(raw: RawAnswers): readonly string[] {
  const { engine = 'none' } = raw;
  const ofMetalLB = (['metallb', 'metallbNamespace', 'layout'] as const).map(
    (name) =>
      [
        raw.cilium !== undefined && raw[name] !== undefined,
        `${optionOf(name)} is for MetalLB, and --cilium names Cilium`,
      ] as const,
  );
  const useless: readonly (readonly [boolean, string])[] = [
    ...ofMetalLB,
    [raw.provider !== undefined && raw.for === 'platform', '--provider is for --for akash'],
    [raw.repo !== undefined && engine === 'none', '--repo is for --engine argocd or flux'],
    [raw.secret !== undefined && engine !== 'flux', '--secret is for --engine flux'],
    [raw.server.length > 0 && engine !== 'argocd', '--server is for --engine argocd'],
  ];
  return useless.flatMap(([is, text]) => (is ? [text] : []));
}

/** Faults of options that the existing pool file answers otherwise. */
function otherFaults(raw: RawAnswers, pools: Pools | undefined): readonly string[] {
  const clusters = pools?.clusters ?? [];
  const fault = (
    option: string,
    value: string | undefined,
    ownOf: (cluster: Cluster) => string | undefined,
  ): readonly string[] => {
    const other = clusters.map(ownOf).find((own) => own !== undefined && own !== value);
    return value === undefined || other === undefined
      ? []
      : [`${option} ${value}: leases/pools.yaml declares ${other}; change it there`];
  };
  return [
    ...fault('--provider', raw.provider, ({ provider }) => provider),
    ...fault('--metallb', raw.metallb, ({ plane }) => versionIf('metallb', plane)),
    ...fault('--cilium', raw.cilium, ({ plane }) => versionIf('cilium', plane)),
    ...fault('--metallb-namespace', raw.metallbNamespace, ({ plane }) => plane.namespace),
    ...fault('--layout', raw.layout, ({ plane }) => plane.layout),
    ...fault('--shards', raw.shards, ({ shards }) => String(shards)),
    ...raw.cluster
      .filter((name) => clusters.every((one) => one.name !== name))
      .map((name) => `--cluster ${name}: leases/pools.yaml does not declare it; add it there`),
  ];
}

/** The version of a plane of a kind, or the name of another one. */
function versionIf(kind: Plane['kind'], plane: Plane): string {
  return plane.kind === kind ? plane.version : planeNames[plane.kind];
}

function serverFaults(raw: RawAnswers, existing: ExistingSetup): readonly string[] {
  if (raw.engine !== 'argocd') return [];
  const given = raw.cluster.length > 0 ? raw.cluster : [defaultAnswers.cluster];
  const known = existing.pools?.clusters.map(({ name }) => name);
  const names = raw.cluster.length === 0 && known ? known : given;
  try {
    clusterServers(
      names.map((name) => ({ name })),
      raw.server,
    );
    return [];
  } catch (error) {
    if (error instanceof UsageError) return [error.message];
    throw error;
  }
}
