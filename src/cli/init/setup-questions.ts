import { draftFault, fieldFault } from '../../features/delivery/init/new-declarations.ts';
import { clusterServers } from '../declared-names.ts';
import { UsageError } from '../failure.ts';
import type { Prompts } from './prompts.ts';
import {
  type AnswerName,
  answerFault,
  defaultAnswers,
  listFault,
  listOf,
  type RawAnswers,
} from './raw-answers.ts';
import { concernsPools, type ExistingSetup, poolsDraft, profileOf } from './setup-answers.ts';

/**
 * Prompts for each answer that the options do not give, and returns all answers. Each is validated
 * at once.
 */
export async function askAnswers(
  prompts: Prompts,
  given: RawAnswers,
  existing: ExistingSetup,
): Promise<RawAnswers> {
  let raw = await askProfile(prompts, given, existing);
  if (concernsPools(raw, existing)) raw = await askPools(prompts, raw, existing);
  if (!existing.hasPolicy && raw.reviewer.length === 0) {
    raw = { ...raw, reviewer: await askReviewers(prompts, raw) };
  }
  raw = await askEngine(prompts, raw, existing);
  raw = await askForge(prompts, raw);
  return raw;
}

async function askProfile(
  prompts: Prompts,
  raw: RawAnswers,
  existing: ExistingSetup,
): Promise<RawAnswers> {
  if (raw.for !== undefined || existing.pools !== undefined) return raw;
  const answer = await prompts.choice({
    message: 'Who are you?',
    options: [
      { value: 'akash', label: 'a provider of Akash' },
      { value: 'platform', label: 'a platform team with MetalLB, without Akash' },
    ],
  });
  return { ...raw, for: answer };
}

async function askReviewers(prompts: Prompts, raw: RawAnswers): Promise<readonly string[]> {
  const answer = await prompts.text({
    message: 'Who approves changes of pools and policy? @user, @org/team, mail; empty for nobody',
    example: '@acme/network',
    fault: (text) =>
      text === '' ? undefined : listFault(text, (part) => answerFault('reviewer', part, raw)),
  });
  return listOf(answer);
}

async function askEngine(
  prompts: Prompts,
  given: RawAnswers,
  existing: ExistingSetup,
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
  if (raw.branch === undefined) {
    raw = {
      ...raw,
      branch: await askAnswer(prompts, 'branch', raw, {
        message: 'The branch that is applied',
        initial: defaultAnswers.branch,
      }),
    };
  }
  if (raw.engine !== 'argocd' && raw.engine !== 'flux') return raw;
  if (raw.repo === undefined) {
    const message = 'The git repository of these leases, without credentials';
    raw = {
      ...raw,
      repo: await askAnswer(prompts, 'repo', raw, {
        message,
        example: 'https://git.example.com/acme/leases.git',
      }),
    };
  }
  if (raw.engine === 'argocd') return askServers(prompts, raw, existing);
  if (raw.secret !== undefined) return raw;
  const secret = await prompts.text({
    message: 'The Secret with the credentials of the repository, for Flux; empty for a public one',
    fault: (text) => (text === '' ? undefined : answerFault('secret', text, raw)),
  });
  return secret === '' ? raw : { ...raw, secret };
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
  const known =
    raw.cluster.length > 0 ? raw.cluster : (pools?.clusters ?? []).map(({ name }) => name);
  if (known.length < 2 || raw.server.length > 0) return raw;
  const server: string[] = [];
  for (const name of known) {
    const asked = known
      .slice(0, server.length + 1)
      .map((one) => ({ name: one, shards: 1 as const }));
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

async function askForge(prompts: Prompts, given: RawAnswers): Promise<RawAnswers> {
  let raw = given;
  if (raw.forge === undefined) {
    const forge = await prompts.choice({
      message: 'Where are pull requests reviewed?',
      options: [
        { value: 'github', label: 'GitHub' },
        { value: 'gitlab', label: 'GitLab' },
        { value: 'none', label: 'elsewhere' },
      ],
    });
    raw = { ...raw, forge };
  }
  if (raw.leasehold !== undefined) return raw;
  const message = 'Your copy of leasehold, and the commit to run: URL#COMMIT';
  const example = `https://git.example.com/OWNER/leasehold.git#${'0'.repeat(40)}`;
  return { ...raw, leasehold: await askAnswer(prompts, 'leasehold', raw, { message, example }) };
}

function askAnswer(
  prompts: Prompts,
  name: AnswerName,
  raw: RawAnswers,
  question: { readonly message: string; readonly initial?: string; readonly example?: string },
): Promise<string> {
  return prompts.text({ ...question, fault: (text) => answerFault(name, text, raw) });
}

/**
 * Prompts for the contents of a pool file. Each pool is validated together with those before it.
 */
async function askPools(
  prompts: Prompts,
  given: RawAnswers,
  existing: ExistingSetup,
): Promise<RawAnswers> {
  let raw = given;
  const text = async (name: AnswerName, message: string, initial?: string): Promise<void> => {
    if (raw[name] !== undefined) return;
    const fault = (answer: string): string | undefined => answerFault(name, answer, raw);
    const shown = initial === undefined ? {} : { initial };
    raw = { ...raw, [name]: await prompts.text({ message, ...shown, fault }) };
  };
  if (profileOf(raw, existing) === 'akash')
    await text('provider', "The provider's address, akash1…");
  await text(
    'metallb',
    'The MetalLB that runs, as kubectl shows its image',
    defaultAnswers.metallb,
  );
  await text(
    'metallbNamespace',
    'The namespace that MetalLB runs in',
    defaultAnswers.metallbNamespace,
  );
  if (raw.cluster.length === 0) raw = { ...raw, cluster: await askClusters(prompts, raw) };
  if (raw.shards === undefined) raw = { ...raw, shards: await askShards(prompts) };
  if (raw.pool.length > 0) return raw;
  do {
    raw = await askPool(prompts, raw, existing);
  } while (await prompts.confirm('Is there another pool?'));
  return raw;
}

async function askClusters(prompts: Prompts, raw: RawAnswers): Promise<readonly string[]> {
  const answer = await prompts.text({
    message: 'The names of the clusters, with a comma between two; the first is the default one',
    initial: defaultAnswers.cluster,
    fault: (text) => {
      const names = listOf(text);
      const twice = names.find((name, index) => names.indexOf(name) < index);
      return (
        listFault(text, (part) => answerFault('cluster', part, raw)) ??
        (twice && `${twice} is listed twice`)
      );
    },
  });
  return listOf(answer);
}

function askShards(prompts: Prompts): Promise<string> {
  return prompts.choice({
    message: 'How many leases will a cluster have? This is fixed once it has some',
    options: [
      { value: '1', label: 'up to some 500: one Application or Kustomization' },
      { value: '16', label: 'up to some 8,000: 16 of them' },
      { value: '256', label: 'more: 256 of them' },
    ],
    initial: '1',
  });
}

async function askPool(
  prompts: Prompts,
  raw: RawAnswers,
  existing: ExistingSetup,
): Promise<RawAnswers> {
  const isFirst = raw.pool.length === 0;
  const address = (part: string): string | undefined => fieldFault('poolRange', part);
  /** The fault that the pool file would have with these answers added. */
  const whole = (added: Partial<RawAnswers>): string | undefined =>
    draftFault(poolsDraft({ ...raw, ...added }, existing));
  const name = await prompts.text({
    message: 'The name of a pool',
    ...(isFirst ? { initial: 'default' } : {}),
    fault: (text) => {
      const isTaken = raw.pool.some((other) => other.startsWith(`${text}=`));
      return fieldFault('dnsLabel', text) ?? (isTaken ? 'a pool with this name exists' : undefined);
    },
  });
  const pool = (text: string): readonly string[] => [...raw.pool, `${name}=${text}`];
  const addresses = await prompts.text({
    message: `The addresses of ${name}, with a comma between two`,
    example: '203.0.113.64/27, 2001:db8:30::10-2001:db8:30::ff',
    fault: (text) => listFault(text, address) ?? whole({ pool: pool(text) }),
  });
  const held = (text: string): readonly string[] =>
    listOf(text).length > 0 ? [...raw.reserved, `${name}=${text}`] : raw.reserved;
  const reserved = await prompts.text({
    message: `Those of ${name} that are never given out, such as gateways; empty for none`,
    fault: (text) =>
      text === ''
        ? undefined
        : (listFault(text, address) ?? whole({ pool: pool(addresses), reserved: held(text) })),
  });
  const zone = await prompts.text({
    message: `The zone of ${name}, which leases name to get an address of it`,
    initial: defaultAnswers.zone,
    fault: (text) => fieldFault('dnsLabel', text),
  });
  const advertise = await prompts.choice({
    message: `How does MetalLB announce ${name}?`,
    options: [
      { value: 'l2', label: 'L2: by ARP and NDP' },
      { value: 'bgp', label: 'BGP' },
    ],
    initial: 'l2',
  });
  return {
    ...raw,
    pool: pool(addresses),
    reserved: held(reserved),
    zone: [...raw.zone, `${name}=${zone}`],
    bgp: advertise === 'bgp' ? [...raw.bgp, name] : raw.bgp,
  };
}
