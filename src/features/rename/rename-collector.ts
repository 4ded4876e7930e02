import { anycastGroupOf, holderOfKey, holderOfService } from '../../core/declarations/claims.ts';
import { endpointNameField } from '../../core/declarations/lease/lease-schema.ts';
import type { SourceTree, TreeChanges } from '../../core/interfaces/tree.ts';
import { type AllocationTable, addressesHeldBy, isHeld } from '../../core/model/allocation.ts';
import {
  type Claim,
  declaredIn,
  endpointHolder,
  isLeaseClaim,
  keyParts,
  sharingKey,
} from '../../core/model/claim.ts';
import type { Holder } from '../../core/model/holder.ts';
import { hostnameHolder } from '../../core/model/hostname.ts';
import { compareText, groupBy, sortedKeys } from '../../core/model/order.ts';
import { fail, type Outcome, ok, type Problem } from '../../core/model/problem.ts';
import { poolsPath } from '../../core/model/repository-paths.ts';
import type { DeclaredService, Reservation } from '../../core/model/service.ts';
import { formatAddress } from '../../core/net/address.ts';
import { dnsLabel } from '../../core/text/common-fields.ts';
import { ambiguous } from '../../core/text/short-account.ts';
import { textIn } from '../../core/tree/tree-reader.ts';
import type { Workspace } from '../../core/tree/workspace.ts';
import { leaseOf } from '../../core/tree/workspace.ts';
import { newSpecText } from '../../lib/edit/declaration-edits.ts';
import { freePath } from '../../lib/edit/lease-edits.ts';
import { hasName, namedHolders } from '../../lib/edit/named-holders.ts';
import type { Renaming } from './rename-answer.ts';
import {
  withEndpointName,
  withHostnameService,
  withLiveKey,
  withMember,
  withPromisedEndpoint,
  withServiceName,
} from './rename-edits.ts';

/** The words of the command line. */
export interface RenameWords {
  readonly from: string;
  readonly to: string;
}

/** The edit of a rename, and its part of the answer. */
export interface RenameEdit {
  readonly changes: TreeChanges;
  readonly renamed: Renaming['renamed'];
  readonly edited: readonly string[];
  /** The file of the `Rename`; undefined when nothing has an address yet. */
  readonly written: string | undefined;
}

/** What the branch of a rename starts from. */
export interface RenameBase {
  readonly table: AllocationTable;
  readonly claims: readonly Claim[];
}

/** The edit, its problems, or the reason why the words name nothing that can be renamed. */
export type NamedRename =
  | { readonly ok: true; readonly edit: Outcome<RenameEdit> }
  | { readonly ok: false; readonly reason: string };

export type Declared = DeclaredService | Reservation;
type Place = Pick<Declared, 'namespace' | 'name'>;

/** Collects the edits of one rename. */
export class Edit {
  readonly #tree: SourceTree;
  readonly #workspace: Workspace;
  readonly #before: RenameBase;
  readonly #writes = new Map<string, string>();
  readonly #problems: Problem[] = [];
  readonly #pairs: { readonly from: string; readonly to: string }[] = [];

  constructor(tree: SourceTree, workspace: Workspace, before: RenameBase) {
    this.#tree = tree;
    this.#workspace = workspace;
    this.#before = before;
  }

  /** Renames a declared holder. */
  holder(holder: Holder, word: string): NamedRename {
    const { id, claims } = holder;
    const [cluster = '', kind] = id.split('/');
    const [first] = claims;
    if (cluster === 'anycast') {
      return refused(
        `${id} is a group: rename it in ${poolsPath}, then run leasehold rename ${id} anycast/NEW`,
      );
    }
    if (kind === 'akash') return this.#endpoint(holder, word);
    if (kind === 'service' && first?.kind === 'Service') return this.service(first.declared, word);
    return this.#key(holder, word);
  }

  /** Renames a Service, whose address can be that of a group. */
  service(declared: Declared, word: string): NamedRename {
    const { cluster, namespace } = declared;
    const to = placeIn(word, { cluster, namespace });
    if (!to) return refused(`'${word}' is not NAMESPACE/NAME of a Service in cluster ${cluster}`);
    const group = anycastGroupOf(declared, this.#workspace.pools.anycast);
    const [from, next] = [declared, { ...declared, ...to }].map(holderOfService);
    const isOther = !group && from !== undefined && next !== undefined && from !== next;
    return this.#services([declared], () => to, isOther ? [{ from, to: next }] : []);
  }

  /** Renames the namespace of all Services in a cluster. */
  namespace(cluster: string, from: string, to: string): NamedRename {
    const { services, holders } = this.#workspace;
    const own = services.filter((one) => one.cluster === cluster && one.namespace === from);
    const pairs = holders.flatMap(({ id }) => {
      const [place, kind, namespace, name] = id.split('/');
      return place === cluster && namespace === from && kind !== 'akash'
        ? [{ from: id, to: `${cluster}/${kind}/${to}/${name}` }]
        : [];
    });
    return this.#services(own, ({ name }) => ({ namespace: to, name }), pairs);
  }

  /** Writes a `Rename` of a holder whose declaration has another name already. */
  recorded({ from, to }: RenameWords, reason: string): NamedRename {
    const known = this.#formers();
    const { pools } = this.#workspace;
    const exact = known.filter((id) =>
      [from, `${pools.defaultCluster}/service/${from}`].includes(id),
    );
    const named =
      exact.length > 0 ? exact : known.filter((id) => hasName({ id, claims: [] }, from));
    const [former, ...others] = named;
    if (former === undefined) return this.#formerNamespace({ from, to }) ?? refused(reason);
    if (others.length > 0) return refused(ambiguous(from, named));
    const declared = namedHolders([to], this.#workspace);
    if (!declared.ok)
      return refused(`${former} is no longer declared, and ${declared.reason}: declare it first`);
    const [holder, other] = declared.holders;
    if (other) return refused(`${to} names several holders: write one`);
    const origin = this.#origin(former);
    this.#pairs.push({ from: origin, to: holder.id });
    const [usual, own = ''] = [origin, holder.id].map((id) => id.split('/').at(-1));
    const was = this.#before.claims.find((claim) => claim.holder === origin);
    this.#keepKey(holder.claims, { live: was?.sharingKey ?? usual, own });
    return this.#finished(holder.at.file);
  }

  /** The records of the branch, and those of its base. */
  get #tables(): readonly AllocationTable[] {
    return [this.#workspace.table, this.#before.table];
  }

  /** The recorded holders that are no longer declared. */
  #formers(): readonly string[] {
    const declared = new Set(this.#workspace.holders.map(({ id }) => id));
    const all = this.#tables.flatMap((table) => [...table.values()].map(({ holder }) => holder));
    return [...new Set(all)].filter((id) => !declared.has(id)).sort(compareText);
  }

  /** Writes a `Rename` of what a namespace had whose Services are declared in another one. */
  #formerNamespace({ from, to }: RenameWords): NamedRename | undefined {
    const nameOf = (word: string) => /^(?:[^/]+\/namespace\/)?([^/]+)$/.exec(word)?.[1];
    const [name, next] = [from, to].map(nameOf);
    const { holders, hostnames } = this.#workspace;
    const files = new Map([
      ...hostnames.map((one) => [one.holder, one.at.file] as const),
      ...holders.map(({ id, at }) => [id, at.file] as const),
    ]);
    const routed = [...this.#workspace.hostnameTable.values()].filter(isHeld);
    const formers = [...this.#formers(), ...new Set(routed.map(({ holder }) => holder))];
    const pairs = formers.flatMap((id) => {
      const [cluster, kind, namespace, ...rest] = id.split('/');
      const target = [cluster, kind, next, ...rest].join('/');
      const isOf = namespace === name && kind !== 'akash';
      return isOf && !files.has(id) && files.has(target) ? [{ from: id, to: target }] : [];
    });
    const [first] = pairs;
    if (!first) return undefined;
    this.#pairs.push(...pairs.map((pair) => ({ ...pair, from: this.#origin(pair.from) })));
    return this.#finished(files.get(first.to) ?? '');
  }

  #endpoint({ id, claims, promise, at }: Holder, word: string): NamedRename {
    const [cluster = ''] = id.split('/');
    const { owner = '' } = keyParts(id.split('/').at(-1) ?? '') ?? {};
    const prefix = `${cluster}/akash/${owner}-ip-`;
    const name = word.startsWith(prefix) ? word.slice(prefix.length) : word;
    if (!endpointNameField.safeParse(name).success) {
      return refused(
        `'${word}' is not the name of an IP endpoint of ${owner}: an endpoint has one owner`,
      );
    }
    const written = (text: string, index: number) => withEndpointName(text, index, name);
    this.#endpoints(claims, written, (at) => this.#problems.push(inSdl(at, name)));
    const [live] = claims.filter(isLeaseClaim);
    this.#keepKey(claims, { live: live?.sharingKey, own: sharingKey(owner, name) });
    if (promise) this.#edit(promise.at.file, (text) => withPromisedEndpoint(text, name));
    this.#pairs.push({ from: id, to: endpointHolder(cluster, owner, name) });
    return this.#finished(at.file);
  }

  /** Edits the endpoints of claims in their declarations. */
  #endpoints(
    claims: readonly Claim[],
    edit: (text: string, index: number) => string,
    inSdl: (at: Problem['at']) => void = () => {},
  ): void {
    for (const claim of claims.filter(isLeaseClaim)) {
      const { at, endpoints } = leaseOf(this.#workspace, claim);
      const index = endpoints.findIndex((one) => one.at === claim.at);
      if (claim.at.file === at.file) this.#edit(at.file, (text) => edit(text, index));
      else inSdl(claim.at);
    }
  }

  /**
   * Keeps the sharing key of several Services. MetalLB takes the address from one that changes it
   * while another is there, for a moment, or before 0.15 until the Service changes again.
   */
  #keepKey(
    claims: readonly Claim[],
    { live, own }: { readonly live: string | undefined; readonly own: string },
  ): void {
    const kept = claims.length < 2 || live === own ? undefined : live;
    this.#endpoints(claims, (text, index) => withLiveKey(text, index, kept));
  }

  /** Renames a sharing key, in the declarations of all its Services. */
  #key({ id, claims }: Holder, word: string): NamedRename {
    const [cluster = '', , namespace = ''] = id.split('/');
    const key = word.startsWith(`${cluster}/shared/${namespace}/`)
      ? (word.split('/').at(-1) ?? '')
      : word;
    if (key.includes('/') || key === '')
      return refused(`'${word}' is not a sharing key of namespace ${namespace}`);
    const services = declaredIn(claims);
    for (const one of services) {
      this.#edit(one.at.file, (text) => withServiceName(text, one, { sharingKey: key }));
    }
    this.#pairs.push({ from: id, to: holderOfKey({ cluster, namespace }, key) });
    return this.#finished(services[0]?.at.file ?? '');
  }

  #services(
    services: readonly Declared[],
    nameOf: (one: Declared) => Place,
    pairs: readonly { readonly from: string; readonly to: string }[],
  ): NamedRename {
    const { pools } = this.#workspace;
    for (const one of services) {
      const to = nameOf(one);
      const routes = pools.clusters.find(({ name }) => name === one.cluster)?.routes?.service;
      if (routes?.namespace === one.namespace && routes.name === one.name) {
        return refused(
          `routes.service in ${poolsPath} names ${one.namespace}/${one.name}: give both the new name by hand, then run leasehold rename again`,
        );
      }
      this.#edit(one.at.file, (text) => withServiceName(text, one, to));
      const group = anycastGroupOf(one, pools.anycast);
      if (group)
        this.#edit(poolsPath, (text) =>
          withMember(text, pools.anycast, { group, member: one, to }),
        );
      for (const { at } of this.#hostnamesOf(one)) {
        this.#edit(at.file, (text) => withHostnameService(text, to));
      }
    }
    this.#pairs.push(...pairs, ...this.#namespaces(services, nameOf));
    return this.#finished(services[0]?.at.file ?? '');
  }

  /** The holder that has the address of another one in the base, where a branch gave it over. */
  #origin(holder: string): string {
    const [own] = addressesHeldBy(this.#workspace.table, holder);
    const record = own && this.#before.table.get(formatAddress(own));
    const isDeclared = this.#workspace.holders.some(({ id }) => id === record?.holder);
    return record && isHeld(record) && !isDeclared ? record.holder : holder;
  }

  /** The holders of the hostnames of Services that get another namespace. */
  #namespaces(services: readonly Declared[], nameOf: (one: Declared) => Place) {
    const pairs = services.flatMap((one) => {
      const to = nameOf(one).namespace;
      const isRouted = this.#hostnamesOf(one).length > 0;
      const holder = hostnameHolder(one.cluster, one.namespace);
      return isRouted && to !== one.namespace
        ? [[holder, hostnameHolder(one.cluster, to)] as const]
        : [];
    });
    return [...new Map(pairs)].map(([from, to]) => ({ from, to }));
  }

  #hostnamesOf(one: Declared) {
    return this.#workspace.hostnames.filter(
      (hostname) =>
        !hostname.lease &&
        hostname.cluster === one.cluster &&
        hostname.namespace === one.namespace &&
        hostname.service === one.name,
    );
  }

  #edit(file: string, edit: (text: string) => string): void {
    this.#writes.set(file, edit(this.#writes.get(file) ?? textIn(this.#tree, file)));
  }

  /** Adds the `Rename` for the holders that have an address. */
  #finished(file: string): NamedRename {
    if (this.#problems.length > 0) return { ok: true, edit: fail(this.#problems) };
    const edited = sortedKeys(this.#writes);
    const renamed = this.#pairs
      .map(({ from, to }) => ({
        ...{ from, to, addresses: this.#addresses(from) },
        hostnames: this.#hostnames(from),
      }))
      .sort((left, right) => compareText(left.from, right.from));
    const removes = this.#withoutOldRenames(new Set(renamed.map(({ to }) => to)));
    const holders = renamed
      .filter(({ addresses, hostnames }) => addresses.length + hostnames.length > 0)
      .filter(({ from, to }) => this.#isHeldBefore(from) || !this.#isHeldBefore(to))
      .map(({ from, to }) => ({ from, to }));
    const [first] = holders;
    let written: string | undefined;
    if (first) {
      const folder = file.slice(0, file.lastIndexOf('/'));
      const name = first.from.split('/').at(-1) ?? '';
      const own = keyParts(name)?.endpoint ?? name;
      written = freePath(this.#tree, folder, `rename-${own}`);
      this.#writes.set(written, renameText(holders));
    }
    const changes = { writes: this.#writes, removes };
    return { ok: true, edit: ok({ changes, renamed, edited, written }) };
  }

  /** Removes the renames of names that are declared again. Returns the files that are left empty. */
  #withoutOldRenames(declared: ReadonlySet<string>): readonly string[] {
    const files = [...groupBy(this.#workspace.renames, ({ at }) => at.file)];
    return files.flatMap(([file, all]) => {
      const holders = all.flatMap(({ from, to }) => (declared.has(from) ? [] : [{ from, to }]));
      if (holders.length === all.length) return [];
      if (holders.length === 0) return [file];
      this.#writes.set(file, renameText(holders));
      return [];
    });
  }

  #isHeldBefore(holder: string): boolean {
    return addressesHeldBy(this.#before.table, holder).length > 0;
  }

  /** The hostnames that a namespace has. */
  #hostnames(holder: string): readonly string[] {
    const records = [...this.#workspace.hostnameTable.values()];
    return records
      .filter((record) => record.holder === holder && isHeld(record))
      .map(({ hostname }) => hostname)
      .sort(compareText);
  }

  /** The addresses that a holder has, or that are kept for it. */
  #addresses(holder: string): readonly string[] {
    const found = this.#tables.map((table) => addressesHeldBy(table, holder));
    const held = found.find(({ length }) => length > 0);
    const own = [...this.#workspace.table.values()].filter((record) => record.holder === holder);
    return (held ?? own.map(({ address }) => address)).map(formatAddress);
  }
}

export function isLabel(text: string): boolean {
  return dnsLabel.safeParse(text).success;
}

export function refused(reason: string): NamedRename {
  return { ok: false, reason };
}

/** `NAME`, `NAMESPACE/NAME` or the whole id of a Service in the same cluster. */
function placeIn(
  word: string,
  { cluster, namespace }: Pick<Declared, 'cluster' | 'namespace'>,
): Place | undefined {
  const prefix = `${cluster}/service/`;
  const parts = (word.startsWith(prefix) ? word.slice(prefix.length) : word).split('/');
  const [own = '', name = ''] = parts.length === 1 ? [namespace, ...parts] : parts;
  return parts.length <= 2 && isLabel(own) && isLabel(name) ? { namespace: own, name } : undefined;
}

function renameText(holders: readonly { readonly from: string; readonly to: string }[]): string {
  const declaration = { kind: 'Rename', holders };
  return newSpecText(declaration);
}

function inSdl(at: Problem['at'], name: string): Problem {
  return {
    code: 'SDL_NOT_EDITED',
    message: 'the endpoint is in an SDL, which belongs to the tenant',
    at,
    hint: `name the endpoint ${name} in the SDL, then run leasehold rename again`,
  };
}
