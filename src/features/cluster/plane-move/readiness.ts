import { metallbKeys } from '../../../core/declarations/service/service-metadata.ts';
import { poolLabel } from '../../../core/manifests/manifest.ts';
import { type LiveObject, numberAt, textAt } from '../../../core/model/live.ts';
import { groupBy } from '../../../core/model/order.ts';
import { ciliumKeys, firstCilium, isSince } from '../../../core/model/planes.ts';
import { type Cluster, type Pools, poolsIn } from '../../../core/model/pools.ts';
import { fewOf } from '../../../core/model/problem.ts';
import { isAddress, parseAddress } from '../../../core/net/address.ts';
import { rangeHas } from '../../../core/net/range.ts';
import { shellWord } from '../../../core/text/print/escape.ts';
import { anyOperator, releaseOf } from '../../../lib/kubernetes/cilium-operator.ts';
import { metalLBIn } from '../../../lib/kubernetes/metallb-workload.ts';
import type { Desired } from '../desired.ts';
import { ingressOf } from '../live/snapshot.ts';
import type { PlaneMove } from './plane-move-answer.ts';

/** What the move reads of the live cluster. */
export interface MovingCluster {
  readonly services: readonly LiveObject[];
  readonly deployments: readonly LiveObject[];
  /** Undefined when the cluster does not serve the kind. */
  readonly ciliumPools: readonly LiveObject[] | undefined;
}

type Step = PlaneMove['steps'][number];

/**
 * What must be true before a cluster goes from MetalLB to Cilium, in the order in which it is done.
 * Every Service then keeps its address. LB-IPAM sleeps while there is no pool. With the first one it
 * takes all addresses away that this pool does not have, so its operator must stand still until all
 * pools are there. When it starts, it reads the pools first, and takes over each Service whose status
 * it could have written. Cilium: operator/pkg/lbipam, lbipam.go.
 */
export function readiness(desired: Desired, live: MovingCluster): readonly Step[] {
  const { cluster, pools } = desired;
  return [
    ...declaredSteps(cluster, pools),
    operatorStep(live.deployments),
    poolStep(live.ciliumPools),
    ...strangerSteps(desired, live.services),
    addressStep(desired, live.services),
    ...labelSteps(desired, live.services),
    ...stoppedSteps(live.deployments, cluster),
  ];
}

/** What the pool file must say. */
function declaredSteps({ name, plane }: Cluster, pools: Pools): readonly Step[] {
  const open = poolsIn(pools, name).filter(({ fence }) => fence === 'open');
  const steps: Step[] = [];
  if (plane.layout !== 'pool') {
    const text = `layout: pool; it is ${plane.layout}: run \`leasehold migrate-layout pool --cluster ${name}\` first`;
    steps.push({ state: 'refused', text, commands: [] });
  }
  if (plane.loadBalancerClass !== undefined) {
    const text = `no loadBalancerClass: Kubernetes lets no Service leave the class ${plane.loadBalancerClass}, which Cilium does not serve`;
    steps.push({ state: 'refused', text, commands: [] });
  }
  if (open.length > 0) {
    const text = `closed fences: remove fence: open from ${fewOf(
      open.map((pool) => pool.name),
      3,
    )} first`;
    steps.push({ state: 'refused', text, commands: [] });
  }
  return steps;
}

/** Cilium runs, in a version that keeps addresses over a start. */
function operatorStep(deployments: readonly LiveObject[]): Step {
  const operator = anyOperator(deployments);
  const version = operator && releaseOf(operator);
  if (version !== undefined && isSince(version, firstCilium.supported)) {
    return { state: 'ok', text: `Cilium ${version} runs`, commands: [] };
  }
  const found = operator ? `Cilium ${version ?? 'of an unknown version'} runs` : 'none runs';
  const text = `Cilium ${firstCilium.supported} or later with LB-IPAM; ${found}`;
  return { state: 'refused', text, commands: [] };
}

/** LB-IPAM sleeps until there is a pool. */
function poolStep(pools: MovingCluster['ciliumPools']): Step {
  if (pools === undefined) {
    const text = 'the cluster serves no CiliumLoadBalancerIPPool';
    return { state: 'refused', text, commands: [] };
  }
  if (pools.length === 0) return { state: 'ok', text: 'LB-IPAM has no pool yet', commands: [] };
  const names = fewOf(
    pools.map(({ metadata }) => metadata.name),
    3,
  );
  const text = `no pool of Cilium: ${names} would take addresses of MetalLB from its Services already`;
  return { state: 'refused', text, commands: [] };
}

/** Services of nobody here: Cilium takes every address from Services without a class that its pools do not select. */
function strangerSteps(
  { claims, cluster }: Desired,
  services: readonly LiveObject[],
): readonly Step[] {
  const own = new Set(claims.map(({ service }) => service));
  const lost = services.filter(
    (service) =>
      isServed(service) &&
      textAt(service, 'spec', 'loadBalancerClass') === undefined &&
      !own.has(nameOf(service)),
  );
  if (lost.length === 0) return [];
  const names = fewOf(lost.map(nameOf), 3);
  const text = `every Service with an address declared in cluster ${cluster.name}: Cilium would take the address of ${names}. Declare it, delete it, or leave Cilium's default-lb-service-ipam at none`;
  return [{ state: 'refused', text, commands: [] }];
}

/** Each declared Service has its address now. */
function addressStep({ claims }: Desired, services: readonly LiveObject[]): Step {
  const live = new Map(services.map((service) => [nameOf(service), service]));
  const wrong = claims.filter(({ service, addresses }) => {
    const has = live.get(service);
    return has && [...ingressOf(has)].sort().join() !== [...addresses].sort().join();
  });
  if (wrong.length === 0) {
    return { state: 'ok', text: 'every live Service has its address', commands: [] };
  }
  const names = fewOf(
    wrong.map(({ service }) => service),
    3,
  );
  const text = `every live Service with its address; ${names} has another one or none: see \`leasehold verify\``;
  return { state: 'refused', text, commands: [] };
}

/** The label of its pool on each Service, and for those that share an address the key by which Cilium lets them. */
function labelSteps(
  { claims, cluster, pools }: Desired,
  services: readonly LiveObject[],
): readonly Step[] {
  const own = new Set(claims.map(({ service }) => service));
  const declared = poolsIn(pools, cluster.name);
  const held = services.filter((service) => isServed(service) && own.has(nameOf(service)));
  const labels = held.flatMap((service) => {
    const pool = poolOf(service, declared);
    const label = `${poolLabel}=${pool}`;
    return pool === undefined || service.metadata.labels?.[poolLabel] === pool
      ? []
      : [{ service, verb: 'label', texts: [label] }];
  });
  const [keys] = ciliumKeys;
  const notes = held.flatMap((service) => {
    const { annotations = {} } = service.metadata;
    const key = metallbKeys.map(({ sharingKey }) => annotations[sharingKey]).find((one) => one);
    if (key === undefined || annotations[keys.sharingKey] === key) return [];
    const texts = [`${keys.sharingKey}=${key}`, `${keys.crossNamespace}=*`];
    return [{ service, verb: 'annotate', texts }];
  });
  const text = 'the label of its pool on each live Service, and the sharing key where it has one';
  const wanted = [...labels, ...notes];
  if (wanted.length === 0) return [{ state: 'ok', text, commands: [] }];
  return [{ state: 'do', text, commands: commandsFor(wanted) }];
}

interface Marked {
  readonly service: LiveObject;
  readonly verb: string;
  readonly texts: readonly string[];
}

/** One command for all Services of a namespace that get the same. */
function commandsFor(all: readonly Marked[]): string[] {
  const groups = groupBy(all, ({ service, verb, texts }) =>
    [service.metadata.namespace, verb, ...texts].join(' '),
  );
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const names = group.map(({ service }) => service.metadata.name).join(' ');
    const texts = first.texts.map(shellWord).join(' ');
    return [
      `kubectl -n ${first.service.metadata.namespace} ${first.verb} service ${names} ${texts}`,
    ];
  });
}

/** Neither plane changes an address meanwhile; MetalLB's speakers and Cilium's agents go on announcing. */
function stoppedSteps(deployments: readonly LiveObject[], { plane }: Cluster): readonly Step[] {
  const controller = metalLBIn(deployments, plane.namespace, 'controller');
  return [
    stoppedStep(controller, "MetalLB's controller at 0 replicas; its speakers go on announcing"),
    stoppedStep(anyOperator(deployments), "Cilium's operator at 0 replicas; its agents go on"),
  ];
}

function stoppedStep(deployment: LiveObject | undefined, text: string): Step {
  const replicas = deployment && (numberAt(deployment, 'spec', 'replicas') ?? 1);
  if (!deployment || replicas === 0) return { state: 'ok', text, commands: [] };
  return { state: 'do', text, commands: [scaling(deployment, 0)] };
}

/** The command that scales a Deployment. */
export function scaling({ metadata: { namespace, name } }: LiveObject, replicas: number): string {
  return `kubectl -n ${namespace} scale deployment ${name} --replicas=${replicas}`;
}

function poolOf(service: LiveObject, pools: Pools['pools']): string | undefined {
  const [text = ''] = ingressOf(service);
  const address = parseAddress(text);
  if (!isAddress(address)) return undefined;
  return pools.find(({ ranges }) => ranges.some((range) => rangeHas(range, address)))?.name;
}

function isServed(service: LiveObject): boolean {
  return textAt(service, 'spec', 'type') === 'LoadBalancer' && ingressOf(service).length > 0;
}

function nameOf({ metadata: { namespace, name } }: LiveObject): string {
  return `Service ${namespace}/${name}`;
}
