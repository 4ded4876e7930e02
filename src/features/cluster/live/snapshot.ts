import { type LiveKind, type LiveObject, objectName } from '../../../model/live.ts';
import { listAt, textAt } from '../../../model/unstructured.ts';
import { formatAddress, isAddress, parseAddress } from '../../../net/address.ts';

/** The objects that a live cluster has, of the kinds that the tree is compared with. */
export class Snapshot {
  /** The kinds that the cluster serves. */
  readonly kinds = new Set<LiveKind>();
  readonly #objects = new Map<string, Seen>();
  readonly #users = new Map<string, string[]>();
  readonly #takers = new Map<string, string[]>();

  /** Takes in all objects of a kind. */
  add(kind: LiveKind, objects: readonly LiveObject[]): void {
    this.kinds.add(kind);
    for (const object of objects) {
      const name = objectName(kind, object);
      this.#objects.set(name, { kind, name, object });
      if (kind !== 'service') continue;
      addName(this.#users, ingressOf(object), name);
      addName(this.#takers, externalAddressesOf(object), name);
    }
  }

  /** The object of a name, such as `Service web/app`. */
  get(name: string): LiveObject | undefined {
    return this.#objects.get(name)?.object;
  }

  /** Every object, in no order. */
  all(): Iterable<Seen> {
    return this.#objects.values();
  }

  /** The Services that have an address, in no order. */
  usersOf(address: string): readonly string[] {
    return this.#users.get(address) ?? [];
  }

  /** The Services that take an address as an external one, which no load balancer gave them; in no order. */
  takersOf(address: string): readonly string[] {
    return this.#takers.get(address) ?? [];
  }
}

function addName(names: Map<string, string[]>, addresses: readonly string[], name: string): void {
  for (const address of new Set(addresses)) {
    const known = names.get(address);
    if (known) known.push(name);
    else names.set(address, [name]);
  }
}

/** A live object and its name. */
export interface Seen {
  readonly kind: LiveKind;
  readonly name: string;
  readonly object: LiveObject;
}

/** The addresses that a Service has from its load balancer: canonical text, in the order they stand. */
export function ingressOf(service: LiveObject): readonly string[] {
  return listAt(service, 'status', 'loadBalancer', 'ingress').flatMap((ingress) => {
    const text = textAt(ingress, 'ip') ?? textAt(ingress, 'hostname');
    return text === undefined ? [] : [canonical(text)];
  });
}

/**
 * The addresses whose packets a Service takes on every node without asking a load balancer: `spec.externalIPs`,
 * which anyone who may write a Service may set (CVE-2020-8554). Canonical text.
 */
export function externalAddressesOf(service: LiveObject): readonly string[] {
  return listAt(service, 'spec', 'externalIPs').flatMap((text) =>
    typeof text === 'string' ? [canonical(text)] : [],
  );
}

function canonical(text: string): string {
  const address = parseAddress(text);
  return isAddress(address) ? formatAddress(address) : text;
}
