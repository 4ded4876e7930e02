import { compareText } from '../model/order.ts';

/**
 * A place at which features add to another one, such as the routes of `serve`. It stands in a
 * library, so that neither feature imports the other.
 */
export interface Extension<Value> {
  /** The name of the additions, for messages. */
  readonly name: string;
  /** Never set: it ties the type of what is added to the place. */
  readonly value?: Value;
}

/** An addition of a feature at an {@link Extension}. */
export interface Addition {
  readonly to: Extension<unknown>;
  readonly load: () => Promise<unknown>;
}

/** An addition whose type is that of its place. */
export function adds<Value>(to: Extension<Value>, load: () => Promise<Value>): Addition {
  return { to, load };
}

/** A feature, as far as it adds to others. */
interface Adding {
  readonly name: string;
  readonly adds?: readonly Addition[];
}

/** Loads what the features add at a place, in the order of their names. */
export async function additionsTo<Value>(
  place: Extension<Value>,
  features: readonly Adding[],
): Promise<readonly Value[]> {
  const loads = [...features]
    .sort((left, right) => compareText(left.name, right.name))
    .flatMap((feature) => (feature.adds ?? []).filter(({ to }) => to === place));
  return (await Promise.all(loads.map(({ load }) => load()))) as Value[];
}
