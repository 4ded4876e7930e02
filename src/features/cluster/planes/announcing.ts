import { fieldAt, type LiveObject, listAt, liveObjectName } from '../../../core/model/live.ts';
import { addToGroup } from '../../../core/model/order.ts';
import type { DesiredClaim } from '../live/claim-state.ts';
import type { Detail } from '../verification-answer.ts';

/** Why no node can announce an address. */
export interface NoNode {
  /** A sentence without a trailing period. */
  readonly reason: string;
  readonly fix: string;
  readonly command?: string | undefined;
}

/** True when there is no node to announce from. */
export function isNoNode(found: ReadonlySet<string> | NoNode): found is NoNode {
  return 'reason' in found;
}

/** A Service of policy Local whose pods are on other nodes. */
export function notLocal(plane: string): NoNode {
  return {
    reason: `externalTrafficPolicy is Local, and no ready endpoint is on a node that ${plane} can announce it from`,
    fix: 'run its pods on such a node, or use externalTrafficPolicy: Cluster',
  };
}

export function notAnnounced({ service }: DesiredClaim, { reason, fix, command }: NoNode): Detail {
  const hint = command === undefined ? fix : `${fix}: \`${command}\``;
  return { state: 'not announced', object: service, message: reason, hint };
}

/** `consequence` is what the plane does then. */
export function noEndpoints(
  { service }: DesiredClaim,
  { metadata }: LiveObject,
  consequence: string,
): Detail {
  const { namespace, name } = metadata;
  return {
    state: 'no endpoints',
    object: service,
    message: `has no ready endpoint, ${consequence}`,
    hint: `check that its pods run and that its selector matches them: \`kubectl -n ${namespace} get endpointslices -l kubernetes.io/service-name=${name}\``,
  };
}

/** The ready endpoints of each Service, by the name of the object, as MetalLB counts them (EndpointCanServe). */
export function readyEndpoints(
  slices: readonly LiveObject[],
): ReadonlyMap<string, readonly unknown[]> {
  const ready = new Map<string, unknown[]>();
  for (const slice of slices) {
    const name = slice.metadata.labels?.['kubernetes.io/service-name'];
    if (name === undefined) continue;
    const { namespace = '' } = slice.metadata;
    const service = liveObjectName('service', { metadata: { namespace, name } });
    for (const endpoint of listAt(slice, 'endpoints')) {
      if (canServe(fieldAt(endpoint, 'conditions'))) addToGroup(ready, service, endpoint);
    }
  }
  return ready;
}

/** A missing `ready` means ready. */
function canServe(conditions: unknown): boolean {
  return fieldAt(conditions, 'ready') !== false || fieldAt(conditions, 'serving') === true;
}
