import type { Claim } from '../model/claim.ts';
import { holderText } from '../model/holder.ts';
import type { DnsRequest } from '../model/lease.ts';
import type { DnsRules } from '../model/pools.ts';
import type { Problem } from '../model/problem.ts';
import { isInDomain } from '../net/dns-name.ts';

/**
 * Problems of the DNS names of all claims: DNS_REFUSED for a name that the pool file does not
 * allow, and DNS_TAKEN for a name that another holder has. The claims of one holder may repeat a
 * name. Without the rules of the pool file only DNS_TAKEN.
 */
export function dnsProblems(claims: readonly Claim[], rules: DnsRules | undefined): Problem[] {
  return [...(rules ? refusedNames(claims, rules) : []), ...takenNames(claims)];
}

/** DNS_REFUSED for each name of claims that the rules do not allow. */
export function refusedNames(claims: readonly Claim[], rules: DnsRules): Problem[] {
  return namesOf(claims).flatMap(({ request }) => refusal(request, rules));
}

/** A DNS name that a claim of a holder requests. */
interface HolderName {
  readonly holder: string;
  readonly request: DnsRequest;
}

/** Each request once: the ports of a Service have the same requests. */
function namesOf(claims: readonly Claim[]): readonly HolderName[] {
  const names = claims.flatMap(({ holder, dns }) =>
    dns.map((request) => [request, { holder, request }] as const),
  );
  return [...new Map(names).values()];
}

function takenNames(claims: readonly Claim[]): Problem[] {
  const first = new Map<string, HolderName>();
  return namesOf(claims).flatMap((own): Problem[] => {
    const owner = first.get(own.request.name);
    if (!owner) first.set(own.request.name, own);
    return !owner || owner.holder === own.holder ? [] : [taken(own.request, owner)];
  });
}

function taken({ name, at }: DnsRequest, owner: HolderName): Problem {
  return {
    code: 'DNS_TAKEN',
    message: `the DNS name ${name} is already that of ${holderText(owner.holder)}`,
    at,
    also: [owner.request.at],
    hint: 'remove it from one of the two: a name has the addresses of one holder',
  };
}

function refusal({ name, at }: DnsRequest, { allowed, blocked }: DnsRules): Problem[] {
  const domain = blocked.find((one) => isInDomain(name, one));
  const isAllowed = allowed?.some((one) => isInDomain(name, one)) ?? true;
  if (domain === undefined && isAllowed) return [];
  const reason =
    domain === undefined ? 'is in no allowed domain' : `is in the blocked domain ${domain}`;
  const message = `the DNS name ${name} ${reason} of leases/pools.yaml`;
  const hint =
    domain === undefined
      ? `use a name in ${(allowed ?? []).slice(0, 5).join(', ')}, or add its domain to dns.allowed`
      : 'use another name';
  return [{ code: 'DNS_REFUSED', message, at, hint }];
}
