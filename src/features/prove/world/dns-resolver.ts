import { Resolver } from 'node:dns/promises';
import { hasCode, reasonOf } from '../../../core/world/system-error.ts';
import type { Dns, DnsAnswer } from '../dns.ts';

/** The time limit of the first question in milliseconds; it is asked again once, with a longer one. */
const timeout = 3000;

/**
 * Asks the resolvers of this machine, or the one at `server`: an IP address, which may have a port,
 * as `192.0.2.1:53` or `[2001:db8::1]:53`. Throws a TypeError for another text.
 */
export function dnsResolver(server?: string): Dns {
  const resolver = new Resolver({ timeout, tries: 2 });
  if (server !== undefined) resolver.setServers([server]);
  const txt = async (name: string): Promise<DnsAnswer> => {
    try {
      const records = await resolver.resolveTxt(name);
      return { texts: records.map((parts) => parts.join('')) };
    } catch (error) {
      if (hasCode(error, 'ENODATA', 'ENOTFOUND')) return { texts: [] };
      const failure = failures.get(codeOf(error)) ?? reasonOf(error);
      return { failure, isSilent: hasCode(error, 'ETIMEOUT', 'ECONNREFUSED') };
    }
  };
  return {
    txt,
    async answers() {
      const answer = await txt(neverExists);
      return !('failure' in answer) || !answer.isSilent;
    },
  };
}

/** A name that no zone can have (RFC 6761, 6.4). */
const neverExists = 'leasehold.invalid';

/** The names that the DNS has for errors of Node's resolver. */
const failures: ReadonlyMap<string, string> = new Map([
  ['ESERVFAIL', 'SERVFAIL'],
  ['EREFUSED', 'REFUSED'],
  ['EFORMERR', 'FORMERR'],
  ['ENOTIMP', 'NOTIMP'],
  ['ETIMEOUT', 'no answer in time'],
  ['ECONNREFUSED', 'the resolver cannot be reached'],
]);

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
