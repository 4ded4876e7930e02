import fc from 'fast-check';
import { listHolders } from '../../../src/features/ask/list.ts';
import type { ListClaim } from '../../../src/features/ask/list-answer.ts';
import type { SourceTree } from '../../../src/ports/tree.ts';
import { noHistory, WholePlanner } from '../life/command-planner.ts';
import { lifeArbitrary } from '../life/life-arbitrary.ts';
import { clusters } from '../life/plain-workspace.ts';
import { dayOf } from '../life/planner.ts';
import { playedSteps } from '../life/played-steps.ts';
import { service } from './declared.ts';
import type { KubeObject } from './kube.ts';
import { metallbNamespace } from './machines/metallb.ts';
import { objectsIn } from './manifests.ts';

/** What one commit has for a cluster: test/cluster/programs/metallb-simulated reads it. */
interface Stage {
  readonly objects: readonly KubeObject[];
  /** Each Service, `namespace/name`, to its addresses in the order of texts. Any other address is wrong. */
  readonly table: Readonly<Record<string, readonly string[]>>;
  /** Each Service to its holder. */
  readonly holders: Readonly<Record<string, string>>;
}

/** The commits of one repository for one of its clusters, one after another. */
export type SimulatedHistory = readonly Stage[];

/** The seed of the lives that the histories come from. */
const seed = 23;

/**
 * Histories with so many tables in all, for one version of MetalLB: half of them in each layout. They are the lives of
 * test/support/life, which all of leasehold plays: what is in a stage was allocated, rendered, and passed `check --base`.
 */
export async function simulatedHistories(
  version: string,
  tables: number,
): Promise<readonly SimulatedHistory[]> {
  const histories: SimulatedHistory[] = [];
  let wanted = tables;
  for (let run = 0; wanted > 0; run += 1) {
    for (const { stages } of await playedLife(version, run)) {
      const taken = stages.slice(0, wanted);
      if (taken.length > 0) histories.push(taken);
      wanted -= taken.length;
    }
  }
  return histories;
}

/** What a life commits for each cluster. */
async function playedLife(version: string, run: number): Promise<readonly Played[]> {
  const [life] = fc.sample(lifeArbitrary, { seed: seed + run, numRuns: 1 });
  if (!life) throw new Error('there is no life');
  const planner = new WholePlanner({ version, layout: run % 2 === 0 ? 'lease' : 'pool' });
  const played = clusters.map((cluster) => new Played(cluster));
  for await (const { problems, broken, today } of playedSteps(life, planner)) {
    if (broken.length > 0) throw new Error(broken.join('\n'));
    if (problems.length > 0) continue;
    for (const one of played) await one.note(planner.tree, today);
  }
  return played;
}

/** What a life commits for one cluster. */
class Played {
  readonly stages: Stage[] = [];
  readonly #cluster: string;
  readonly #objects = new Map<string, readonly KubeObject[]>();
  #last = '';

  constructor(cluster: string) {
    this.#cluster = cluster;
  }

  /** Adds what is committed now, if the cluster gets anything else by it. */
  async note(tree: SourceTree, today: string): Promise<void> {
    const files = tree.list(`dist/${this.#cluster}`).map(({ path }) => path);
    const objects = files.sort().flatMap((path) => this.#objectsIn(tree, path));
    const text = JSON.stringify(objects);
    if (text === this.#last) return;
    this.#last = text;
    const planned = await plannedOf({ tree, cluster: this.#cluster, today }, objects);
    const asked = Object.values(planned.table)[this.stages.length % 3] ?? [];
    this.stages.push({
      objects: [...objects, ...strangers, thiefOf(asked)],
      table: { ...planned.table, [nameOf(stranger)]: [dynamicAddress] },
      holders: { ...planned.holders, [nameOf(stranger)]: 'somebody else' },
    });
  }

  #objectsIn(tree: SourceTree, path: string): readonly KubeObject[] {
    const text = Buffer.from(tree.read(path)).toString('utf8');
    const known = this.#objects.get(text) ?? objectsIn(text).filter(isReadByController);
    this.#objects.set(text, known);
    return known;
  }
}

function isReadByController({ kind }: KubeObject): boolean {
  return ['Namespace', 'IPAddressPool', 'Service'].includes(kind);
}

/** A commit, for one of its clusters. */
interface Committed {
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

const strangers: readonly KubeObject[] = [
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: strangersNamespace } },
  {
    apiVersion: 'metallb.io/v1beta1',
    kind: 'IPAddressPool',
    metadata: { name: 'dynamic', namespace: metallbNamespace },
    spec: { addresses: [`${dynamicAddress}/32`] },
  },
  stranger,
];

/** A Service of somebody else that asks for planned addresses. */
function thiefOf(addresses: readonly string[]): KubeObject {
  const ipFamilies = addresses.map(familyOf);
  return service(strangersNamespace, 'asks-for-planned', {
    annotations: { 'metallb.universe.tf/loadBalancerIPs': addresses.join(',') || '192.0.2.9' },
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
