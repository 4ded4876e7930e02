import type { LiveKind, LiveObject } from '../../../model/live.ts';
import { fieldAt, listAt } from '../../../model/unstructured.ts';
import { isDefault, isLeftOut } from './defaults.ts';
import { isMap } from './is-map.ts';

/** A field in which a live object is not as its manifest says. A value that is not there is undefined. */
export interface Difference {
  /** Such as `spec.ports[80/TCP].targetPort`. */
  readonly field: string;
  readonly wanted: unknown;
  readonly found: unknown;
}

/**
 * Where a live object differs from its manifest, in the order of the fields. Other labels and
 * annotations may be there, since engines add theirs; but not MetalLB's on a Service, which decide about its
 * address; and no owner, with whom the object would go. Everything else that the manifest says, as its `spec`, must be all there is, except for what
 * the API server adds by itself.
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
    if (head.has(field)) continue;
    comparison.compare({ field, path: field }, wanted[field], live[field]);
  }
  return found;
}

/** Items of a list have no apiVersion and kind, and metadata is looked at apart. */
const head = new Set(['apiVersion', 'kind', 'metadata']);

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

/** MetalLB's annotations, but for the one that its controller writes. MetalLB: controller/service.go. */
const request = /^metallb\.(?:io|universe\.tf)\/(?!ip-allocated-from-pool$)/;

/**
 * An annotation of the old prefix says nothing beside ours of the new one: MetalLB reads the old only where the new is not
 * there (controller/service.go). The Akash IP operator leaves one on every Service that it ever had.
 */
function addedRequests(wanted: LiveObject, live: LiveObject): Difference[] {
  const own = wanted.metadata.annotations ?? {};
  const isHidden = (key: string): boolean =>
    Object.hasOwn(own, key.replace(/^metallb\.universe\.tf\//, 'metallb.io/'));
  return Object.entries(live.metadata.annotations ?? {})
    .filter(([key]) => request.test(key) && !isHidden(key) && !Object.hasOwn(own, key))
    .map(([key, found]) => ({ field: `metadata.annotations[${key}]`, wanted: undefined, found }))
    .sort((left, right) => (left.field < right.field ? -1 : 1));
}

/** No engine sets owners, and Kubernetes deletes an object whose owners are gone. */
function addedOwners(live: LiveObject): Difference[] {
  const found = listAt(live, 'metadata', 'ownerReferences');
  if (found.length === 0) return [];
  return [{ field: 'metadata.ownerReferences', wanted: undefined, found }];
}

/** Where a value stands: for a person, and without the indexes of lists. */
interface Place {
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

  compare(place: Place, wanted: unknown, found: unknown): void {
    if (isMap(wanted) && isMap(found)) this.#compareMaps(place, wanted, found);
    else if (Array.isArray(wanted) && Array.isArray(found)) {
      this.#compareMaps(place, byItem(place, wanted), byItem(place, found));
    } else if (wanted === undefined && isDefault(this.#kind, place.path, found)) return;
    else if (found === undefined && isLeftOut(this.#kind, place.path, wanted)) return;
    else if (wanted !== found) this.#found.push({ field: place.field, wanted, found });
  }

  #compareMaps(place: Place, wanted: Readonly<object>, found: Readonly<object>): void {
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
 * The items of a list by their index, and the ports of a Service by port and protocol, as the API server
 * merges them (`listMapKeys`): another order of ports is no difference. A port without a targetPort has that of
 * its own number.
 */
function byItem({ path }: Place, list: readonly unknown[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    list.map((item, index) => {
      const isPort = path === 'spec.ports' && isMap(item);
      return isPort
        ? [`[${item.port}/${item.protocol}]`, { targetPort: item.port, ...item }]
        : [`[${index}]`, item];
    }),
  );
}
