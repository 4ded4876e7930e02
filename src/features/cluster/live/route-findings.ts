import {
  fieldAt,
  type LiveObject,
  listAt,
  textAt,
  type WantedObject,
} from '../../../model/live.ts';
import type { ClusterFinding } from '../verification-answer.ts';
import type { Snapshot } from './snapshot.ts';

/** A finding for each HTTPRoute of `dist/` that its Gateway has not accepted, or cannot route. */
export function refusedRoutes(
  objects: Iterable<WantedObject>,
  live: Snapshot,
): readonly ClusterFinding[] {
  return [...objects].flatMap(({ kind, name, object }): readonly ClusterFinding[] => {
    const route = kind === 'httpRoute' ? live.get(name) : undefined;
    if (!route) return [];
    return routeFaults(route, fieldAt(object, 'spec', 'parentRefs', 0)).map((fault) => ({
      object: name,
      ...fault,
    }));
  });
}

type Fault = Pick<ClusterFinding, 'message' | 'hint'>;

/** The conditions of a route that must be True, with what to do about each. */
const conditions = {
  Accepted:
    'a Gateway accepts routes of its own namespace only, unless allowedRoutes of its listener says more',
  ResolvedRefs: 'check that the Service exists and has the port',
} as const;

function routeFaults(route: LiveObject, gateway: unknown): readonly Fault[] {
  const parent = listAt(route, 'status', 'parents').find((one) =>
    ['namespace', 'name'].every(
      (field) => textAt(one, 'parentRef', field) === textAt(gateway, field),
    ),
  );
  if (parent === undefined) {
    const message = 'its Gateway has not said whether it accepts the route';
    return [{ message, hint: 'check that the Gateway exists and that its controller runs' }];
  }
  return (['Accepted', 'ResolvedRefs'] as const).flatMap((type): Fault[] => {
    const condition = listAt(parent, 'conditions').find((one) => textAt(one, 'type') === type);
    const status = textAt(condition, 'status') ?? 'missing';
    const reasons = [textAt(condition, 'reason'), textAt(condition, 'message')].filter(Boolean);
    const message = [`its condition ${type} is ${status}`, ...reasons].join(': ');
    return status === 'True' ? [] : [{ message, hint: conditions[type] }];
  });
}
