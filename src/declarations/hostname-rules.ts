import type { Claim } from '../model/claim.ts';
import { holderText } from '../model/holder.ts';
import { answeringNames, type Hostname } from '../model/hostname.ts';
import type { DeclaredDnsName } from '../model/lease.ts';
import { ownerOf } from '../model/owner.ts';
import type { Pools, Routes } from '../model/pools.ts';
import type { Position, Problem } from '../model/problem.ts';
import { refusedName } from './dns-rules.ts';

/**
 * Problems of all declared hostnames: DNS_REFUSED for one that the pool file does not allow, and
 * HOSTNAME_TAKEN for one that is declared twice, or that overlaps a hostname or a DNS name of
 * another namespace. Two names overlap when they are equal, or when one is in the domain of the
 * other, a wildcard.
 */
export function hostnameProblems(
  hostnames: readonly Hostname[],
  claims: readonly Claim[],
  pools: Pools | undefined,
): Problem[] {
  const refused = hostnames.flatMap((one) => (pools ? refusedHostname(one, pools) : []));
  const dns = claims.flatMap((claim) =>
    isOfRoutes(claim, pools) ? [] : claim.dns.map((declared) => ofClaim(declared, claim)),
  );
  const own = hostnames.map(ofHostname);
  return [...refused, ...declaredTwice(hostnames), ...overlaps(own, [...own, ...dns])];
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
  readonly at: Position;
}

function ofHostname({ hostname, holder, at }: Hostname): OwnedName {
  return { name: hostname, owner: ownerOf(holder), holder, what: 'hostname', at };
}

function ofClaim({ name, at }: DeclaredDnsName, { holder }: Claim): OwnedName {
  return { name, owner: ownerOf(holder), holder, what: 'DNS name', at };
}

/** True for a claim of the Service that routes hostnames: its DNS names lead to it. */
function isOfRoutes(claim: Claim, pools: Pools | undefined): boolean {
  if (claim.kind !== 'Service') return false;
  const routes: Routes | undefined = pools?.clusters.find(
    ({ name }) => name === claim.cluster,
  )?.routes;
  const { namespace, name } = claim.declared;
  return routes?.service?.namespace === namespace && routes.service.name === name;
}

/** HOSTNAME_TAKEN for each hostname that a namespace declares twice. */
function declaredTwice(hostnames: readonly Hostname[]): Problem[] {
  const first = new Map<string, Hostname>();
  return hostnames.flatMap((one): Problem[] => {
    const key = `${one.holder} ${one.hostname}`;
    const other = first.get(key);
    if (!other) {
      first.set(key, one);
      return [];
    }
    const message = `the hostname ${one.hostname} is already declared for the Service ${other.service}`;
    const hint = 'keep one of the two: a hostname is routed to one Service';
    return [{ code: 'HOSTNAME_TAKEN', message, at: one.at, also: [other.at], hint }];
  });
}

/**
 * HOSTNAME_TAKEN for each hostname that overlaps another owner's name. Of two hostnames only the
 * later one is reported, or the one in the domain of the wildcard.
 */
function overlaps(hostnames: readonly OwnedName[], all: readonly OwnedName[]): Problem[] {
  const byName = new Map<string, OwnedName[]>();
  for (const one of all) byName.set(one.name, [...(byName.get(one.name) ?? []), one]);
  const isForeign = (one: OwnedName) => (other: OwnedName) =>
    other.owner === undefined || other.owner !== one.owner;
  const above = hostnames.flatMap((one) => {
    const others = answeringNames(one.name).flatMap((name) => byName.get(name) ?? []);
    const other = others.find(isForeign(one));
    const isFirst = other?.what === 'hostname' && other.name === one.name && isBefore(one, other);
    return other && !isFirst ? [taken(one, other)] : [];
  });
  const wildcards = new Map(hostnames.map((one) => [one.name, one]));
  const below = all.flatMap((one) => {
    if (one.what === 'hostname') return [];
    const [, ...names] = answeringNames(one.name);
    const other = names
      .map((name) => wildcards.get(name))
      .find((wildcard) => wildcard !== undefined);
    return other && isForeign(one)(other) ? [taken(other, one)] : [];
  });
  return [...above, ...below];
}

function isBefore({ at: one }: OwnedName, { at: other }: OwnedName): boolean {
  return one.file < other.file;
}

function taken(one: OwnedName, other: OwnedName): Problem {
  const holder = holderText(other.holder);
  const message =
    one.name === other.name
      ? `the hostname ${one.name} is already a ${other.what} of ${holder}`
      : `the hostname ${one.name} overlaps ${other.name}, a ${other.what} of ${holder}`;
  const hint = 'remove one of the two: a name and the domain of a wildcard have one holder';
  return { code: 'HOSTNAME_TAKEN', message, at: one.at, also: [other.at], hint };
}
