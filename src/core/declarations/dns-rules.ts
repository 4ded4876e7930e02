import type { Claim } from '../model/claim.ts';
import { holderText } from '../model/holder.ts';
import type { DeclaredDnsName } from '../model/lease.ts';
import type { DnsRules } from '../model/pools.ts';
import type { Problem } from '../model/problem.ts';
import { domainsAbove, isInDomain } from '../net/dns-name.ts';

/**
 * Problems of the DNS names of all claims: DNS_REFUSED for a name that the pool file does not
 * allow, and DNS_TAKEN for a name that another holder has, or that is in the domain of another
 * holder's wildcard. The claims of one holder may repeat a name. Without the rules of the pool file
 * only DNS_TAKEN.
 */
export function dnsProblems(claims: readonly Claim[], rules: DnsRules | undefined): Problem[] {
  return [...(rules ? refusedNames(claims, rules) : []), ...takenNames(claims)];
}

/** DNS_REFUSED for each name of claims that the rules do not allow. */
export function refusedNames(claims: readonly Claim[], rules: DnsRules): Problem[] {
  return namesOf(claims).flatMap(({ declared }) => refusedName(declared, rules));
}

/** The claims, each with only those of its DNS names that its holder does not have before. */
export function freshNames<Named extends Pick<Claim, 'holder' | 'dns'>>(
  before: readonly Claim[],
  claims: readonly Named[],
): Named[] {
  const known = new Set(
    before.flatMap(({ holder, dns }) => dns.map(({ name }) => `${holder} ${name}`)),
  );
  return claims.map((claim) => ({
    ...claim,
    dns: claim.dns.filter(({ name }) => !known.has(`${claim.holder} ${name}`)),
  }));
}

/** A DNS name that a claim of a holder requests. */
export interface HolderName {
  readonly holder: string;
  readonly declared: DeclaredDnsName;
}

/** Each declared name once: all ports of a Service have the same names. */
export function namesOf(claims: readonly Claim[]): readonly HolderName[] {
  const names = claims.flatMap(({ holder, dns }) =>
    dns.map((declared) => [declared, { holder, declared }] as const),
  );
  return [...new Map(names).values()];
}

function takenNames(claims: readonly Claim[]): Problem[] {
  const names = namesOf(claims);
  const first = new Map<string, HolderName>();
  for (const own of names) if (!first.has(own.declared.name)) first.set(own.declared.name, own);
  return names.flatMap(({ holder, declared }): Problem[] => {
    const wildcards = domainsAbove(declared.name).map((domain) => `*.${domain}`);
    const owner = [declared.name, ...wildcards]
      .map((name) => first.get(name))
      .find((one) => one !== undefined && one.holder !== holder);
    return owner ? [taken(declared, owner)] : [];
  });
}

function taken({ name, at }: DeclaredDnsName, owner: HolderName): Problem {
  const holder = holderText(owner.holder);
  const isSame = name === owner.declared.name;
  const message = isSame
    ? `the DNS name ${name} is already that of ${holder}`
    : `the DNS name ${name} is in the domain of ${owner.declared.name}, the wildcard of ${holder}`;
  const hint = isSame
    ? 'remove it here: a name has the addresses of one holder'
    : 'remove it here: all names in the domain of a wildcard belong to one holder';
  return { code: 'DNS_TAKEN', message, at, also: [owner.declared.at], hint };
}

/** DNS_REFUSED for a name that the rules do not allow. */
export function refusedName(
  { name, at }: DeclaredDnsName,
  { allowed, blocked }: DnsRules,
): Problem[] {
  const domain = blocked.find((one) => isInDomain(name, one));
  const below = name.startsWith('*.')
    ? blocked.find((one) => isInDomain(one, name.slice(2)))
    : undefined;
  const isAllowed = allowed?.some((one) => isInDomain(name, one)) ?? true;
  if (domain === undefined && below === undefined && isAllowed) return [];
  const message = `the DNS name ${name} ${refusalReason(domain, below)} of leases/pools.yaml`;
  const hint =
    !isAllowed && domain === undefined
      ? `use a name in ${(allowed ?? []).slice(0, 5).join(', ')}, or add its domain to dns.allowed`
      : 'use another name';
  return [{ code: 'DNS_REFUSED', message, at, hint }];
}

function refusalReason(domain: string | undefined, below: string | undefined): string {
  if (domain !== undefined) return `is in the blocked domain ${domain}`;
  return below === undefined
    ? 'is in no allowed domain'
    : `answers for the blocked domain ${below}`;
}
