import { UsageError } from '../../../../core/cli/failure.ts';
import type { Prompts } from '../../../../core/cli/prompts.ts';
import { forgeNames, forgeOf, forges } from '../../../../core/model/forges/forges.ts';
import { engineOf } from '../../../../core/model/repository-paths.ts';
import { draftFault, fieldFault } from '../../init/new-declarations.ts';
import { clusterServers } from '../cluster-servers.ts';
import { type LiveSite, withoutPools } from './live-site.ts';
import { askOthers, defaultsText } from './other-questions.ts';
import { type AnswerName, answerFault, listFault, type RawAnswers } from './raw-answers.ts';
import { concernsPools, type ExistingSetup, needsProvider, poolsDraft } from './setup-answers.ts';

/** The facts that a set-up has without prompts. */
interface KnownAnswers {
  readonly existing: ExistingSetup;
  /** The address of `origin`, when it has one that an engine can read. */
  readonly repo: string | undefined;
  /** Asks for everything, also for what has a default. */
  readonly isAdvanced: boolean;
  /** Reads the live cluster, or says why it cannot be read; undefined when there is none. */
  readonly readCluster: ((raw: RawAnswers) => Promise<LiveSite | string>) | undefined;
  /** Allows it without a prompt. */
  readonly isClusterRead: boolean;
}

/** All answers, and the cluster that is taken over. */
interface AskedAnswers {
  readonly raw: RawAnswers;
  readonly live: LiveSite | undefined;
}

/** The name of the first pool, when only its addresses are asked for. */
const firstPool = 'default';

/**
 * Prompts for what the options do not give and has no default, and, on request, for the rest.
 * Each answer is validated at once.
 */
export async function askAnswers(
  prompts: Prompts,
  given: RawAnswers,
  known: KnownAnswers,
): Promise<AskedAnswers> {
  let raw = await askProfile(prompts, given, known.existing);
  const live = await askCluster(prompts, raw, known);
  const existing = live?.existing ?? known.existing;
  if (live) raw = withoutPools(raw);
  if (concernsPools(raw, existing)) raw = await askFirstPool(prompts, raw, existing);
  raw = await askForge(prompts, raw);
  raw = await askEngine(prompts, raw, known.repo);
  raw = await askTool(prompts, raw);
  const open = { existing, isPoolAsked: given.pool.length === 0 && raw.pool.length > 0 };
  if (known.isAdvanced || (await isOpen(prompts, defaultsText(raw, open)))) {
    raw = await askOthers(prompts, raw, open);
  }
  return { raw: await askServers(prompts, raw, existing), live };
}

async function askCluster(
  prompts: Prompts,
  raw: RawAnswers,
  { existing, readCluster, isClusterRead }: KnownAnswers,
): Promise<LiveSite | undefined> {
  if (!readCluster || existing.pools !== undefined || raw.pool.length > 0) return undefined;
  const isAllowed =
    isClusterRead ||
    (await prompts.confirm(
      'Look into the cluster of your kubeconfig for pools of MetalLB and their Services? It is only read',
    ));
  if (!isAllowed) return undefined;
  const found = await readCluster(raw);
  prompts.show(typeof found === 'string' ? found : found.text);
  if (typeof found === 'string') return undefined;
  const isTaken = await prompts.confirm('Declare them? Every Service keeps its address', true);
  return isTaken ? found : undefined;
}

async function isOpen(prompts: Prompts, defaults: string): Promise<boolean> {
  if (defaults === '') return false;
  const list = defaults.replace(/^/gm, '  ');
  prompts.show(`The rest has defaults, which you can edit before the first lease:\n${list}`);
  return prompts.confirm('Change a default now?');
}

async function askProfile(
  prompts: Prompts,
  given: RawAnswers,
  existing: ExistingSetup,
): Promise<RawAnswers> {
  let raw = given;
  if (raw.for === undefined && existing.pools === undefined) {
    const answer = await prompts.choice({
      message: 'Who are you?',
      options: [
        { value: 'akash', label: 'a provider of Akash' },
        { value: 'platform', label: 'a platform team with MetalLB, without Akash' },
      ],
    });
    raw = { ...raw, for: answer };
  }
  if (!needsProvider(raw, existing)) return raw;
  const provider = await askAnswer(prompts, 'provider', raw, {
    message: "The provider's address",
    example: 'akash1…',
  });
  return { ...raw, provider };
}

async function askFirstPool(
  prompts: Prompts,
  raw: RawAnswers,
  existing: ExistingSetup,
): Promise<RawAnswers> {
  if (raw.pool.length > 0) return raw;
  const pool = (text: string): readonly string[] => [`${firstPool}=${text}`];
  const addresses = await prompts.text({
    message: 'The addresses to lease: blocks or ranges, with a comma between two',
    example: '203.0.113.64/27, 2001:db8:30::10-2001:db8:30::ff',
    fault: (text) =>
      listFault(text, (part) => fieldFault('poolRange', part)) ??
      draftFault(poolsDraft({ ...raw, pool: pool(text) }, existing)),
  });
  return { ...raw, pool: pool(addresses) };
}

async function askForge(prompts: Prompts, raw: RawAnswers): Promise<RawAnswers> {
  if (raw.forge !== undefined) return raw;
  const forge = await prompts.choice({
    message: 'Where are pull requests reviewed?',
    options: [
      ...forgeNames.map((value) => ({ value, label: forges[value].label })),
      { value: 'none', label: 'elsewhere' },
    ],
  });
  return { ...raw, forge };
}

async function askEngine(
  prompts: Prompts,
  given: RawAnswers,
  origin: string | undefined,
): Promise<RawAnswers> {
  let raw = given;
  if (raw.engine === undefined) {
    const engine = await prompts.choice({
      message: 'What applies the manifests?',
      options: [
        { value: 'argocd', label: 'Argo CD' },
        { value: 'flux', label: 'Flux' },
        { value: 'none', label: 'something else: kubectl apply' },
      ],
    });
    raw = { ...raw, engine };
  }
  if (!engineOf(raw.engine) || raw.repo !== undefined) return raw;
  if (origin !== undefined && answerFault('repo', origin, raw) === undefined) {
    return { ...raw, repo: origin };
  }
  const repo = await askAnswer(prompts, 'repo', raw, {
    message: 'The git repository of these leases, without credentials',
    example: 'https://git.example.com/acme/leases.git',
  });
  return { ...raw, repo };
}

async function askTool(prompts: Prompts, raw: RawAnswers): Promise<RawAnswers> {
  const { leasehold } = raw;
  if (leasehold !== undefined && answerFault('leasehold', leasehold, raw) === undefined) return raw;
  const forge = forgeOf(raw.forge);
  const answer = await askAnswer(prompts, 'leasehold', raw, {
    message: 'The leasehold to install: a release tarball, or a git address with #VERSION',
    example: forge === undefined ? './leasehold-0.1.0.tgz' : forges[forge].toolExample,
  });
  return { ...raw, leasehold: answer };
}

/**
 * Prompts for API servers when there are several clusters: a single one is the cluster that Argo CD
 * runs in.
 */
async function askServers(
  prompts: Prompts,
  raw: RawAnswers,
  { pools }: ExistingSetup,
): Promise<RawAnswers> {
  if (raw.engine !== 'argocd' || raw.server.length > 0) return raw;
  const known =
    raw.cluster.length > 0 ? raw.cluster : (pools?.clusters ?? []).map(({ name }) => name);
  if (known.length < 2) return raw;
  const server: string[] = [];
  for (const name of known) {
    const asked = known.slice(0, server.length + 1).map((one) => ({ name: one }));
    const answer = await prompts.text({
      message: `The API server of ${name}, as Argo CD knows it`,
      example: 'https://kubernetes.default.svc',
      fault: (text) => usageFault(() => clusterServers(asked, [...server, `${name}=${text}`])),
    });
    server.push(`${name}=${answer}`);
  }
  return { ...raw, server };
}

function usageFault(check: () => unknown): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
}

function askAnswer(
  prompts: Prompts,
  name: AnswerName,
  raw: RawAnswers,
  question: { readonly message: string; readonly example: string },
): Promise<string> {
  return prompts.text({ ...question, fault: (text) => answerFault(name, text, raw) });
}
