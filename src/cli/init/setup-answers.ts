import { fieldFault } from '../../features/delivery/init/new-declarations.ts';
import type {
  PoolDraft,
  PoolsDraft,
  Profile,
  SetupAnswers,
} from '../../features/delivery/init/setup.ts';
import { parseTool } from '../../features/delivery/init/tool.ts';
import type { Layout, Pools, Shards } from '../../model/pools.ts';
import { UsageError } from '../failure.ts';
import { clusterServers } from '../gitops-values.ts';
import {
  choices,
  forgeOf,
  listFault,
  listOf,
  namedText,
  optionOf,
  type SetupWord,
  type SetupWords,
  usual,
  wordFault,
} from './setup-words.ts';

/** What is in a repository before it is set up. */
export interface SetupGround {
  /** The pool file that is there. */
  readonly pools: Pools | undefined;
  readonly hasPolicy: boolean;
}

/** What was said, once it is complete and sound; else all that it lacks, and all that is wrong with it. */
export type ReadAnswers =
  | { readonly ok: true; readonly answers: SetupAnswers }
  | { readonly ok: false; readonly missing: readonly string[]; readonly faults: readonly string[] };

/** Reads what was said of a new repository. A pool file or policy that is there stays when nothing is said of it. */
export function readAnswers(words: SetupWords, ground: SetupGround): ReadAnswers {
  const missing = missingWords(words, ground);
  const faults = [
    ...wordFaults(words),
    ...poolFaults(words),
    ...uselessWords(words),
    ...serverFaults(words, ground),
  ];
  const tool = parseTool(words.leasehold ?? '', forgeOf(words));
  if (missing.length > 0 || faults.length > 0 || typeof tool === 'string') {
    return { ok: false, missing, faults };
  }
  const { repo = '', secret, branch = usual.branch } = words;
  const kind = words.engine === 'argocd' || words.engine === 'flux' ? words.engine : undefined;
  return {
    ok: true,
    answers: {
      profile: profileOf(words, ground),
      pools: saysPools(words, ground) ? poolsDraft(words, ground) : undefined,
      reviewers: ground.hasPolicy && words.reviewer.length === 0 ? undefined : words.reviewer,
      engine: kind && { kind, repo, secret },
      forge: forgeOf(words),
      branch,
      tool,
    },
  };
}

/** True when a pool file is to be made, or one that is there compared with what is said. */
export function saysPools(words: SetupWords, { pools }: SetupGround): boolean {
  const single = ['provider', 'metallb', 'metallbNamespace', 'layout', 'shards'] as const;
  const lists = ['cluster', 'pool', 'reserved', 'zone', 'bgp'] as const;
  return (
    pools === undefined ||
    single.some((word) => words[word] !== undefined) ||
    lists.some((word) => words[word].length > 0)
  );
}

/** Who the repository is for: whom the pool file is for, where nobody says it. */
export function profileOf(words: SetupWords, { pools }: SetupGround): Profile {
  if (words.for === 'akash' || words.for === 'platform') return words.for;
  return pools?.clusters.some(({ provider }) => provider !== undefined) ? 'akash' : 'platform';
}

/** What a new pool file says, of words that are sound. */
export function poolsDraft(words: SetupWords, ground: SetupGround): PoolsDraft {
  const layout: Layout = words.layout === 'lease' ? 'lease' : 'pool';
  const shards: Shards = words.shards === '16' ? 16 : words.shards === '256' ? 256 : 1;
  const { metallb: version = usual.metallb, metallbNamespace = usual.metallbNamespace } = words;
  return {
    profile: profileOf(words, ground),
    provider: words.provider,
    metallb: { version, namespace: metallbNamespace, layout },
    clusters: words.cluster.length > 0 ? words.cluster : [usual.cluster],
    shards,
    pools: words.pool.map((text) => poolDraft(text, words)),
  };
}

function poolDraft(text: string, words: SetupWords): PoolDraft {
  const [name, addresses] = namedText(text);
  const own = (texts: readonly string[]): readonly string[] =>
    texts.map(namedText).flatMap(([of, rest]) => (of === name ? listOf(rest) : []));
  return {
    name,
    zone: own(words.zone)[0] ?? usual.zone,
    addresses: listOf(addresses),
    reserved: own(words.reserved),
    advertise: words.bgp.includes(name) ? 'bgp' : 'l2',
  };
}

function missingWords(words: SetupWords, ground: SetupGround): readonly string[] {
  const isEngine = words.engine === 'argocd' || words.engine === 'flux';
  const isPools = saysPools(words, ground);
  return [
    ...(words.for === undefined && ground.pools === undefined ? ['--for akash|platform'] : []),
    ...(isPools && profileOf(words, ground) === 'akash' && words.provider === undefined
      ? ['--provider ADDRESS']
      : []),
    ...(isPools && words.pool.length === 0 ? ['--pool NAME=ADDRESSES'] : []),
    ...(isEngine && words.repo === undefined ? ['--repo URL'] : []),
    ...(words.leasehold === undefined ? ['--leasehold URL#COMMIT'] : []),
  ];
}

/** Addresses of repositories are not repeated: they may hold a password. */
const unshown: readonly SetupWord[] = ['repo', 'leasehold'];

const single: readonly SetupWord[] = [
  'for',
  'provider',
  'metallb',
  'metallbNamespace',
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

function wordFaults(words: SetupWords): readonly string[] {
  return single.flatMap((word) => {
    const texts = [words[word] ?? []].flat();
    return texts.flatMap((text) => {
      const fault = wordFault(word, text, words);
      if (fault === undefined) return [];
      const shown = unshown.includes(word) || fault.includes(`'${text}'`) ? '' : ` '${text}'`;
      return [`${optionOf(word)}${shown}: ${fault}`];
    });
  });
}

function poolFaults(words: SetupWords): readonly string[] {
  const names = words.pool.map((text) => namedText(text)[0]);
  const told = (option: string, text: string, fault: string | undefined): readonly string[] =>
    fault === undefined ? [] : [`${option} '${text}': ${fault}`];
  const known = (name: string): string | undefined =>
    names.includes(name)
      ? undefined
      : `there is no --pool ${name === '' ? 'without a name' : name}`;
  const address = (part: string): string | undefined => fieldFault('poolRange', part);
  return [
    ...words.pool.flatMap((text) => {
      const [name, rest] = namedText(text);
      const fault = fieldFault('dnsLabel', name);
      return told('--pool', text, fault ? `the name: ${fault}` : listFault(rest, address));
    }),
    ...words.reserved.flatMap((text) => {
      const [name, rest] = namedText(text);
      return told('--reserved', text, known(name) ?? listFault(rest, address));
    }),
    ...words.zone.flatMap((text) => {
      const [name, rest] = namedText(text);
      return told('--zone', text, known(name) ?? fieldFault('dnsLabel', rest));
    }),
    ...words.bgp.flatMap((text) => told('--bgp', text, known(text))),
  ];
}

/** Words that would do nothing. */
function uselessWords(words: SetupWords): readonly string[] {
  const { engine = choices.engine[0] } = words;
  const useless: readonly (readonly [boolean, string])[] = [
    [words.provider !== undefined && words.for === 'platform', '--provider is for --for akash'],
    [words.repo !== undefined && engine === 'none', '--repo is for --engine argocd or flux'],
    [words.secret !== undefined && engine !== 'flux', '--secret is for --engine flux'],
    [words.server.length > 0 && engine !== 'argocd', '--server is for --engine argocd'],
  ];
  return useless.flatMap(([is, text]) => (is ? [text] : []));
}

function serverFaults(words: SetupWords, ground: SetupGround): readonly string[] {
  if (words.engine !== 'argocd') return [];
  const said = words.cluster.length > 0 ? words.cluster : [usual.cluster];
  const known = ground.pools?.clusters.map(({ name }) => name);
  const names = words.cluster.length === 0 && known ? known : said;
  try {
    clusterServers(
      names.map((name) => ({ name, shards: 1 })),
      words.server,
    );
    return [];
  } catch (error) {
    if (error instanceof UsageError) return [error.message];
    throw error;
  }
}
