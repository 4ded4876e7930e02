import {
  fieldAt,
  type LiveObject,
  listAt,
  numberAt,
  textAt,
  type WantedObject,
} from '../../../core/model/live.ts';
import type { ClusterFinding } from '../verification-answer.ts';
import type { Snapshot } from './snapshot.ts';

/**
 * A finding for each HTTPRoute of `dist/` that its Gateway has not accepted, or cannot route, and
 * for each policy of one that its controller has not accepted.
 */
export function refusedRoutes(
  objects: Iterable<WantedObject>,
  live: Snapshot,
): readonly ClusterFinding[] {
  return [...objects].flatMap((wanted) => {
    const found = live.get(wanted.name);
    const faults = found ? faultsOf(wanted, found) : [];
    return faults.map((fault) => ({ object: wanted.name, ...fault }));
  });
}

function faultsOf({ kind, object }: WantedObject, found: LiveObject): readonly Fault[] {
  if (kind === 'httpRoute') return routeFaults(found, fieldAt(object, 'spec', 'parentRefs', 0));
  const isPolicy = kind === 'clientSettingsPolicy' || kind === 'proxySettingsPolicy';
  return isPolicy ? policyFaults(found) : [];
}

type Fault = Pick<ClusterFinding, 'message' | 'hint'>;

/** The hint for a Gateway that is silent about a route. */
const silent = 'check that the Gateway exists and that its controller runs';

/** Advice for a reason that a condition gives. `other` is for a controller's own reasons. */
interface Hints {
  readonly other: string;
  readonly [reason: string]: string;
}

/**
 * The conditions of a route that must be True, with hints for the reasons of the Gateway API. Traefik
 * 3.7 gives the first and the third for a listener that it cannot run, such as one without its
 * certificate, and RefNotPermitted for a BackendTLSPolicy without its authority.
 */
const conditions: Readonly<Record<'Accepted' | 'ResolvedRefs', Hints>> = {
  Accepted: {
    NotAllowedByListeners:
      'allow HTTPRoutes of this namespace in allowedRoutes of a listener for HTTP or HTTPS that is Programmed in the status of the Gateway',
    NoMatchingListenerHostname:
      'give the Gateway a listener whose hostname includes this one, or without a hostname',
    NoMatchingParent:
      'give the Gateway a listener for HTTP or HTTPS that is Programmed in its status',
    UnsupportedValue:
      'read the message for the value that the controller does not support, and update the controller',
    IncompatibleFilters: 'find what adds filters to the route: leasehold writes none',
    Pending: 'wait; if it stays so, read the log of the controller of the Gateway',
    other: 'read the status of the Gateway and the log of its controller',
  },
  ResolvedRefs: {
    RefNotPermitted:
      'find what changes the backendRefs of the route, or correct the BackendTLSPolicy of its Service: leasehold writes a Service of its own namespace',
    InvalidKind:
      'find what changes the backendRefs of the route: leasehold writes a Service of its own namespace',
    BackendNotFound:
      'create the Service with the port in the namespace of the route, or correct service and port of the declaration',
    UnsupportedProtocol:
      'give the port of the Service an appProtocol that the controller supports, or none',
    other: 'check that the Service exists and has the port',
  },
};

function routeFaults(route: LiveObject, gateway: unknown): readonly Fault[] {
  const parent = listAt(route, 'status', 'parents').find((one) =>
    ['namespace', 'name'].every(
      (field) => textAt(one, 'parentRef', field) === textAt(gateway, field),
    ),
  );
  if (parent === undefined) {
    return [{ message: 'its Gateway has not said whether it accepts the route', hint: silent }];
  }
  const found = listAt(parent, 'conditions');
  if (found.some((condition) => isOutdated(condition, route))) {
    const message = 'its Gateway has not judged the last change of the route yet';
    return [{ message, hint: silent }];
  }
  return (['Accepted', 'ResolvedRefs'] as const).flatMap((type): Fault[] => {
    const condition = found.find((one) => textAt(one, 'type') === type);
    const status = textAt(condition, 'status') ?? 'missing';
    const reason = textAt(condition, 'reason') ?? '';
    const reasons = [reason, textAt(condition, 'message')].filter(Boolean);
    const message = [`its condition ${type} is ${status}`, ...reasons].join(': ');
    const hints = conditions[type];
    return status === 'True' ? [] : [{ message, hint: textAt(hints, reason) ?? hints.other }];
  });
}

/** Policy Attachment of the Gateway API, GEP-713: `status.ancestors`, one for each Gateway. */
function policyFaults(policy: LiveObject): readonly Fault[] {
  const ancestors = listAt(policy, 'status', 'ancestors');
  if (ancestors.length === 0) {
    return [
      { message: 'no controller has said whether it accepts the policy', hint: noController },
    ];
  }
  return ancestors.flatMap((ancestor): Fault[] => {
    const found = listAt(ancestor, 'conditions').find((one) => textAt(one, 'type') === 'Accepted');
    if (textAt(found, 'status') === 'True') return [];
    const texts = [textAt(found, 'reason'), textAt(found, 'message')].filter(Boolean);
    const message = [`its condition Accepted is ${textAt(found, 'status') ?? 'missing'}`, ...texts];
    return [{ message: message.join(': '), hint: otherPolicy }];
  });
}

const noController =
  'check that NGINX Gateway Fabric 2.4 or later runs the Gateway, and that it accepts the route';
const otherPolicy = 'read the message; another policy of the route can set the same option';

/** True for a condition that tells of an earlier generation of the route than the live one. */
function isOutdated(condition: unknown, route: LiveObject): boolean {
  const observed = numberAt(condition, 'observedGeneration');
  const live = numberAt(route, 'metadata', 'generation');
  return observed !== undefined && live !== undefined && observed < live;
}
