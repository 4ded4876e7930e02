import fc from 'fast-check';
import { placementsOf } from '../../../src/core/allocate/allocate.ts';
import type { SourceTree } from '../../../src/core/interfaces/tree.ts';
import { renderDist } from '../../../src/core/manifests/render.ts';
import type { Layout } from '../../../src/core/model/planes.ts';
import { readWorkspace } from '../../../src/core/tree/workspace.ts';
import { listHolders } from '../../../src/lib/list/list.ts';
import type { ListClaim } from '../../../src/lib/list/list-answer.ts';
import { WholePlanner } from '../life/command-planner.ts';
import { lifeArbitrary } from '../life/life-arbitrary.ts';
import { clusters } from '../life/plain-workspace.ts';
import { dayOf } from '../life/planner.ts';
import { playedSteps } from '../life/played-steps.ts';
import { noHistory } from '../trees/memory-tree.ts';
import { service } from './declared.ts';
import type { KubeObject } from './kube.ts';
import { metallbNamespace } from './machines/metallb-pods.ts';
import { objectsIn } from './manifests.ts';

/** A plane whose controller is simulated, and its version. */
export interface SimulatedPlane {
  readonly kind: 'metallb' | 'cilium';
  readonly version: string;
}

/** What one commit has for a cluster: test/cluster/programs/simulated reads it. */
interface Stage {
  readonly objects: readonly KubeObject[];
  /** Each Service, `namespace/name`, to its addresses in the order of texts. Any other address is wrong. */
  readonly table: Readonly<Record<string, readonly string[]>>;
  /** Each Service to its holder. */
  readonly holders: Readonly<Record<string, string>>;
  /** True for a step of a change of the layout. */
  readonly step?: boolean;
}

/** The commits of one repository for one of its clusters, one after another. */
export type SimulatedHistory = readonly Stage[];

/** The seed of the lives that the histories come from. */
const seed = 23;

/**
 * Histories with so many tables in all, for one version of a plane: with MetalLB half of them in each layout. They are
 * the lives of test/support/life, which all of leasehold plays: what is in a stage was allocated, rendered, and passed
 * `check --base`.
 */
export async function simulatedHistories(
  plane: SimulatedPlane,
  tables: number,
): Promise<readonly SimulatedHistory[]> {
  const histories: SimulatedHistory[] = [];
  let wanted = tables;
  for (let run = 0; wanted > 0; run += 1) {
    const { played } = await playedLife(plane, run);
    for (const { stages } of played) {
      const taken = stages.slice(0, wanted);
      if (taken.length > 0) histories.push(taken);
      wanted -= taken.length;
    }
  }
  return histories;
}

/** The layouts that a cluster has one after another, with the step in between and without it. */
export const layoutWays = {
  steps: ['lease', 'both', 'pool', 'both', 'lease'],
  direct: ['lease', 'pool', 'lease'],
} as const satisfies Readonly<Record<string, readonly Layout[]>>;

/** So many histories in which nothing changes but the layout, from what lives have in the end. */
export async function layoutHistories(
  version: string,
  layouts: readonly Layout[],
  count: number,
): Promise<readonly SimulatedHistory[]> {
  const histories: SimulatedHistory[] = [];
  for (let run = 0; histories.length < count; run += 2) {
    for (const cluster of clusters) {
      const stages: Stage[] = [];
      for (const layout of layouts) {
        const stage = await lastStage({ version, run, cluster, layout });
        stages.push({ ...stage, step: stages.length > 0 });
      }
      if (Object.keys(stages[0]?.table ?? {}).length > 1) histories.push(stages);
    }
  }
  return histories.slice(0, count);
}

interface LastStage {
  readonly version: string;
  readonly run: number;
  readonly cluster: string;
  readonly layout: Layout;
}

const lastStages = new Map<string, Promise<Stage>>();

/** What a life has for a cluster in the end, in a layout. Each way has the same ones, some of them twice: they are rendered once. */
function lastStage(of: LastStage): Promise<Stage> {
  const key = JSON.stringify(of);
  const found = lastStages.get(key) ?? renderedStage(of);
  lastStages.set(key, found);
  return found;
}

/** What lives are played with which are only rendered for others: it decides no address. */
const playedWith: SimulatedPlane = { kind: 'metallb', version: '0.14.9' };

async function renderedStage({ version, run, cluster, layout }: LastStage): Promise<Stage> {
  const { tree, today } = await playedLife(playedWith, run);
  const objects = await objectsWith(tree, cluster, { version, layout });
  return stageOf({ plane: playedWith, tree, cluster, today }, objects, 0);
}

/** What leasehold renders for a cluster with another version and layout. */
async function objectsWith(
  tree: SourceTree,
  cluster: string,
  metallb: Pick<LastStage, 'version' | 'layout'>,
): Promise<readonly KubeObject[]> {
  const read = await readWorkspace(tree, noHistory);
  if (!read.ok) throw new Error(read.problems[0]?.message);
  const { holders, services, hostnames, table, pools: declared } = read.value;
  const pools = {
    ...declared,
    clusters: declared.clusters.map((one) => ({
      ...one,
      plane: { ...one.plane, kind: 'metallb' as const, ...metallb },
    })),
  };
  const objects: KubeObject[] = [];
  const placements = placementsOf(pools, holders, table);
  renderDist(pools, { placements, services, hostnames }, (path, text) => {
    if (path.startsWith(`dist/${cluster}/`)) {
      objects.push(...objectsIn(String(text)).filter(isReadByController));
    }
  });
  return objects;
}

function lifeOf(run: number) {
  const [life] = fc.sample(lifeArbitrary, { seed: seed + run, numRuns: 1 });
  if (!life) throw new Error('there is no life');
  return life;
}

function plannerOf({ kind, version }: SimulatedPlane, run: number): WholePlanner {
  if (kind === 'cilium') return new WholePlanner({ cilium: { version } });
  return new WholePlanner({ metallb: { version, layout: run % 2 === 0 ? 'lease' : 'pool' } });
}

/** A life that was played to its end. */
interface PlayedLife {
  /** What it commits for each cluster. */
  readonly played: readonly Played[];
  /** What it has in the end, and on which day. */
  readonly tree: SourceTree;
  readonly today: string;
}

/** By version and run: to play a life costs seconds, and its end is the beginning of each change of the layout. */
const lives = new Map<string, Promise<PlayedLife>>();

function playedLife(plane: SimulatedPlane, run: number): Promise<PlayedLife> {
  const key = `${plane.version} ${run}`;
  const found = lives.get(key) ?? playLife(plane, run);
  lives.set(key, found);
  return found;
}

async function playLife(plane: SimulatedPlane, run: number): Promise<PlayedLife> {
  const planner = plannerOf(plane, run);
  const played = clusters.map((cluster) => new Played(cluster, plane));
  let last = '';
  for await (const { problems, broken, today } of playedSteps(lifeOf(run), planner)) {
    if (broken.length > 0) throw new Error(broken.join('\n'));
    last = today;
    if (problems.length > 0) continue;
    for (const one of played) await one.note(planner.tree, today);
  }
  return { played, tree: planner.tree, today: last };
}

/** What a life commits for one cluster. */
class Played {
  readonly stages: Stage[] = [];
  readonly #cluster: string;
  readonly #plane: SimulatedPlane;
  readonly #objects = new Map<string, readonly KubeObject[]>();
  #last = '';

  constructor(cluster: string, plane: SimulatedPlane) {
    this.#cluster = cluster;
    this.#plane = plane;
  }

  /** Adds what is committed now, if the cluster gets anything else by it. */
  async note(tree: SourceTree, today: string): Promise<void> {
    const files = tree.list(`dist/${this.#cluster}`).map(({ path }) => path);
    const objects = files.sort().flatMap((path) => this.#objectsIn(tree, path));
    const text = JSON.stringify(objects);
    if (text === this.#last) return;
    this.#last = text;
    const committed = { plane: this.#plane, tree, cluster: this.#cluster, today };
    this.stages.push(await stageOf(committed, objects, this.stages.length % 3));
  }

  #objectsIn(tree: SourceTree, path: string): readonly KubeObject[] {
    const text = Buffer.from(tree.read(path)).toString('utf8');
    const known = this.#objects.get(text) ?? objectsIn(text).filter(isReadByController);
    this.#objects.set(text, known);
    return known;
  }
}

/** What a commit has for a cluster, beside somebody who asks for the addresses of its so-manieth Service. */
async function stageOf(
  committed: Committed,
  objects: readonly KubeObject[],
  asked: number,
): Promise<Stage> {
  const planned = await plannedOf(committed, objects);
  const addresses = Object.values(planned.table)[asked] ?? [];
  return {
    objects: [...objects, ...strangersOf(committed.plane), thiefOf(committed.plane, addresses)],
    table: { ...planned.table, [nameOf(stranger)]: [dynamicAddress] },
    holders: { ...planned.holders, [nameOf(stranger)]: 'somebody else' },
  };
}

function isReadByController({ kind }: KubeObject): boolean {
  return ['Namespace', 'Service', 'IPAddressPool', 'CiliumLoadBalancerIPPool'].includes(kind);
}

/** A commit, for one of its clusters. */
interface Committed {
  readonly plane: SimulatedPlane;
  readonly tree: SourceTree;
  readonly cluster: string;
  readonly today: string;
}

/** Who may have what, by the records and the declarations: of a Service only its families are read. */
async function plannedOf(
  { tree, cluster, today }: Committed,
  objects: readonly KubeObject[],
): Promise<Pick<Stage, 'table' | 'holders'>> {
  const listed = await listHolders(tree, noHistory, dayOf(today));
  if (!listed.ok) throw new Error(listed.problems[0]?.message);
  const families = new Map(
    objects.map((object) => [nameOf(object), object.spec?.ipFamilies as string[] | undefined]),
  );
  const services = listed.value.list.items.flatMap(({ holder, claims, addresses, ...item }) =>
    claims
      .filter((claim) => (claim.cluster ?? item.cluster) === cluster)
      .map((claim) => {
        const name = serviceOf(claim);
        const own = addresses.filter((text) => families.get(name)?.includes(familyOf(text)));
        return { name, holder, addresses: own.sort() };
      }),
  );
  return {
    table: Object.fromEntries(services.map(({ name, addresses }) => [name, addresses])),
    holders: Object.fromEntries(services.map(({ name, holder }) => [name, holder])),
  };
}

/** The Service of a claim: an Akash provider names those of leases by their ports. */
function serviceOf({ lease, namespace, service, externalPort, protocol }: ListClaim): string {
  const name = lease === undefined ? service : `${service}-ip-${externalPort}-${protocol}`;
  return `${namespace}/${name.toLowerCase()}`;
}

/** The only address of somebody else's pool, which gives it to whoever asks for none. */
const dynamicAddress = '192.0.2.1';
/** The namespace of somebody else. */
export const strangersNamespace = 'strangers';
const stranger = service(strangersNamespace, 'asks-for-none');

/** The name of somebody else's pool. */
export const strangersPool = 'dynamic';

/** Somebody else's pool, which serves whoever asks for no address. */
const openPools: Readonly<Record<SimulatedPlane['kind'], KubeObject>> = {
  metallb: {
    apiVersion: 'metallb.io/v1beta1',
    kind: 'IPAddressPool',
    metadata: { name: strangersPool, namespace: metallbNamespace },
    spec: { addresses: [`${dynamicAddress}/32`] },
  },
  cilium: {
    apiVersion: 'cilium.io/v2',
    kind: 'CiliumLoadBalancerIPPool',
    metadata: { name: strangersPool },
    spec: { blocks: [{ cidr: `${dynamicAddress}/32` }] },
  },
};

function strangersOf({ kind }: SimulatedPlane): readonly KubeObject[] {
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: strangersNamespace } };
  return [namespace, openPools[kind], stranger];
}

const pinKeys: Readonly<Record<SimulatedPlane['kind'], string>> = {
  metallb: 'metallb.universe.tf/loadBalancerIPs',
  cilium: 'lbipam.cilium.io/ips',
};

/** A Service of somebody else that asks for planned addresses. */
function thiefOf({ kind }: SimulatedPlane, addresses: readonly string[]): KubeObject {
  const ipFamilies = addresses.map(familyOf);
  return service(strangersNamespace, 'asks-for-planned', {
    annotations: { [pinKeys[kind]]: addresses.join(',') || '192.0.2.9' },
    spec: {
      ipFamilyPolicy: addresses.length > 1 ? 'RequireDualStack' : 'SingleStack',
      ipFamilies: ipFamilies.length > 0 ? ipFamilies : ['IPv4'],
    },
  });
}

function familyOf(address: string): 'IPv4' | 'IPv6' {
  return address.includes(':') ? 'IPv6' : 'IPv4';
}

function nameOf({ metadata }: KubeObject): string {
  return `${metadata.namespace}/${metadata.name}`;
}
