import type { Prompts } from '../../../../core/cli/prompts.ts';
import { draftFault, fieldFault } from '../../init/new-declarations.ts';
import {
  type AnswerName,
  answerFault,
  defaultAnswers,
  listFault,
  listOf,
  namedText,
  type RawAnswers,
} from './raw-answers.ts';
import { concernsPools, type ExistingSetup, poolsDraft } from './setup-answers.ts';

/** The state before the other questions. */
interface OpenAnswers {
  readonly existing: ExistingSetup;
  /** True when the first pool was asked for, and not named by an option. */
  readonly isPoolAsked: boolean;
}

/** The defaults that no answer replaces yet, one on a line; empty when none is left. */
export function defaultsText(raw: RawAnswers, { existing, isPoolAsked }: OpenAnswers): string {
  const { metallb, metallbNamespace, layout, cluster, shards, branch, reviewer, engine } = raw;
  const ofMetalLB = [
    metallb === undefined &&
      `MetalLB ${defaultAnswers.metallb}; for Cilium begin again with --cilium VERSION`,
    metallbNamespace === undefined && `its namespace ${defaultAnswers.metallbNamespace}`,
    layout === undefined && 'layout pool: one MetalLB pool for each of yours',
  ];
  const ofPools = [
    ...(raw.cilium === undefined ? ofMetalLB : []),
    cluster.length === 0 && `one cluster, ${defaultAnswers.cluster}`,
    shards === undefined && 'up to about 500 leases in a cluster',
    isPoolAsked && 'one pool, announced by L2, without reserved addresses',
  ];
  return [
    ...(concernsPools(raw, existing) ? ofPools : []),
    !existing.hasPolicy && reviewer.length === 0 && 'changes of pools need no approval',
    branch === undefined && `the branch ${defaultAnswers.branch}`,
    engine === 'flux' &&
      raw.secret === undefined &&
      'a repository that Flux reads without a Secret',
  ]
    .filter((text) => text !== false)
    .join('\n');
}

/** Prompts for what has a default and is not answered yet. */
export async function askOthers(
  prompts: Prompts,
  given: RawAnswers,
  { existing, isPoolAsked }: OpenAnswers,
): Promise<RawAnswers> {
  let raw = given;
  const standard = async (name: AnswerName, message: string, value: string): Promise<void> => {
    if (raw[name] !== undefined) return;
    const fault = (answer: string): string | undefined => answerFault(name, answer, raw);
    raw = { ...raw, [name]: await prompts.text({ message, standard: value, fault }) };
  };
  const askMetalLB = async (): Promise<void> => {
    await standard(
      'metallb',
      'The MetalLB that runs, as kubectl shows its image',
      defaultAnswers.metallb,
    );
    await standard(
      'metallbNamespace',
      'The namespace that MetalLB runs in',
      defaultAnswers.metallbNamespace,
    );
    if (raw.layout === undefined) raw = { ...raw, layout: await askLayout(prompts) };
  };
  if (concernsPools(raw, existing)) {
    if (raw.cilium === undefined) await askMetalLB();
    if (raw.cluster.length === 0) raw = { ...raw, cluster: await askClusters(prompts, raw) };
    if (raw.shards === undefined) raw = { ...raw, shards: await askShards(prompts) };
    if (isPoolAsked) raw = await askPools(prompts, raw, existing);
  }
  if (!existing.hasPolicy && raw.reviewer.length === 0) {
    raw = { ...raw, reviewer: await askReviewers(prompts, raw) };
  }
  await standard('branch', 'The branch that is applied', defaultAnswers.branch);
  if (raw.engine !== 'flux' || raw.secret !== undefined) return raw;
  const secret = await prompts.text({
    message: 'The Secret with the credentials of the repository, for Flux; empty for a public one',
    fault: (text) => (text === '' ? undefined : answerFault('secret', text, raw)),
  });
  return secret === '' ? raw : { ...raw, secret };
}

function askLayout(prompts: Prompts): Promise<string> {
  return prompts.choice({
    message: "How are MetalLB's pools cut? This is fixed once there are leases",
    options: [
      {
        value: 'pool',
        label: 'pool: one MetalLB pool for each of yours',
        hint: 'a lease only adds a Service; needs Kubernetes 1.31',
      },
      {
        value: 'lease',
        label: 'lease: one MetalLB pool for each leased address',
        hint: 'for any Kubernetes; slower with every lease',
      },
    ],
    initial: 'pool',
  });
}

async function askClusters(prompts: Prompts, raw: RawAnswers): Promise<readonly string[]> {
  const answer = await prompts.text({
    message: 'The names of the clusters, with a comma between two; the first is the default one',
    standard: defaultAnswers.cluster,
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
      { value: '1', label: 'up to about 500: one Application or Kustomization' },
      { value: '16', label: 'up to about 8,000: 16 of them' },
      { value: '256', label: 'more: 256 of them' },
    ],
    initial: '1',
  });
}

async function askReviewers(prompts: Prompts, raw: RawAnswers): Promise<readonly string[]> {
  const answer = await prompts.text({
    message:
      'Who approves changes of pools and policy? @user, @org/team or mail; empty: no approval',
    example: '@acme/network',
    fault: (text) =>
      text === '' ? undefined : listFault(text, (part) => answerFault('reviewer', part, raw)),
  });
  return listOf(answer);
}

/** Prompts for the details of the first pool, and for further pools. */
async function askPools(
  prompts: Prompts,
  given: RawAnswers,
  existing: ExistingSetup,
): Promise<RawAnswers> {
  let raw = given;
  for (const [name] of raw.pool.map(namedText)) {
    raw = await askDetails(prompts, raw, existing, name);
  }
  while (await prompts.confirm('Is there another pool?')) {
    raw = await askPool(prompts, raw, existing);
  }
  return raw;
}

/** Prompts for a pool, which is validated together with those before it. */
async function askPool(
  prompts: Prompts,
  raw: RawAnswers,
  existing: ExistingSetup,
): Promise<RawAnswers> {
  const name = await prompts.text({
    message: 'The name of the pool',
    example: 'edge',
    fault: (text) => {
      const isTaken = raw.pool.some((other) => other.startsWith(`${text}=`));
      return fieldFault('dnsLabel', text) ?? (isTaken ? 'a pool with this name exists' : undefined);
    },
  });
  const pool = (text: string): readonly string[] => [...raw.pool, `${name}=${text}`];
  const addresses = await prompts.text({
    message: `The addresses of ${name}, with a comma between two`,
    example: '198.51.100.0/28',
    fault: (text) =>
      listFault(text, (part) => fieldFault('poolRange', part)) ??
      draftFault(poolsDraft({ ...raw, pool: pool(text) }, existing)),
  });
  return askDetails(prompts, { ...raw, pool: pool(addresses) }, existing, name);
}

async function askDetails(
  prompts: Prompts,
  raw: RawAnswers,
  existing: ExistingSetup,
  name: string,
): Promise<RawAnswers> {
  const held = (text: string): readonly string[] =>
    listOf(text).length > 0 ? [...raw.reserved, `${name}=${text}`] : raw.reserved;
  const reserved = await prompts.text({
    message: `Those of ${name} that are never given out, such as gateways; empty for none`,
    fault: (text) =>
      text === ''
        ? undefined
        : (listFault(text, (part) => fieldFault('poolRange', part)) ??
          draftFault(poolsDraft({ ...raw, reserved: held(text) }, existing))),
  });
  const zone = await prompts.text({
    message: `The zone of ${name}, which leases name to get an address of it`,
    standard: defaultAnswers.zone,
    fault: (text) => fieldFault('dnsLabel', text),
  });
  const advertise = await prompts.choice({
    message: `How is ${name} announced?`,
    options: [
      { value: 'l2', label: 'L2: by ARP and NDP' },
      { value: 'bgp', label: 'BGP' },
    ],
    initial: 'l2',
  });
  return {
    ...raw,
    reserved: held(reserved),
    zone: [...raw.zone, `${name}=${zone}`],
    bgp: advertise === 'bgp' ? [...raw.bgp, name] : raw.bgp,
  };
}
