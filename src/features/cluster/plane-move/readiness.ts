import { metallbKeys } from '../../../core/declarations/service/service-metadata.ts';
import { poolLabel, reservedLabel } from '../../../core/manifests/manifest.ts';
import { annotationPrefix } from '../../../core/manifests/planes/metallb/pinning.ts';
import { type LiveObject, listAt, numberAt, textAt } from '../../../core/model/live.ts';
import {
  ciliumKeys,
  firstCilium,
  firstMetalLB,
  isSince,
  type Plane,
  planeNames,
} from '../../../core/model/planes.ts';
import { type Cluster, type Pools, poolsIn } from '../../../core/model/pools.ts';
import { fewOf } from '../../../core/model/problem.ts';
import { isAddress, parseAddress } from '../../../core/net/address.ts';
import { rangeHas } from '../../../core/net/range.ts';
import { anyOperator, releaseOf } from '../../../lib/kubernetes/cilium-operator.ts';
import { type MarkedService, markingCommands } from '../../../lib/kubernetes/kubectl-command.ts';
import { sparingCommand } from '../../../lib/kubernetes/metallb-webhooks.ts';
import { isMetalLB, runningRelease } from '../../../lib/kubernetes/metallb-workload.ts';
import type { Desired } from '../desired.ts';
import { ingressOf } from '../live/snapshot.ts';
import { type CiliumFacts, ciliumSteps } from './cilium-readiness.ts';
import type { NextPlane } from './plane-move.ts';
import type { PlaneMove } from './plane-move-answer.ts';

/** What the move reads of the live cluster. */
export interface MovingCluster {
  readonly services: readonly LiveObject[];
  readonly deployments: readonly LiveObject[];
  readonly webhooks: readonly LiveObject[];
  /** The pools of the next plane; undefined when the cluster does not serve the kind. */
  readonly pools: readonly LiveObject[] | undefined;
  /** Undefined for a move to MetalLB. */
  readonly cilium: CiliumFacts | undefined;
}

type Step = PlaneMove['steps'][number];

const ok = (text: string): Step => ({ state: 'ok', text, commands: [] });
const refused = (text: string): Step => ({ state: 'refused', text, commands: [] });
/** Something to do, when there are commands for it. */
const toDo = (text: string, commands: string[]): Step =>
  commands.length === 0 ? ok(text) : { state: 'do', text, commands };

/** What gives addresses: MetalLB's controller, or Cilium's operator. */
export function giverIn(
  deployments: readonly LiveObject[],
  kind: Plane['kind'],
): LiveObject | undefined {
  return kind === 'cilium'
    ? anyOperator(deployments)
    : deployments.find((one) => isMetalLB(one, 'controller'));
}

/** The plane to which a cluster goes, as it runs; undefined when its version is unknown or too old. */
export function nextPlane(
  deployments: readonly LiveObject[],
  kind: Plane['kind'],
): NextPlane | undefined {
  const giver = giverIn(deployments, kind);
  const { namespace } = giver?.metadata ?? {};
  if (!giver || namespace === undefined) return undefined;
  const version = kind === 'cilium' ? releaseOf(giver) : runningRelease(deployments, namespace);
  const { supported } = kind === 'cilium' ? firstCilium : firstMetalLB;
  return version !== undefined && isSince(version, supported)
    ? { kind, version, namespace }
    : undefined;
}

/**
 * What must be true before a cluster goes to another plane, in the order in which it is done. Every
 * Service then keeps its address: both planes stand still while the pools and pins of the one are
 * replaced by those of the other, and the other one takes over each Service whose status it could
 * have written.
 *
 * A running LB-IPAM takes, with the first pool, all addresses away that this pool does not have; and
 * MetalLB's controller takes all away while it has no pool. When they start, they read all pools
 * before the Services. Cilium: operator/pkg/lbipam, lbipam.go; MetalLB: controller/service.go.
 */
export function readiness(
  desired: Desired,
  live: MovingCluster,
  to: Plane['kind'],
): readonly Step[] {
  const { cluster, pools } = desired;
  const next = nextPlane(live.deployments, to);
  return [
    ...declaredSteps(cluster, pools),
    runningStep(next, to),
    poolStep(live.pools, to),
    ...(next && live.cilium ? ciliumSteps(desired, next, live.cilium) : []),
    ...strangerSteps(desired, live.services, to),
    addressStep(desired, live.services),
    labelStep(desired, live.services, to, next),
    webhookStep(live.webhooks),
    ...(['metallb', 'cilium'] as const).map((kind) => stoppedStep(live.deployments, kind)),
  ];
}

/** What the pool file must say. */
function declaredSteps({ name, plane }: Cluster, pools: Pools): readonly Step[] {
  const open = poolsIn(pools, name).filter(({ fence }) => fence === 'open');
  const names = fewOf(
    open.map((pool) => pool.name),
    3,
  );
  return [
    ...(plane.layout === 'pool'
      ? []
      : [
          refused(
            `layout: pool; it is ${plane.layout}: run \`leasehold migrate-layout pool --cluster ${name}\` first`,
          ),
        ]),
    ...(plane.loadBalancerClass === undefined
      ? []
      : [
          refused(
            `no loadBalancerClass: Kubernetes lets no Service leave the class ${plane.loadBalancerClass}`,
          ),
        ]),
    ...(open.length === 0
      ? []
      : [refused(`closed fences: remove fence: open from ${names} first`)]),
  ];
}

function runningStep(next: NextPlane | undefined, to: Plane['kind']): Step {
  const { supported } = to === 'cilium' ? firstCilium : firstMetalLB;
  const name = planeNames[to];
  return next
    ? ok(`${name} ${next.version} is installed in ${next.namespace}`)
    : refused(`${name} ${supported} or later, whose version its image names: install it first`);
}

function poolStep(pools: MovingCluster['pools'], to: Plane['kind']): Step {
  const name = planeNames[to];
  if (pools === undefined)
    return refused(`the cluster serves no pools of ${name}: install it first`);
  if (pools.length === 0) return ok(`${name} has no pool yet`);
  const names = fewOf(
    pools.map(({ metadata }) => metadata.name),
    3,
  );
  return refused(`no pool of ${name}: with ${names} it may serve Services already`);
}

/** Live Services that are not declared: the next plane takes away their addresses, which are in none of its pools. */
function strangerSteps(
  { claims, cluster }: Desired,
  services: readonly LiveObject[],
  to: Plane['kind'],
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
  return [
    refused(
      `every Service without a class declared in cluster ${cluster.name}: ${planeNames[to]} would take the address of ${names}: declare it, or delete it`,
    ),
  ];
}

/** Each declared Service has its address now. */
function addressStep({ claims }: Desired, services: readonly LiveObject[]): Step {
  const live = new Map(services.map((service) => [nameOf(service), service]));
  const wrong = claims.filter(({ service, addresses }) => {
    const has = live.get(service);
    return has && [...ingressOf(has)].sort().join() !== [...addresses].sort().join();
  });
  if (wrong.length === 0) return ok('every live Service has its address');
  const names = fewOf(
    wrong.map(({ service }) => service),
    3,
  );
  return refused(
    `every live Service with its address; ${names} has another one or none: see \`leasehold verify\``,
  );
}

/**
 * What the next plane must read on each Service: the label that its pool asks for, and the sharing
 * key where the Service has one. The engine brings both for declared Services, and charts do later.
 */
function labelStep(
  desired: Desired,
  services: readonly LiveObject[],
  to: Plane['kind'],
  next: NextPlane | undefined,
): Step {
  const { claims, cluster, pools } = desired;
  const own = new Map(claims.map((claim) => [claim.service, claim]));
  const declared = poolsIn(pools, cluster.name);
  const held = services.filter((service) => isServed(service) && own.has(nameOf(service)));
  const labels = held.flatMap((service): MarkedService[] => {
    const isReserved = own.get(nameOf(service))?.isReserved ?? false;
    const [key, value] = labelFor(service, { to, isReserved, declared });
    const present = service.metadata.labels?.[key];
    if (value === undefined || present === value) return [];
    const marked = { service: service.metadata, texts: [`${key}=${value}`] };
    return [{ ...marked, verb: 'label', isOverwriting: present !== undefined }];
  });
  const notes = held.flatMap((service): MarkedService[] => {
    const { annotations = {} } = service.metadata;
    const texts = sharingTexts(annotations, to, next);
    if (texts.length === 0) return [];
    const isOverwriting = texts.some((text) => annotations[text.slice(0, text.indexOf('='))]);
    return [{ service: service.metadata, verb: 'annotate', texts, isOverwriting }];
  });
  return toDo(
    'the label that its pool asks for on each live Service, and the sharing key where it has one',
    markingCommands([...labels, ...notes]),
  );
}

/** The label by which the next plane selects a Service; without a value when it needs none. */
function labelFor(
  service: LiveObject,
  of: {
    readonly to: Plane['kind'];
    readonly isReserved: boolean;
    readonly declared: Pools['pools'];
  },
): readonly [key: string, value: string | undefined] {
  if (of.to === 'cilium') return [poolLabel, poolOf(service, of.declared)];
  const [[key = '', value = ''] = []] = Object.entries(reservedLabel);
  return [key, of.isReserved ? value : undefined];
}

/** The annotations by which the next plane lets a Service share, which it lacks. */
function sharingTexts(
  annotations: Readonly<Record<string, string>>,
  to: Plane['kind'],
  next: NextPlane | undefined,
): readonly string[] {
  const former = to === 'cilium' ? metallbKeys : ciliumKeys;
  const key = former.map(({ sharingKey }) => annotations[sharingKey]).find((one) => one);
  if (key === undefined) return [];
  const [cilium] = ciliumKeys;
  const name = to === 'cilium' ? cilium.sharingKey : `${prefixFor(next)}/allow-shared-ip`;
  if (annotations[name] === key) return [];
  return [`${name}=${key}`, ...(to === 'cilium' ? [`${cilium.crossNamespace}=*`] : [])];
}

/** The prefix of the annotations that the MetalLB of the move reads. */
function prefixFor(next: NextPlane | undefined): string {
  const { version = firstMetalLB.supported, namespace = '' } = next ?? {};
  return annotationPrefix({ kind: 'metallb', version, namespace, layout: 'pool' });
}

/**
 * MetalLB's webhooks run in its controller: while that is stopped, the API server refuses each change of its pools and
 * advertisements. Argo CD deletes in the foreground, which ends with a change: the finalizer is taken off.
 */
function webhookStep(webhooks: readonly LiveObject[]): Step {
  const checking = webhooks
    .filter(({ metadata }) => metadata.name === 'metallb-webhook-configuration')
    .flatMap((one) => listAt(one, 'webhooks'))
    .filter((hook) =>
      /^(?:ipaddresspool|l2advertisement|bgpadvertisement)/.test(textAt(hook, 'name') ?? ''),
    )
    .filter((hook) => listAt(hook, 'objectSelector', 'matchExpressions').length === 0);
  return toDo(
    "MetalLB's webhooks leave the objects of leasehold out, since its controller is stopped",
    checking.length === 0 ? [] : [sparingCommand()],
  );
}

/** Neither plane changes an address meanwhile. */
function stoppedStep(deployments: readonly LiveObject[], kind: Plane['kind']): Step {
  const giver = giverIn(deployments, kind);
  const replicas = giver ? (numberAt(giver, 'spec', 'replicas') ?? 1) : 0;
  const text =
    kind === 'metallb'
      ? "MetalLB's controller at 0 replicas, and nothing that starts it again; its speakers go on"
      : "Cilium's operator at 0 replicas, and nothing that starts it again; its agents go on";
  return toDo(text, giver && replicas > 0 ? [scaling(giver, 0)] : []);
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
