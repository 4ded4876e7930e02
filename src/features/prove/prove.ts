import { unproven } from '../../core/declarations/proof-rules.ts';
import { mapAtOnce } from '../../core/model/calls.ts';
import type { Day } from '../../core/model/day.ts';
import {
  type DomainProof,
  type DomainProofs,
  needsProof,
  proofKey,
  proofOf,
  proofRecordName,
  proofRecordText,
  provingDomains,
} from '../../core/model/domain-proof.ts';
import type { Hostname } from '../../core/model/hostname.ts';
import { compareText } from '../../core/model/order.ts';
import type { HostnameRules } from '../../core/model/pools.ts';
import { EnvironmentError, fewOf, type Problem, startOf } from '../../core/model/problem.ts';
import { domainProofPath, printDomainProof } from '../../core/records/domain-proof-file.ts';
import { problem } from './codes.ts';
import type { Dns, DnsAnswer } from './dns.ts';
import type { ProvenHostname } from './prove-answer.ts';

/** The most questions to the DNS at a time. */
const atOnce = 16;

/** A hostname, declared or not, whose holder is to prove its domain. */
export type HeldHostname = Pick<Hostname, 'hostname' | 'holder' | 'at'>;

/** The declared hostnames and the committed proofs. */
export interface ProveInput {
  /** The hostnames to look up; undefined for all without a proof. */
  readonly named: readonly HeldHostname[] | undefined;
  readonly hostnames: readonly HeldHostname[];
  readonly proofs: DomainProofs;
  readonly rules: HostnameRules;
  readonly today: Day;
}

/** The answers of the DNS about hostnames. */
export interface ProveResult {
  /** By hostname. */
  readonly items: readonly ProvenHostname[];
  /** The files of new proofs, by path. */
  readonly writes: ReadonlyMap<string, string>;
  /** HOSTNAME_UNPROVEN for each named hostname without a TXT record that proves it. */
  readonly problems: readonly Problem[];
}

/**
 * Looks up the TXT records that prove hostnames, from the name itself to the domains above it.
 * Throws an EnvironmentError when the DNS gives no answer for a named hostname, or for any one when
 * it proves none.
 */
export async function prove(input: ProveInput, dns: Dns): Promise<ProveResult> {
  const { named, proofs, rules, today } = input;
  const hostnames = named ?? input.hostnames;
  const ask = askedOnce(dns);
  const found = await mapAtOnce(hostnames, atOnce, async (one): Promise<Found> => {
    const known = named ? undefined : proofOf(proofs, one);
    return { one, ...(known ? { proof: known } : await lookUp(one, today, ask)) };
  });
  const seen = found.flatMap(({ proof }) => (proof && proof.at === undefined ? [proof] : []));
  const fresh = seen.filter((proof) => proofs.get(proofKey(proof))?.checked !== proof.checked);
  const unanswered = found.filter(({ proof, failures }) => !proof && failures);
  if (unanswered.length > 0 && (named || seen.length === 0)) {
    throw new EnvironmentError(noAnswer(unanswered.flatMap(({ failures = [] }) => failures)));
  }
  const missing = named ? found.filter(({ proof }) => !proof) : [];
  return {
    items: found
      .map((each) => itemOf(each, rules))
      .sort((left, right) => compareText(left.hostname, right.hostname)),
    writes: new Map(fresh.map((proof) => [domainProofPath(proof), printDomainProof(proof)])),
    problems: missing.map(notProven),
  };
}

/**
 * PROOF_GONE for each proof whose TXT record no longer names the holder. Throws an EnvironmentError
 * when the DNS gives no answer for one.
 */
export async function checkProofs(proofs: readonly DomainProof[], dns: Dns): Promise<Problem[]> {
  const ask = askedOnce(dns);
  const found = await mapAtOnce(proofs, atOnce, async (proof) => {
    const answer = await ask(proofRecordName(proof.domain));
    return { proof, answer };
  });
  const failures = found.flatMap(({ proof, answer }) =>
    'failure' in answer ? [failureText(proof.domain, answer.failure)] : [],
  );
  if (failures.length > 0) throw new EnvironmentError(noAnswer(failures));
  return found.flatMap(({ proof, answer }) => (isProof(answer, proof.holder) ? [] : [gone(proof)]));
}

/** The proofs that differ from those of a base. */
export function newProofs(proofs: DomainProofs, base: DomainProofs): readonly DomainProof[] {
  return [...proofs.values()].filter(
    (proof) => base.get(proofKey(proof))?.checked !== proof.checked,
  );
}

/** The proofs that no declared hostname uses, by path. */
export function unusedProofs(
  hostnames: readonly HeldHostname[],
  proofs: DomainProofs,
): readonly string[] {
  const used = new Set(hostnames.map((one) => proofOf(proofs, one)));
  return [...proofs.values()]
    .filter((proof) => !used.has(proof))
    .map(domainProofPath)
    .sort();
}

/** The finding for a hostname. */
interface Found {
  readonly one: HeldHostname;
  readonly proof?: DomainProof;
  /** The questions that had no answer. */
  readonly failures?: readonly string[];
  /** The TXT records that name other holders. */
  readonly others?: readonly string[];
}

type Ask = (name: string) => Promise<DnsAnswer>;

/**
 * Asks for each name once. When the first questions have no answer, and the resolver gives none for
 * another name, the others are not asked: each would wait for its time limit.
 */
function askedOnce(dns: Dns): Ask {
  const asked = new Map<string, Promise<DnsAnswer>>();
  let silent = 0;
  let isAlive = false;
  let alive: Promise<boolean> | undefined;
  const ask = async (name: string): Promise<DnsAnswer> => {
    if (!isAlive && silent >= atOnce) {
      alive ??= dns.answers();
      if (!(await alive)) return { failure: 'no resolver answers', isSilent: true };
    }
    const answer = await dns.txt(name);
    if ('failure' in answer && answer.isSilent) silent += 1;
    else isAlive = true;
    return answer;
  };
  return (name) => {
    const answer = asked.get(name) ?? ask(name);
    asked.set(name, answer);
    return answer;
  };
}

async function lookUp(
  { hostname, holder }: HeldHostname,
  today: Day,
  ask: Ask,
): Promise<Omit<Found, 'one'>> {
  const failures: string[] = [];
  const others: string[] = [];
  const answers = await Promise.all(
    provingDomains(hostname).map(async (domain) => {
      return { domain, answer: await ask(proofRecordName(domain)) };
    }),
  );
  for (const { domain, answer } of answers) {
    if (isProof(answer, holder)) {
      return { proof: { domain, holder, checked: today, at: undefined } };
    }
    if ('failure' in answer) failures.push(failureText(domain, answer.failure));
    else others.push(...answer.texts.map((text) => `${proofRecordName(domain)} TXT "${text}"`));
  }
  return failures.length > 0 ? { failures } : { others };
}

/** HOSTNAME_UNPROVEN, with the TXT records that were found instead. */
function notProven({ one, others = [] }: Found): Problem {
  const plain = unproven(one);
  if (others.length === 0) return plain;
  return { ...plain, message: `${plain.message}: found ${fewOf(others, 3).slice(0, 400)}` };
}

function isProof(answer: DnsAnswer, holder: string): boolean {
  return 'texts' in answer && answer.texts.includes(proofRecordText(holder));
}

function failureText(domain: string, failure: string): string {
  return `${proofRecordName(domain)} (${failure})`;
}

function noAnswer(failures: readonly string[]): string {
  return `the DNS gave no answer for ${fewOf([...new Set(failures)])}; try again, or name another resolver with --resolver`;
}

function itemOf({ one, proof, failures }: Found, rules: HostnameRules): ProvenHostname {
  const { hostname, holder } = one;
  return {
    hostname,
    holder,
    state: proof ? 'proven' : failures ? 'unanswered' : 'unproven',
    required: needsProof(hostname, rules),
    ...(proof ? { domain: proof.domain, checked: proof.checked } : {}),
  };
}

function gone({ domain, holder, checked, at }: DomainProof): Problem {
  return {
    code: problem.PROOF_GONE,
    message: `${proofRecordName(domain)} has no TXT record "${proofRecordText(holder)}", which this file says it had on ${checked}`,
    at: at ?? startOf(domainProofPath({ domain, holder })),
    hint: 'have the record published, or remove this file, and the hostnames that it proves',
  };
}
