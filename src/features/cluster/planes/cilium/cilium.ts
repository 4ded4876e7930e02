import { poolLabel } from '../../../../core/manifests/manifest.ts';
import { fieldAt, type LiveObject, listAt, numberAt, textAt } from '../../../../core/model/live.ts';
import { operatorIn, releaseOf, restarting } from '../../../../lib/kubernetes/cilium-operator.ts';
import type { Desired } from '../../desired.ts';
import type { DesiredClaim } from '../../live/claim-state.ts';
import { isLabelled } from '../../live/object-state.ts';
import { foreignOverlaps, type LivePools, rangesIn } from '../../live/pool-overlap.ts';
import type { Snapshot } from '../../live/snapshot.ts';
import type { ClusterFinding } from '../../verification-answer.ts';
import { type Gathered, labelHint, type PlaneEvidence } from '../plane.ts';
import { ciliumAnnouncement } from './announcement.ts';

/** Cilium: lbipam.go settleConflicts. */
export const ciliumPools: LivePools = {
  kind: 'ciliumPool',
  isCut: true,
  rangesOf: (pool) =>
    rangesIn(
      listAt(pool, 'spec', 'blocks').map((block) => {
        const start = textAt(block, 'start');
        return textAt(block, 'cidr') ?? `${start}-${textAt(block, 'stop') ?? start}`;
      }),
    ),
  refusal: 'Cilium uses one of two overlapping pools, and can use the other one after a restart',
  adoption: 'remove the addresses from leases/pools.yaml, or from it once no Service has one',
};

/** What Cilium's LB-IPAM, and its L2 and BGP announcements, say of their Services. */
export async function ciliumEvidence(desired: Desired, gathered: Gathered): Promise<PlaneEvidence> {
  const { live, deployments } = gathered;
  const operator = operatorIn(deployments, desired.cluster.plane.namespace);
  return {
    waitingFor: waitingFor(operator),
    announcementOf: await ciliumAnnouncement(desired, gathered),
    findings: [
      ...conflicts(live),
      ...refusedPolicies(live),
      ...foreignOverlaps(desired, live, ciliumPools),
    ],
    openPools: [],
    notes: otherRelease(operator, desired),
  };
}

/** Cilium: operator/pkg/lbipam. It sets the condition when it looks for an address. */
function waitingFor(operator: LiveObject | undefined): PlaneEvidence['waitingFor'] {
  return (wanted, service) => {
    const said = conditionsOf(service).find(
      (one) =>
        textAt(one, 'type') === 'cilium.io/IPAMRequestSatisfied' &&
        textAt(one, 'status') === 'False' &&
        isCurrent(one, service),
    );
    if (!said) {
      const hint =
        operator && `if this lasts for minutes, restart its operator: \`${restarting(operator)}\``;
      return { message: 'Cilium has not answered yet', ...(hint && { hint }) };
    }
    const [reason = '', message = ''] = [textAt(said, 'reason'), textAt(said, 'message')];
    const hint = notSelected(wanted, service) ?? hints[reason];
    const why = message.trim() === '' ? '' : `: ${message.trim()}`;
    return { message: `Cilium: ${reason}${why}`, ...(hint && { hint }) };
  };
}

const hints: Readonly<Record<string, string>> = {
  no_pool:
    'see whether its pool is there, in use and not disabled: `kubectl get ciliumloadbalancerippools`',
  already_allocated:
    'remove the other Service, or pin it to an address of a pool that is not of leasehold',
};

/** A condition of another generation is of a former spec. */
function isCurrent(condition: unknown, { metadata }: LiveObject): boolean {
  const generation = numberAt(metadata, 'generation');
  const observed = numberAt(condition, 'observedGeneration');
  return generation === undefined || observed === undefined || observed === generation;
}

/** Advice for the Service of a reservation without the label by which its pool selects Services. */
function notSelected(
  { isReserved, objects }: DesiredClaim,
  service: LiveObject,
): string | undefined {
  const pool = objects.find(({ kind }) => kind === 'ciliumPool')?.object.metadata?.name;
  const isSelected = pool === undefined || service.metadata.labels?.[poolLabel] === pool;
  return !isReserved || isSelected ? undefined : labelHint(service, poolLabel, pool);
}

/** A finding for each pool of leasehold that Cilium does not use, because it overlaps another one. */
function conflicts(live: Snapshot): ClusterFinding[] {
  return [...live.all()].flatMap((seen) => {
    if (seen.kind !== 'ciliumPool' || !isLabelled(seen)) return [];
    const said = conditionsOf(seen.object).find(
      (one) => textAt(one, 'type') === 'cilium.io/PoolConflict' && textAt(one, 'status') === 'True',
    );
    if (!said) return [];
    const message = `Cilium does not use it: ${textAt(said, 'message') ?? 'no reason given'}`;
    const hint =
      'delete no pool that Services have addresses of: take the addresses out of the other pool, or out of leases/pools.yaml';
    return [{ object: seen.name, message, hint }];
  });
}

/** A finding for each policy that an agent cannot read. Cilium: pkg/l2announcer. */
function refusedPolicies(live: Snapshot): ClusterFinding[] {
  return [...live.all()].flatMap(({ kind, name, object }) => {
    if (kind !== 'ciliumL2Policy') return [];
    return conditionsOf(object)
      .filter(
        (one) =>
          textAt(one, 'type')?.startsWith('io.cilium/bad-') && textAt(one, 'status') === 'True',
      )
      .map((one) => ({
        object: name,
        message: `Cilium cannot read it: ${textAt(one, 'message') ?? textAt(one, 'type')}`,
        hint: 'correct the advertisement in leases/pools.yaml, and run `leasehold synth`',
      }));
  });
}

/** A note when another version of Cilium runs than the declared one. */
function otherRelease(
  operator: LiveObject | undefined,
  { cluster: { plane } }: Desired,
): readonly string[] {
  const running = (operator && releaseOf(operator)) ?? plane.version;
  if (running === plane.version) return [];
  return [`Cilium ${running} runs, but leases/pools.yaml declares ${plane.version}`];
}

function conditionsOf(object: LiveObject): readonly unknown[] {
  return listAt(fieldAt(object, 'status'), 'conditions');
}
