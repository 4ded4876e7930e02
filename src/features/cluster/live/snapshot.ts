import type { LiveKind } from '../../../core/model/kinds.ts';
import { type LiveObject, listAt, liveObjectName, textAt } from '../../../core/model/live.ts';
import { addToGroup } from '../../../core/model/order.ts';
import { formatAddress, isAddress, parseAddress } from '../../../core/net/address.ts';
import { type AddressRange, rangeHas } from '../../../core/net/range.ts';

/** The live objects of a cluster, of all kinds that the tree is compared with. */
export class Snapshot {
  /** The kinds that the cluster serves. */
  readonly kinds = new Set<LiveKind>();
  readonly #objects = new Map<string, Seen>();
  readonly #users = new Map<string, string[]>();
  readonly #interceptors = new Map<string, string[]>();

  /** Adds all objects of a kind, which the cluster therefore serves. */
  add(kind: LiveKind, objects: readonly LiveObject[]): void {
    this.kinds.add(kind);
    for (const object of objects) {
      const name = liveObjectName(kind, object);
      this.#objects.set(name, { kind, name, object });
      if (kind !== 'service') continue;
      addName(this.#users, ingressOf(object), name);
      addName(this.#interceptors, externalAddressesOf(object), name);
    }
  }

  /** The object with a name such as `Service web/app`. */
  get(name: string): LiveObject | undefined {
    return this.#objects.get(name)?.object;
  }

  /** All objects, in no particular order. */
  all(): Iterable<Seen> {
    return this.#objects.values();
  }

  /** The Services that have an address from their load balancer, in no particular order. */
  usersOf(address: string): readonly string[] {
    return this.#users.get(address) ?? [];
  }

  /** The Services with an address in `spec.externalIPs`, in no particular order. */
  interceptorsOf(address: string): readonly string[] {
    return this.#interceptors.get(address) ?? [];
  }
}

function addName(names: Map<string, string[]>, addresses: readonly string[], name: string): void {
  for (const address of new Set(addresses)) {
    addToGroup(names, address, name);
  }
}

/** A live object and its name. */
export interface Seen {
  readonly kind: LiveKind;
  readonly name: string;
  readonly object: LiveObject;
}

/** The addresses that a Service has from its load balancer: canonical text, in their order. */
export function ingressOf(service: LiveObject): readonly string[] {
  return listAt(service, 'status', 'loadBalancer', 'ingress').flatMap((ingress) => {
    const text = textAt(ingress, 'ip') ?? textAt(ingress, 'hostname');
    return text === undefined ? [] : [canonicalAddress(text)];
  });
}

/** The Services with an address from their load balancer in one of the ranges. */
export function servicesIn(
  ranges: readonly AddressRange[],
  services: readonly LiveObject[],
): readonly LiveObject[] {
  return services.filter((service) =>
    ingressOf(service).some((text) => {
      const address = parseAddress(text);
      return isAddress(address) && ranges.some((range) => rangeHas(range, address));
    }),
  );
}

/**
 * The addresses in `spec.externalIPs`: every node sends their traffic to the Service, without a
 * load balancer. Anyone who may write a Service may set them (CVE-2020-8554). Canonical text.
 */
function externalAddressesOf(service: LiveObject): readonly string[] {
  return listAt(service, 'spec', 'externalIPs').flatMap((text) =>
    typeof text === 'string' ? [canonicalAddress(text)] : [],
  );
}

/** The canonical text of an address; any other text as it is. */
export function canonicalAddress(text: string): string {
  const address = parseAddress(text);
  return isAddress(address) ? formatAddress(address) : text;
}

/** True for a Service that a MetalLB of this class serves; undefined for a MetalLB without one. */
export function isOfClass(service: LiveObject, loadBalancerClass: string | undefined): boolean {
  return (
    textAt(service, 'spec', 'type') === 'LoadBalancer' &&
    textAt(service, 'spec', 'loadBalancerClass') === loadBalancerClass
  );
}
