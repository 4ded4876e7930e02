import { holderOfGroup, holderOfKey } from '../../core/declarations/claims.ts';
import { isHeld } from '../../core/model/allocation.ts';
import type { Hostname } from '../../core/model/hostname.ts';
import { sortedEntries } from '../../core/model/order.ts';
import type { AnycastMember } from '../../core/model/pools.ts';
import type { Position } from '../../core/model/problem.ts';
import { declarationsFolder } from '../../core/model/repository-paths.ts';
import { type Address, compareAddresses, formatAddress } from '../../core/net/address.ts';
import { setHas } from '../../core/net/range-set.ts';
import type { ImportNote } from '../../lib/foreign/source-reader.ts';
import type { ImportAnswerDeclaration } from './import-answer.ts';
import { addressesText, ImportTarget, type RepositoryState } from './import-target.ts';

/** A declaration of a live object, new or already present. */
export interface Adopted extends Pick<ImportAnswerDeclaration, 'kind' | 'name' | 'state'> {
  readonly addresses: readonly Address[];
  readonly hostnames: readonly string[];
  readonly path: string;
  /** The new text of the declaration; undefined when it is already present. */
  readonly text: string | undefined;
  readonly at: Position;
}

/**
 * Collects all that one import adds to its {@link ImportTarget}, one declaration after the other:
 * declarations with their paths, sharing keys, members of groups, and notes.
 */
export class ImportContext {
  readonly target: ImportTarget;
  readonly #adopted: Adopted[] = [];
  readonly #hostnames: Hostname[];
  readonly #changed: ImportNote[] = [];
  readonly #left: LeftObject[] = [];
  readonly #groups = new Map<string, readonly AnycastMember[]>();
  /** The holders of the used sharing keys. */
  readonly #keys: Set<string>;
  readonly #paths: Set<string>;

  constructor(repository: RepositoryState) {
    const { hostnames, paths, services } = repository;
    this.target = new ImportTarget(repository);
    this.#hostnames = [...hostnames];
    this.#paths = new Set(paths);
    this.#keys = new Set(
      services.flatMap((one) =>
        one.sharingKey === undefined ? [] : [holderOfKey(one, one.sharingKey)],
      ),
    );
  }

  get repository(): RepositoryState {
    return this.target.repository;
  }

  /** The live objects that are declared, before the import or by it. */
  get adopted(): readonly Adopted[] {
    return this.#adopted;
  }

  /** All declared hostnames, before the import and by it. */
  get hostnames(): readonly Hostname[] {
    return this.#hostnames;
  }

  /** True when no other address of the namespace has the sharing key. */
  isFreeKey(namespace: string, key: string): boolean {
    const holder = this.#holderOfKey(namespace, key);
    return !this.#keys.has(holder) && this.target.heldBy(holder).length === 0;
  }

  /** Marks a sharing key of the namespace as used. */
  takeKey(namespace: string, key: string): void {
    this.#keys.add(this.#holderOfKey(namespace, key));
  }

  #holderOfKey(namespace: string, key: string): string {
    return holderOfKey({ cluster: this.repository.cluster.name, namespace }, key);
  }

  /** True when neither a group nor a record of one uses the name. */
  isFreeGroup(name: string): boolean {
    const isKnown = this.repository.pools.anycast.some((group) => group.name === name);
    const records = [...this.repository.table.values()];
    return (
      !isKnown &&
      !this.#groups.has(name) &&
      !records.some(({ holder }) => holder === holderOfGroup({ name }))
    );
  }

  /** Adds members to a group of the pool file, creating the group if needed. */
  join(name: string, members: readonly AnycastMember[]): void {
    this.#groups.set(name, [...(this.#groups.get(name) ?? []), ...members]);
  }

  /** The added members, by the name of their group. */
  get groups(): ReadonlyMap<string, readonly AnycastMember[]> {
    return this.#groups;
  }

  /**
   * Notes that an object is not declared. Its addresses are reserved if another holder could get
   * them.
   */
  leave(subject: string, reason: string, addresses: readonly Address[], at: Position): void {
    this.#left.push({ subject, reason, addresses, at });
  }

  /** Notes that an object is declared differently from how it is. */
  change(subject: string, message: string, at: Position): void {
    this.#changed.push({ effect: 'changed', subject, message, at });
  }

  /** All notes. Whether the addresses of an object are reserved is known only at the end. */
  get notes(): readonly ImportNote[] {
    const reserved = new Set([...this.reserved.values()].flat().map(formatAddress));
    const left = this.#left.map(({ subject, reason, addresses, at }): ImportNote => {
      const own = addresses.filter((address) => reserved.has(formatAddress(address)));
      const sequel =
        own.length > 0
          ? `; ${addressesText(own)} is reserved, so that no other holder gets it`
          : '';
      return { effect: 'left', subject, message: `${reason}${sequel}`, at };
    });
    return [...this.#changed, ...left];
  }

  /** The objects that are not declared, whose addresses are reserved. */
  get undeclared(): readonly LeftObject[] {
    const reserved = new Set([...this.reserved.values()].flat().map(formatAddress));
    return this.#left.filter(({ addresses }) =>
      addresses.some((address) => reserved.has(formatAddress(address))),
    );
  }

  /** An unused path in the {@link declarationsFolder} of a namespace or an owner. */
  freePath(namespace: string, name: string): string {
    const { cluster, pools } = this.repository;
    const several = pools.clusters.length > 1;
    const home = declarationsFolder(several ? cluster.name : undefined, namespace);
    for (let count = 1; ; count += 1) {
      const path = `${home}/${name}${count === 1 ? '' : `.${count}`}.yaml`;
      if (!this.#paths.has(path)) return path;
    }
  }

  /** Adds a declaration, with the new hostnames in it. */
  adopt(adopted: Adopted, hostnames: readonly Hostname[] = []): void {
    this.#paths.add(adopted.path);
    this.#adopted.push(adopted);
    this.#hostnames.push(...hostnames);
  }

  /** The addresses of undeclared objects that another holder could get, sorted, by pool name. */
  get reserved(): ReadonlyMap<string, readonly Address[]> {
    const had = new Set(
      this.#adopted.flatMap(({ addresses, state }) =>
        state === 'added' ? addresses.map(formatAddress) : [],
      ),
    );
    const found = new Map<string, Map<string, Address>>();
    for (const address of this.#left.flatMap(({ addresses }) => addresses)) {
      const text = formatAddress(address);
      const pool = this.target.poolOf(address);
      const record = this.repository.table.get(text);
      if (!pool || had.has(text) || setHas(pool.reserved, address) || (record && isHeld(record)))
        continue;
      const known = found.get(pool.name) ?? new Map<string, Address>();
      found.set(pool.name, known.set(text, address));
    }
    return new Map(
      sortedEntries(found).map(([pool, addresses]) => [
        pool,
        [...addresses.values()].sort(compareAddresses),
      ]),
    );
  }
}

/** A live object that is not declared. */
export interface LeftObject {
  readonly subject: string;
  readonly reason: string;
  readonly addresses: readonly Address[];
  readonly at: Position;
}
