import type { SeededRandom } from '../life/seeded-random.ts';
import type { LeaseCheckout } from '../repositories/lease-checkout.ts';
import type { ByHand, Newcomer } from './newcomer.ts';

/** A workspace at the beginning of a job, on a branch of its own. */
export interface Desk {
  readonly checkout: LeaseCheckout;
  readonly random: SeededRandom;
  /** The names of the Services in `leases/shop`. */
  readonly services: readonly string[];
  readonly held: Held;
  /** A name that nothing has had. */
  readonly fresh: string;
}

/** Who has which addresses and hostnames, as `list` shows them: the names of `holderOf`, and hostnames. */
export type Held = ReadonlyMap<string, readonly string[]>;

/** One job: what a person edits, which commands are run first, and what must be so at the end. */
export interface Job {
  readonly name: string;
  /** The edit; undefined when the job does not fit the workspace. */
  readonly begin: (desk: Desk) => Begun | undefined;
}

export interface Begun {
  /** The commands that the help or the docs name for the job; without any, `synth`. */
  readonly commands?: readonly (readonly string[])[];
  readonly byHand?: readonly ByHand[];
  /** The new names of those that are renamed. */
  readonly renamed?: Readonly<Record<string, string>>;
  /** Those that may lose what they have; the others keep it. */
  readonly moved?: readonly string[];
  /** Follows what a plan says, too: a person reads its cautions. */
  readonly reads?: (plan: string, newcomer: Newcomer) => Promise<void>;
}

/** What `list` calls a Service of `leases/shop`. */
export function holderOf(service: string): string {
  return `default/shop/${service}`;
}

/** The hostnames that namespaces have. */
export function hostnamesIn({ held }: Pick<Desk, 'held'>): readonly string[] {
  return [...held.keys()].filter((name) => !name.includes('/'));
}

/** The Services and Akash endpoints with their addresses, and the hostnames with their owners. */
export async function heldIn(checkout: LeaseCheckout): Promise<Held> {
  const held = new Map<string, readonly string[]>();
  for (const { holder, cluster, addresses, claims } of await listed<HeldAddress>(checkout)) {
    const names = holder.includes('/akash/')
      ? [holder]
      : claims.map(({ namespace, service }) => `${cluster}/${namespace}/${service}`);
    for (const name of names) held.set(name, addresses);
  }
  for (const { hostname, holder } of await listed<HeldHostname>(checkout, '--hostnames')) {
    held.set(hostname, [holder]);
  }
  return held;
}

interface HeldAddress {
  readonly state: string;
  readonly holder: string;
  readonly cluster: string;
  readonly addresses: readonly string[];
  readonly claims: readonly { readonly namespace: string; readonly service: string }[];
}

interface HeldHostname {
  readonly state: string;
  readonly hostname: string;
  readonly holder: string;
}

/** What `list` shows as held. */
async function listed<T extends { readonly state: string }>(
  checkout: LeaseCheckout,
  ...options: readonly string[]
): Promise<T[]> {
  const { out } = await checkout.run('list', '-o', 'json', ...options);
  return (JSON.parse(out) as { items: T[] }).items.filter(({ state }) => state === 'held');
}

/** A job on one Service. */
export function onService(
  name: string,
  begin: (service: string, desk: Desk) => Begun | undefined,
): Job {
  return {
    name,
    begin: (desk) => {
      const service = desk.random.of(desk.services);
      return service === undefined ? undefined : begin(service, desk);
    },
  };
}
