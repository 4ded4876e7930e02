import type { LiveSharer } from '../../../src/core/manifests/planes/plane.ts';

/** What MetalLB is told of a Service: one address that it asks for, and what is compared of those that share it. */
export type Asking = LiveSharer & { readonly name: string };

/**
 * The part of MetalLB's controller that gives Services of one family the addresses they ask for, so small that it
 * can be held beside the original: internal/allocator/allocator.go Assign, sharingOK and Unassign;
 * controller/main.go SetBalancer; controller/service.go convergeBalancer. `looksAgain` is what 0.15 added: a key that
 * changes makes it look at all Services.
 */
export class SmallMetalLB {
  readonly #looksAgain: boolean;
  readonly #known = new Map<string, Asking>();
  readonly #given = new Map<string, Asking>();

  constructor(looksAgain: boolean) {
    this.#looksAgain = looksAgain;
  }

  /** The Services that are known and have no address. */
  get waiting(): readonly string[] {
    return [...this.#known.keys()].filter((name) => !this.#given.has(name)).sort();
  }

  /** A Service comes, or changes. */
  apply(asking: Asking): void {
    this.#known.set(asking.name, asking);
    if (this.#isWorthAnotherLook(asking)) this.#lookAtAll();
  }

  /** A Service goes, or is no LoadBalancer any more. */
  remove(name: string): void {
    this.#known.delete(name);
    if (this.#given.delete(name)) this.#lookAtAll();
  }

  #lookAtAll(): void {
    let again = true;
    while (again) {
      again = [...this.#known.values()].filter((one) => this.#isWorthAnotherLook(one)).length > 0;
    }
  }

  /** Looks at one Service; true when that makes it look at all of them. */
  #isWorthAnotherLook(asking: Asking): boolean {
    const before = this.#given.get(asking.name);
    const others = [...this.#given.values()].filter(
      ({ name, pins }) => name !== asking.name && pins[0] === asking.pins[0],
    );
    if (!others.every((other) => canShare(asking, other))) {
      return this.#given.delete(asking.name);
    }
    this.#given.set(asking.name, asking);
    return this.#looksAgain && before !== undefined && !hasOneKey(before, asking);
  }
}

function hasOneKey(one: Asking, other: Asking): boolean {
  return one.sharingKey === other.sharingKey && one.backend === other.backend;
}

/** True when two Services may stand on one address. */
export function canShare(one: Asking, other: Asking): boolean {
  return hasOneKey(one, other) && !one.ports.some((port) => other.ports.includes(port));
}
