import { isHeld, ownerOf } from '../model/allocation.ts';
import type { Claim } from '../model/claim.ts';
import type { Day } from '../model/day.ts';
import { holderText } from '../model/holder.ts';
import {
  answeringNames,
  type Hostname,
  type HostnameRecord,
  type HostnameTable,
  isOfRoutes,
  type LeaseHostname,
  routeText,
} from '../model/hostname.ts';
import { unusualOptions } from '../model/lease.ts';
import { addToGroup, compareText, groupBy } from '../model/order.ts';
import { controllersOf, type Pools, routeControllers } from '../model/pools.ts';
import {
  byStanding,
  type Position,
  type Problem,
  type Standing,
  startOf,
} from '../model/problem.ts';
import { namesOf, refusedName } from './dns-rules.ts';

/** Declared names, and the committed records of hostnames. */
export interface DeclaredNames {
  readonly hostnames: readonly Hostname[];
  /** Their DNS names count. */
  readonly claims: readonly Claim[];
  readonly hostnameTable: HostnameTable;
  readonly standing?: Standing | undefined;
}

/**
 * Problems of all declared hostnames: DNS_REFUSED for one that the pool file does not allow,
 * HTTP_OPTION_REFUSED for an option that its routes cannot have, HOSTNAME_TAKEN for one that is
 * declared twice, and {@link overlapProblems}.
 */
export function hostnameProblems(names: DeclaredNames, pools: Pools | undefined): Problem[] {
  const { hostnames } = names;
  const refused = hostnames.flatMap((one) => (pools ? refusedHostname(one, pools) : []));
  const options = hostnames.flatMap((one) => (one.lease ? refusedOptions(one, pools) : []));
  const twice = declaredTwice(byStanding(hostnames, names.standing));
  return [...refused, ...options, ...twice, ...overlapProblems(names, pools)];
}

/** HTTP_OPTION_REFUSED for each unusual option of a hostname that its routes cannot have. */
function refusedOptions(
  { cluster, hostname, http, at }: LeaseHostname,
  pools: Pools | undefined,
): Problem[] {
  const routes = pools?.clusters.find(({ name }) => name === cluster)?.routes;
  if (!routes) return [];
  const { controller } = routes;
  const applied: readonly string[] = controller ? routeControllers[controller].applies : [];
  // The order of cases is kept for Akash's bytes only: the default ones are no option in any order.
  const inOrder = { ...http, nextCases: http.nextCases.toSorted(compareText) };
  const refused = [...unusualOptions(inOrder)].filter(([option]) => !applied.includes(option));
  return refused.map(([, text]) => ({
    code: 'HTTP_OPTION_REFUSED',
    message: controller
      ? `${hostname} has ${text}, which ${controller} cannot apply`
      : `${hostname} has ${text}, but routes of cluster '${cluster}' in leases/pools.yaml name no controller that applies it`,
    at,
    hint: controller
      ? 'remove the option'
      : `remove the option, or name the controller: ${controllersOf(routes.kind).join(' or ')}`,
  }));
}

/**
 * HOSTNAME_TAKEN for each hostname that overlaps a hostname or DNS name of another namespace, or a
 * DNS name of another holder when its Service has an address, to which its DNS records lead. Two
 * names overlap when they are equal, or when one is in the domain of the other, a wildcard. The
 * problem is at the name that the base does not have, or at the one without a record, or at the one
 * with the newer record, or at the one with the worse standing. Without such a difference it is at
 * the hostname rather than the DNS name, at the later file of equal names, and at the name in the
 * domain of the wildcard. The DNS names of the Services that route hostnames do not count.
 */
export function overlapProblems(
  { hostnames, claims, hostnameTable, standing }: DeclaredNames,
  pools: Pools | undefined,
): Problem[] {
  if (hostnames.length === 0) return [];
  const routing = claims.filter((claim) => isOfRoutes(claim, pools));
  const leading = new Map(routing.map(({ cluster, holder }) => [cluster, holder]));
  return overlaps(
    [
      ...hostnames.map((one) => ofHostname(one, hostnameTable, leading.get(one.cluster))),
      ...dnsNamesOf(claims, pools),
    ],
    standing,
  );
}

/**
 * HOSTNAME_TAKEN for each hostname and DNS name that overlaps a hostname that another namespace
 * holds by `records`, those of another tree.
 */
export function heldElsewhere(
  { hostnames, claims }: Pick<DeclaredNames, 'hostnames' | 'claims'>,
  pools: Pools | undefined,
  records: readonly HostnameRecord[],
): Problem[] {
  const held = records.filter(isHeld).map(ofRecord);
  const places = new Set(held.map(({ at }) => at));
  const own = hostnames.map((one) => ofHostname(one, new Map()));
  const found = overlaps([...held, ...own, ...dnsNamesOf(claims, pools)]);
  return found.filter(({ also = [] }) => also.some((at) => places.has(at)));
}

/** DNS_REFUSED for a hostname that the rules of a pool file do not allow. */
export function refusedHostname({ hostname, at }: Hostname, { dns }: Pools): Problem[] {
  return refusedName({ name: hostname, at }, dns);
}

/** A name, with the namespace or account that has it. */
interface OwnedName {
  readonly name: string;
  /** See `ownerOf`. */
  readonly owner: string | undefined;
  /** The holder, for messages. */
  readonly holder: string;
  readonly what: 'hostname' | 'DNS name';
  /** The holder whose addresses are in DNS; undefined for a hostname without DNS records. */
  readonly leadsTo: string | undefined;
  /** The day of its record; undefined without one. DNS names have none. */
  readonly since: Day | undefined;
  readonly at: Position;
}

function ofHostname(
  { hostname, holder, at }: Hostname,
  table: HostnameTable,
  leadsTo?: string,
): OwnedName {
  const record = table.get(hostname);
  const since = record?.holder === holder && isHeld(record) ? record.since : undefined;
  return { name: hostname, owner: ownerOf(holder), holder, what: 'hostname', leadsTo, since, at };
}

function ofRecord({ hostname, holder, since, at }: HostnameRecord): OwnedName {
  const ofHolder = { name: hostname, owner: ownerOf(holder), holder, leadsTo: undefined };
  return { ...ofHolder, what: 'hostname', since, at: at ?? startOf(hostname) };
}

function dnsNamesOf(claims: readonly Claim[], pools: Pools | undefined): readonly OwnedName[] {
  const others = claims.filter((claim) => !isOfRoutes(claim, pools));
  return namesOf(others).map(({ holder, declared: { name, at } }) => {
    const ofHolder = { name, owner: ownerOf(holder), holder, leadsTo: holder };
    return { ...ofHolder, what: 'DNS name', since: undefined, at };
  });
}

/** HOSTNAME_TAKEN for each hostname that a namespace or an Akash owner declares twice. */
function declaredTwice(hostnames: readonly Hostname[]): Problem[] {
  const first = new Map<string, Hostname>();
  return hostnames.flatMap((one): Problem[] => {
    const key = `${one.holder} ${one.hostname}`;
    const other = first.get(key);
    if (!other) {
      first.set(key, one);
      return [];
    }
    const message = `the hostname ${one.hostname} is already declared for ${other.lease ? routeText(other) : `the Service ${other.service}`}`;
    const hint = one.lease
      ? 'remove it here; a change that also removes it from the other lease moves it here'
      : 'remove this one: a hostname is routed to one Service';
    return [{ code: 'HOSTNAME_TAKEN', message, at: one.at, also: [other.at], hint }];
  });
}

/**
 * Returns HOSTNAME_TAKEN for each pair of a name and an equal name, or a wildcard above it. A
 * wildcard that is newer than names in its domain has one problem for all of them, and none when it
 * has a problem already. Two DNS names may overlap.
 */
function overlaps(names: readonly OwnedName[], standing?: Standing): Problem[] {
  const byName = groupBy(names, ({ name }) => name);
  const found = new Map<OwnedName, OwnedName[]>();
  for (const one of names) {
    const others = answeringNames(one.name).flatMap((name) => byName.get(name) ?? []);
    for (const other of others.filter((name) => isOfAnother(one, name))) {
      const [later, first] = isLater(one, other, standing) ? [one, other] : [other, one];
      addToGroup(found, later, first);
    }
  }
  return [...found].flatMap(([name, others]) => {
    const above = others.filter((other) => isInDomain(name, other));
    const named = above.length > 0 ? above : others.slice(0, 1);
    return [...new Set(named)].map((other) => taken(name, other));
  });
}

/**
 * True when a name may not overlap `other`. An Akash owner has the same name in two clusters as two
 * holders, and a hostname has one record.
 */
function isOfAnother(one: OwnedName, other: OwnedName): boolean {
  if (one.what === 'hostname' && other.what === 'hostname') return one.holder !== other.holder;
  const isForeign = other.owner === undefined || other.owner !== one.owner;
  const leads = [one.leadsTo, other.leadsTo];
  const isElsewhere = !leads.includes(undefined) && one.leadsTo !== other.leadsTo;
  return (isForeign || isElsewhere) && (one.what === 'hostname' || other.what === 'hostname');
}

/** True for a name that is equal to `other`, or in the domain of that wildcard. */
function isInDomain(one: OwnedName, other: OwnedName): boolean {
  return answeringNames(one.name).includes(other.name);
}

/** True when a problem is at `one`, which is equal to `other` or in its domain. */
function isLater(one: OwnedName, other: OwnedName, standing: Standing = () => ''): boolean {
  const [own, others] = [standing(one), standing(other)];
  // The rank by the base comes first: a branch can have recorded a name before its target did.
  if (own.charAt(0) !== others.charAt(0)) return own > others;
  if (one.since !== other.since) {
    return other.since !== undefined && (one.since === undefined || one.since > other.since);
  }
  if (own !== others) return own > others;
  if (one.what !== other.what) return one.what === 'hostname';
  return one.name !== other.name || one.at.file > other.at.file;
}

function taken(one: OwnedName, other: OwnedName): Problem {
  const holder = holderText(other.holder);
  const message =
    one.name === other.name
      ? `the ${one.what} ${one.name} is already a ${other.what} of ${holder}`
      : `the ${one.what} ${one.name} overlaps ${other.name}, a ${other.what} of ${holder}`;
  const hint = hintOf(one, other, holder);
  return { code: 'HOSTNAME_TAKEN', message, at: one.at, also: [other.at], hint };
}

function hintOf(one: OwnedName, other: OwnedName, holder: string): string {
  if (one.what !== other.what) {
    return 'remove this one; or, if the Service of the DNS name routes the hostnames, name it in routes.service of the cluster';
  }
  return other.since === undefined
    ? 'use another name here, or remove this declaration: a name and the domain of a wildcard have one holder'
    : `${holder} keeps it, since ${other.since}: use another name here, or remove this declaration`;
}
