import { fieldAt, type LiveObject, listAt, numberAt, textAt } from '../../../core/model/live.ts';
import { controllersOf } from '../../../core/model/pools.ts';
import { fewOf, type Position } from '../../../core/model/problem.ts';
import { dnsLabel, objectName } from '../../../core/text/common-fields.ts';
import { isClose, isRefused } from '../../../lib/kubernetes/live-routes.ts';
import type { LiveRoute, RoutePlace, RouteTarget } from '../imported.ts';
import type { SourceObject } from '../metallb/source-object.ts';

/** The fields of a route's spec. */
export interface RouteParts
  extends Pick<LiveRoute, 'place' | 'hosts' | 'controller' | 'obstacle' | 'lost'> {
  /** True when its Gateway has refused it. */
  readonly isRefused: boolean;
}

/** Reads the spec and the status of an HTTPRoute. */
export function httpRouteParts(object: SourceObject, live: LiveObject): RouteParts {
  const place = gatewayOf(live);
  const target = targetOf(live);
  const isAttached = typeof place !== 'string';
  return {
    place: isAttached ? place : undefined,
    hosts: listAt(live, 'spec', 'hostnames').flatMap((hostname, index) => {
      const at = placeIn(object, 'hostnames', index);
      return typeof hostname === 'string' ? [{ hostname, target, at }] : [];
    }),
    controller: controllerOf(live),
    obstacle: isAttached ? specObstacle(live) : place,
    lost: lostOf(live),
    isRefused: isAttached && isRefused(live, place.gateway),
  };
}

/** The position of a part of the spec, or of the object. */
export function placeIn(
  { spec, at }: SourceObject,
  field: string,
  ...path: readonly (string | number)[]
): Position {
  const node = spec.get(field);
  return node ? node.document.at([...node.path, ...path]) : at;
}

/** The Gateway of a route, or the reason why it has not one. */
function gatewayOf({
  metadata,
  spec,
}: LiveObject): Extract<RoutePlace, { kind: 'HTTPRoute' }> | string {
  const parents = listAt(spec, 'parentRefs');
  const kinds = parents.map((parent) => textAt(parent, 'kind') ?? 'Gateway');
  const other = kinds.find((kind) => kind !== 'Gateway');
  if (other !== undefined) return `it is attached to a ${other}, not to a Gateway`;
  const gateways = new Map(
    parents.map((parent) => {
      const namespace = textAt(parent, 'namespace') ?? metadata.namespace ?? '';
      const name = textAt(parent, 'name') ?? '';
      return [`${namespace}/${name}`, { namespace, name }] as const;
    }),
  );
  const [gateway, second] = gateways.values();
  if (!gateway) return 'it is attached to no Gateway';
  if (second) return `it is attached to several Gateways: ${fewOf([...gateways.keys()])}`;
  const isNamed =
    dnsLabel.safeParse(gateway.namespace).success && objectName.safeParse(gateway.name).success;
  return isNamed ? { kind: 'HTTPRoute', gateway } : 'the name of its Gateway cannot be read';
}

/** The controller in the status of an HTTPRoute, if leasehold knows it. */
function controllerOf(live: LiveObject): RouteParts['controller'] {
  const names = listAt(live, 'status', 'parents').map((one) => textAt(one, 'controllerName'));
  return controllersOf('HTTPRoute').find((known) => names.includes(known));
}

const specFields = ['parentRefs', 'hostnames', 'rules'];

function specObstacle({ spec }: LiveObject): string | undefined {
  const other = Object.keys(Object(spec)).find((field) => !specFields.includes(field));
  if (other !== undefined) return `it has 'spec.${other}', which a Hostname cannot have`;
  return listAt(spec, 'hostnames').length === 0
    ? 'it has no hostnames, so it routes every name of its Gateway'
    : undefined;
}

/** Fields of a rule that leasehold leaves out, with a sentence. */
const lostFields: ReadonlyMap<string, string> = new Map([
  ['timeouts', 'its timeouts are not imported'],
  ['retry', 'its retries are not imported'],
  ['sessionPersistence', 'its session persistence is not imported'],
]);

const ruleFields = ['name', 'matches', 'filters', 'backendRefs', ...lostFields.keys()];

/** Where all requests are routed to, or the reason why not to one Service of the namespace. */
function targetOf(live: LiveObject): RouteTarget | string {
  const [rule, second] = listAt(live, 'spec', 'rules');
  if (rule === undefined || second !== undefined) {
    return rule === undefined ? 'it has no rules' : 'it has several rules';
  }
  const other = Object.keys(Object(rule)).find((field) => !ruleFields.includes(field));
  if (other !== undefined) return `its rule has '${other}', which a Hostname cannot have`;
  const matches = listAt(rule, 'matches');
  if (matches.length > 1) return 'it has several matches';
  if (matches.some(isClose)) return 'it matches only some requests, and a Hostname routes all';
  if (listAt(rule, 'filters').length > 0) return 'it has filters';
  const [backend, another] = listAt(rule, 'backendRefs');
  if (backend === undefined || another !== undefined) {
    return backend === undefined ? 'it has no backend' : 'it has several backends';
  }
  return backendOf(backend, live.metadata.namespace);
}

function backendOf(backend: unknown, namespace: string | undefined): RouteTarget | string {
  const kind = textAt(backend, 'kind') ?? 'Service';
  if (kind !== 'Service' || (textAt(backend, 'group') ?? '') !== '') {
    return `its backend is a ${kind}, not a Service`;
  }
  const other = textAt(backend, 'namespace') ?? namespace;
  if (other !== namespace) return `its backend is in the namespace ${other}`;
  if (listAt(backend, 'filters').length > 0) return 'its backend has filters';
  if (fieldAt(backend, 'weight') === 0) return 'its backend has the weight 0';
  const service = textAt(backend, 'name');
  const port = numberAt(backend, 'port');
  return service === undefined || port === undefined
    ? 'its backend has no port'
    : { service, port };
}

function lostOf({ spec }: LiveObject): readonly string[] {
  const [rule] = listAt(spec, 'rules');
  const fields = [...lostFields].filter(([field]) => fieldAt(rule, field) !== undefined);
  const listeners = listAt(spec, 'parentRefs').flatMap((parent) => {
    const port = numberAt(parent, 'port');
    return textAt(parent, 'sectionName') ?? (port === undefined ? [] : [`of port ${port}`]);
  });
  return [
    ...fields.map(([, sentence]) => sentence),
    ...(listeners.length > 0
      ? [
          `it is attached to the listener ${listeners.join(' and ')}, and the HTTPRoute of leasehold to every listener of the Gateway`,
        ]
      : []),
  ];
}
