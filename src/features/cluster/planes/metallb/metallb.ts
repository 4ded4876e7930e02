import { reservedLabel } from '../../../../core/manifests/manifest.ts';
import { closedFence } from '../../../../core/manifests/planes/metallb/pool-objects.ts';
import type { VerifiedKind } from '../../../../core/model/kinds.ts';
import { type LiveObject, listAt, numberAt, textAt } from '../../../../core/model/live.ts';
import { poolsIn } from '../../../../core/model/pools.ts';
import type { Desired } from '../../desired.ts';
import { type DesiredClaim, isWaiting } from '../../live/claim-state.ts';
import { anySelects } from '../../live/label-selector.ts';
import { foreignOverlaps, type LivePools, rangesIn } from '../../live/pool-overlap.ts';
import { canonicalAddress, type Snapshot } from '../../live/snapshot.ts';
import type { Detail } from '../../verification-answer.ts';
import { readyEndpoints } from '../announcing.ts';
import { type Gathered, labelHint, listBeside, type PlaneEvidence } from '../plane.ts';
import { AnnouncedServices } from './announced-services.ts';
import { Announcement, type SpeakerEvents, unknown } from './announcement.ts';
import { announceFailures, announcingSince, metalLBWarnings } from './metallb-events.ts';
import {
  isOverlap,
  missingPools,
  otherRelease,
  refusedConfigurations,
  restartHint,
  unreadAnnotations,
} from './metallb-findings.ts';
import { losingServices, openPools } from './open-pools.ts';
import { speakersIn } from './speakers.ts';

/** MetalLB: config.go poolsFor. */
export const metallbPools: LivePools = {
  kind: 'addressPool',
  isCut: false,
  rangesOf: (pool) => rangesIn(listAt(pool, 'spec', 'addresses')),
  refusal: 'MetalLB rejects overlapping pools',
  adoption:
    'take the pool over with `leasehold import cluster`, or remove its addresses from leases/pools.yaml',
};

/** What MetalLB says of its Services. */
export async function metallbEvidence(
  desired: Desired,
  gathered: Gathered,
): Promise<PlaneEvidence> {
  const { live, deployments, list } = gathered;
  const { objects, cluster, pools, claims } = desired;
  const states = await list('configurationState');
  const announcement = await announcementIn(desired, gathered);
  const { warnings, ...events } = await eventsOf(claims, gathered, announcement);
  const own = poolsIn(pools, cluster.name);
  const closing = {
    fence: closedFence(pools.emit.namespaces),
    claims,
    loadBalancerClass: cluster.plane.loadBalancerClass,
  };
  const isBetween = cluster.plane.layout === 'both';
  return {
    waitingFor: metallbWaiting({ live, warnings, restart: restartHint(deployments, desired) }),
    announcementOf: (claim) =>
      announcement?.detailsOf(claim, events) ?? [unknown(claim, noSpeakers)],
    findings: [
      ...refusedConfigurations(states ?? []).filter((one) => !(isBetween && isOverlap(one))),
      ...(announcement?.findings(claims) ?? []),
      ...(isBetween ? losingServices(own, live, closing) : []),
      ...(isBetween ? missingPools(objects.values(), live) : []),
      ...foreignOverlaps(desired, live, metallbPools),
      ...unreadAnnotations(deployments, desired),
    ],
    openPools: openPools(own, live, closing),
    notes: [
      ...(isBetween ? [between] : []),
      ...(states ? [] : [noStates]),
      ...otherRelease(deployments, desired),
    ],
  };
}

const between =
  'layout: both is a step of `leasehold migrate-layout`: MetalLB rejects its pools and keeps using the last valid configuration, so live addresses stay, and new or changed ones wait for the next step. Until it is applied, no speaker may restart: it would announce nothing';

/** A note of every comparison with MetalLB before 0.15.3. */
export const noStates =
  'the cluster does not serve ConfigurationState, which MetalLB has since 0.15.3: it is not known whether MetalLB accepts its configuration';

const noSpeakers =
  "MetalLB's namespace has no speakers: whether anything announces the address is not known";

/** What tells why a Service waits. */
interface WaitingFacts {
  readonly live: Snapshot;
  /** MetalLB's newest Warning about a Service, by the name of the object. */
  readonly warnings: ReadonlyMap<string, string>;
  /** Advice when it has none; undefined without any. */
  readonly restart: string | undefined;
}

/** Why a Service has no address from MetalLB yet. */
export function metallbWaiting({
  live,
  warnings,
  restart,
}: WaitingFacts): PlaneEvidence['waitingFor'] {
  return (wanted, service): Pick<Detail, 'message' | 'hint'> => {
    const warning = warnings.get(wanted.service);
    const message = warning ? `MetalLB: ${warning}` : 'MetalLB has not answered yet';
    const hint =
      notAdmitted(wanted, service) ?? (warning ? ofGoneService(warning, live, restart) : restart);
    return { message, ...(hint === undefined ? {} : { hint }) };
  };
}

/** Advice for the Service of a reservation without the label that its closed pool asks for. */
function notAdmitted(
  { isReserved, objects }: DesiredClaim,
  service: LiveObject,
): string | undefined {
  const pool = objects.find(({ kind }) => kind === 'addressPool');
  const selectors = listAt(pool?.object, 'spec', 'serviceAllocation', 'serviceSelectors');
  if (!isReserved || selectors.length === 0 || anySelects(selectors, service.metadata.labels)) {
    return undefined;
  }
  const [[label = '', value = ''] = []] = Object.entries(reservedLabel);
  return labelHint(service, label, value);
}

/**
 * What to do when MetalLB refuses an address because of a Service that the cluster does not have.
 * Since 0.14 its controller ignores a Service that is deleted before it has loaded all Services
 * after a start, and counts its ports until the next start. MetalLB: reconcileService in
 * internal/k8s/controllers/service_controller.go, checkSharing in internal/allocator/allocator.go.
 */
function ofGoneService(
  warning: string,
  live: Snapshot,
  restart: string | undefined,
): string | undefined {
  const [, protocol, port, address] =
    /port (\w+)\/(\d+) is already in use on "([^"]+)"/.exec(warning) ?? [];
  if (address === undefined || restart === undefined) return undefined;
  const isUsed = live
    .usersOf(canonicalAddress(address))
    .some((name) =>
      listAt(live.get(name), 'spec', 'ports').some(
        (used) => textAt(used, 'protocol') === protocol && numberAt(used, 'port') === Number(port),
      ),
    );
  return isUsed
    ? undefined
    : `no Service in the cluster has that port there: MetalLB still counts one that was deleted while its controller started; ${restart}`;
}

/** Undefined when MetalLB has no speakers: something else may announce its addresses. */
async function announcementIn(
  { cluster: { plane }, claims }: Desired,
  { live, list, asked }: Gathered,
): Promise<Announcement | undefined> {
  const nodes = (await list('node')) ?? [];
  const daemonSets = (await list('daemonSet')) ?? [];
  const pods = await list('pod');
  const speakers = speakersIn({ daemonSets, pods, metallb: plane });
  const services = claims.flatMap(({ service }) => live.get(service) ?? []);
  const slices = await listBeside(services, 'endpointSlice', asked);
  const endpoints = slices && readyEndpoints(slices);
  const isByBGP = [...live.all()].some(({ kind }) => kind === 'bgpAdvertisement');
  const listByBGP = async (kind: VerifiedKind) => (isByBGP ? await list(kind) : undefined) ?? [];
  const statuses = {
    services: { l2: await list('serviceL2Status'), bgp: await list('serviceBGPStatus') },
    peers: await listByBGP('bgpPeer'),
    sessions: await listByBGP('bgpSessionState'),
    nodeStates: await listByBGP('frrNodeState'),
    nodes,
    pods,
  };
  if (!speakers) return undefined;
  const announced = new AnnouncedServices(speakers, statuses);
  const { namespace } = plane;
  return new Announcement({ live, namespace, nodes, speakers, endpoints, announced });
}

/** The events of MetalLB about the Services that wait, or may not be announced. */
async function eventsOf(
  claims: readonly DesiredClaim[],
  { live, asked }: Gathered,
  announcement: Announcement | undefined,
): Promise<SpeakerEvents & { readonly warnings: ReadonlyMap<string, string> }> {
  const waiting = claims
    .filter((claim) => isWaiting(claim, live))
    .flatMap(({ service }) => live.get(service) ?? []);
  const silent = claims.flatMap((claim) => announcement?.askedByEvents(claim) ?? []);
  const events = (await listBeside([...waiting, ...silent], 'event', asked)) ?? [];
  return {
    warnings: metalLBWarnings(waiting, events),
    failures: announceFailures(silent, events),
    announcing: announcingSince(silent, events),
  };
}
