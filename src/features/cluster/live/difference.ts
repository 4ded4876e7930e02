import type { LiveKind } from '../../../core/model/kinds.ts';
import { fieldAt, type LiveObject, listAt } from '../../../core/model/live.ts';
import { ciliumKeys } from '../../../core/model/planes.ts';

/** A field in which a live object differs from its manifest. A missing value is undefined. */
export interface Difference {
  /** Such as `spec.ports[80/TCP].targetPort`. */
  readonly field: string;
  readonly wanted: unknown;
  readonly found: unknown;
}

/**
 * The differences between a live object and its manifest, in the order of the fields. Engines may
 * add labels and annotations, except those on a Service by which its data plane gives it an address.
 * Owners may not be added, since the object would be deleted with them. All other fields must match
 * exactly, except for the API server's defaults.
 */
export function differences(kind: LiveKind, wanted: LiveObject, live: LiveObject): Difference[] {
  const found: Difference[] = [
    ...differentTexts('labels', wanted, live),
    ...differentTexts('annotations', wanted, live),
    ...(kind === 'service' ? addedRequests(wanted, live) : []),
    ...addedOwners(live),
  ];
  const comparison = new Comparison(kind, found);
  for (const field of Object.keys(wanted).sort()) {
    if (skippedFields.has(field)) continue;
    comparison.compare({ field, path: field }, wanted[field], live[field]);
  }
  return found;
}

/** Items of a list have no apiVersion and kind; metadata is compared separately. */
const skippedFields = new Set(['apiVersion', 'kind', 'metadata']);

function differentTexts(
  part: 'labels' | 'annotations',
  wanted: LiveObject,
  live: LiveObject,
): Difference[] {
  return Object.entries(wanted.metadata[part] ?? {}).flatMap(([key, text]) => {
    const found = fieldAt(live.metadata[part], key);
    return found === text ? [] : [{ field: `metadata.${part}[${key}]`, wanted: text, found }];
  });
}

/**
 * MetalLB's annotations, except the one that its controller writes. MetalLB: controller/service.go.
 */
const metallbRequest = /^metallb\.(?:io|universe\.tf)\/(?!ip-allocated-from-pool$)/;

/** Those of Cilium's LB-IPAM. */
const ciliumRequests: readonly string[] = ciliumKeys.flatMap((keys) => Object.values(keys));

/**
 * The annotations of its data plane on a Service that its manifest does not have. One with the old prefix has
 * no effect beside ours with the new prefix: MetalLB reads the old one only as a fallback
 * (controller/service.go). The Akash IP operator leaves one on every Service that it ever managed.
 */
function addedRequests(wanted: LiveObject, live: LiveObject): Difference[] {
  const own = wanted.metadata.annotations ?? {};
  const isHidden = (key: string): boolean =>
    Object.hasOwn(own, key.replace(/^metallb\.universe\.tf\//, 'metallb.io/'));
  const isOnCilium = Object.hasOwn(own, ciliumKeys[0].addresses);
  const asks = (key: string): boolean =>
    isOnCilium ? ciliumRequests.includes(key) : metallbRequest.test(key);
  return Object.entries(live.metadata.annotations ?? {})
    .filter(([key]) => asks(key) && !isHidden(key) && !Object.hasOwn(own, key))
    .map(([key, found]) => ({ field: `metadata.annotations[${key}]`, wanted: undefined, found }))
    .sort((left, right) => (left.field < right.field ? -1 : 1));
}

/** Engines set no owners, and Kubernetes deletes an object whose owners are gone. */
function addedOwners(live: LiveObject): Difference[] {
  const found = listAt(live, 'metadata', 'ownerReferences');
  if (found.length === 0) return [];
  return [{ field: 'metadata.ownerReferences', wanted: undefined, found }];
}

/** The position of a value, with the keys of list items (`field`) and without (`path`). */
interface FieldPlace {
  readonly field: string;
  readonly path: string;
}

class Comparison {
  readonly #kind: LiveKind;
  readonly #found: Difference[];

  constructor(kind: LiveKind, found: Difference[]) {
    this.#kind = kind;
    this.#found = found;
  }

  compare(place: FieldPlace, wanted: unknown, found: unknown): void {
    if (isMap(wanted) && isMap(found)) this.#compareMaps(place, wanted, found);
    else if (Array.isArray(wanted) && Array.isArray(found)) {
      this.#compareMaps(place, byItem(place, wanted), byItem(place, found));
    } else if (wanted === undefined && isDefault(this.#kind, place.path, found)) return;
    else if (found === undefined && isLeftOut(this.#kind, place.path, wanted)) return;
    else if (wanted !== found) this.#found.push({ field: place.field, wanted, found });
  }

  #compareMaps(place: FieldPlace, wanted: Readonly<object>, found: Readonly<object>): void {
    const keys = [...new Set([...Object.keys(wanted), ...Object.keys(found)])].sort();
    for (const key of keys) {
      this.compare(
        key.startsWith('[')
          ? { field: `${place.field}${key}`, path: place.path }
          : { field: `${place.field}.${key}`, path: `${place.path}.${key}` },
        fieldAt(wanted, key),
        fieldAt(found, key),
      );
    }
  }
}

/**
 * The items of a list by index, and the ports of a Service by port and protocol, as the API server
 * merges them (`listMapKeys`): the order of ports does not matter. `targetPort` defaults to the
 * port.
 */
function byItem({ path }: FieldPlace, list: readonly unknown[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    list.map((item, index) => {
      const isPort = path === 'spec.ports' && isMap(item);
      return isPort
        ? [`[${item.port}/${item.protocol}]`, { targetPort: item.port, ...item }]
        : [`[${index}]`, item];
    }),
  );
}

/** A default that the API server chooses: any value is accepted. */
const chosen = Symbol('any value');

/**
 * Fields that the API server adds to the objects of leasehold, and their default values. Sources:
 * Kubernetes, pkg/apis/core/v1/defaults.go and pkg/registry/core/service/storage for Services,
 * pkg/apis/admissionregistration/v1/defaults.go for the policy. leasehold writes all fields with
 * defaults of a NetworkPolicy (pkg/apis/networking/v1/defaults.go) and of the custom resources of
 * MetalLB and Akash (imports/crds/), and not `disabled` of Cilium's pools.
 */
const defaults: { readonly [Kind in LiveKind]?: Readonly<Record<string, unknown>> } = {
  service: {
    'spec.allocateLoadBalancerNodePorts': true,
    'spec.clusterIP': chosen,
    'spec.clusterIPs': chosen,
    'spec.externalTrafficPolicy': 'Cluster',
    'spec.healthCheckNodePort': chosen,
    'spec.internalTrafficPolicy': 'Cluster',
    'spec.ipFamilies': chosen,
    'spec.ipFamilyPolicy': chosen,
    'spec.ports.nodePort': chosen,
    'spec.publishNotReadyAddresses': false,
    'spec.sessionAffinity': 'None',
    'spec.sessionAffinityConfig': { clientIP: { timeoutSeconds: 10_800 } },
    'spec.sessionAffinityConfig.clientIP': { timeoutSeconds: 10_800 },
    'spec.sessionAffinityConfig.clientIP.timeoutSeconds': 10_800,
  },
  ciliumPool: { 'spec.disabled': false },
  admissionPolicy: {
    'spec.matchConstraints.matchPolicy': 'Equivalent',
    'spec.matchConstraints.namespaceSelector': {},
    'spec.matchConstraints.objectSelector': {},
    'spec.matchConstraints.resourceRules.scope': '*',
  },
};

/** True when a live object may have a field with this value that its manifest lacks. */
function isDefault(kind: LiveKind, path: string, value: unknown): boolean {
  return defaultOf(kind, path) === chosen || isOwnDefault(kind, path, value);
}

/**
 * True when a live object may lack a field that its manifest has with this value: the API server
 * drops empty values of a Service and some defaults. It keeps empty values of custom resources.
 */
function isLeftOut(kind: LiveKind, path: string, value: unknown): boolean {
  return (kind === 'service' && isEmpty(value)) || isOwnDefault(kind, path, value);
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value)
    ? value.length === 0
    : isMap(value) && Object.keys(value).length === 0;
}

function isOwnDefault(kind: LiveKind, path: string, value: unknown): boolean {
  const expected = defaultOf(kind, path);
  if (isMap(expected)) return isMap(value) && JSON.stringify(value) === JSON.stringify(expected);
  return expected !== undefined && expected === value;
}

function defaultOf(kind: LiveKind, path: string): unknown {
  const known = defaults[kind];
  return known && Object.hasOwn(known, path) ? known[path] : undefined;
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
