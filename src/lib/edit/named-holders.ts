import { PoolIndex } from '../../core/declarations/pools/pool-index.ts';
import { type AllocationTable, isHeld } from '../../core/model/allocation.ts';
import {
  type Claim,
  compareClaims,
  isLeaseClaim,
  keyParts,
  type LeaseClaim,
} from '../../core/model/claim.ts';
import type { Holder } from '../../core/model/holder.ts';
import { type Hostname, isLeaseHostname, type LeaseHostname } from '../../core/model/hostname.ts';
import {
  type AddressPromise,
  type LeaseId,
  leaseIdBeginnings,
  leaseIdText,
} from '../../core/model/lease.ts';
import { compareText } from '../../core/model/order.ts';
import { canonicalAdvice } from '../../core/net/dns-name.ts';
import { type AddressRange, rangeHas } from '../../core/net/range.ts';
import { applySuccession } from '../../core/records/succession.ts';
import { parseQuestion } from '../../core/text/question.ts';
import { ambiguous, meantName, wholeName } from '../../core/text/short-account.ts';
import type { Workspace } from '../../core/tree/workspace.ts';
import { namespacesNamed, type Owned, ofAccount, ofNamespace } from './named-parties.ts';

/** The holders that a command line names, or the reason why it does not name any. */
export type NamedHolders =
  | {
      readonly ok: true;
      readonly holders: readonly [Holder, ...Holder[]];
      /** The addresses, blocks and ranges that name them. */
      readonly ranges: readonly AddressRange[];
      /** The ids of those that a word names as a whole, and not by an address, block or range. */
      readonly whole: ReadonlySet<string>;
    }
  | { readonly ok: false; readonly reason: string };

/** The holders that one word names. `range` is undefined for a name. */
type NamedByWord =
  | { readonly ok: true; readonly holders: readonly Holder[]; readonly range?: AddressRange }
  | { readonly ok: false; readonly reason: string };

/**
 * The declared holders that the words name, in the order of their ids. A word is an address, a
 * block or range (all holders of its held addresses), a holder's id, a sharing key, an IP
 * endpoint, `<namespace>/<name>` of a Service, or a lease with one holder: see {@link partsOfLeases}.
 * A word that names no holder is refused, and so is an ambiguous one that is not a block or range.
 */
export function namedHolders(words: readonly string[], workspace: Workspace): NamedHolders {
  const found = new Map<string, Holder>();
  const ranges: AddressRange[] = [];
  const whole = new Set<string>();
  for (const typed of words) {
    const known = wholeWord(typed, workspace);
    if (!known.ok) return known;
    const { name: word } = known;
    const named = namedBy(word, workspace);
    if (!named.ok) return named;
    if (named.range) ranges.push(named.range);
    for (const holder of named.holders) {
      found.set(holder.id, holder);
      if (!named.range) whole.add(holder.id);
    }
  }
  const [first, ...rest] = [...found.values()].sort((left, right) =>
    compareText(left.id, right.id),
  );
  return first
    ? { ok: true, holders: [first, ...rest], ranges, whole }
    : { ok: false, reason: 'no holder is named' };
}

/** The holders that a command line names, or the reason why it names none. */
export type NamedClaims =
  | ({ readonly ok: true } & Owned)
  | { readonly ok: false; readonly reason: string };

/**
 * The claims that the words name: those of a Service, which may share its address with others, or
 * of a lease with its hostnames; all that an Akash account or a namespace has; else all claims and
 * promises of the holders that {@link namedHolders} finds. A word can be a hostname.
 */
export function namedClaims(words: readonly string[], workspace: Workspace): NamedClaims {
  const found = new Set<Claim>();
  const promises = new Set<AddressPromise>();
  const hostnames = new Set<Hostname>();
  for (const typed of words) {
    const whole = wholeWord(typed, workspace);
    const named = whole.ok ? claimsNamed(whole.name, workspace) : whole;
    if (!named.ok) return named;
    for (const claim of named.claims) found.add(claim);
    for (const promise of named.promises) promises.add(promise);
    for (const hostname of named.hostnames) hostnames.add(hostname);
  }
  return {
    ok: true,
    claims: [...found].sort(compareClaims),
    promises: [...promises],
    hostnames: [...hostnames],
  };
}

/** A word, with the account of a declared holder in place of a shortened one, as tables print it. */
function wholeWord(typed: string, { holders, hostnames }: Workspace) {
  return wholeName(typed, [
    ...holders.map(({ id }) => id),
    ...hostnames.map(({ holder }) => holder),
    // Shortened too: the provider in the id of a lease.
    ...holders.flatMap(({ claims }) =>
      claims.filter(isLeaseClaim).map(({ lease }) => leaseIdText(lease)),
    ),
  ]);
}

function claimsNamed(word: string, workspace: Workspace): NamedClaims {
  const none = { ok: true, claims: [], promises: [], hostnames: [] } as const;
  const hostname = declaredHostname(word, workspace);
  if (hostname) return { ...none, hostnames: [hostname] };
  const parts = partsOfLeases(word, workspace);
  const leases = leasesOf(parts);
  if (leases.length > 1) return refused(ambiguous(word, leases));
  if (leases.length === 1) return { ...none, ...parts };
  const claims = claimsCalled(word, workspace);
  const clusters = new Set(claims.map(({ cluster }) => cluster));
  const names = [...new Set(claims.map(wholeNameOf))];
  if (clusters.size > 1) return refused(ambiguous(word, names));
  if (claims.length > 0) return { ...none, claims };
  const account = ofAccount(word, workspace);
  if (account) return { ok: true, ...account };
  const named = namedHolders([word], workspace);
  const namespaces = namespacesNamed(word, workspace);
  const [namespace] = namespaces;
  if (namespace) {
    const ids = namespaces.map((one) => `${one.cluster}/namespace/${one.namespace}`);
    if (named.ok && !word.includes('/')) ids.push(...named.holders.map(({ id }) => id));
    if (ids.length > 1) return refused(ambiguous(word, ids));
    return { ok: true, ...ofNamespace(namespace, workspace) };
  }
  if (!named.ok) return named;
  return {
    ...none,
    claims: named.holders.flatMap((holder) => holder.claims),
    promises: named.holders.flatMap((holder) => holder.promise ?? []),
  };
}

/**
 * The claims and the hostnames of the leases that a word names: by the dseq, or by the beginning of
 * the id from the dseq on, `<owner>/<dseq>`. An owner alone names no lease.
 */
function partsOfLeases(word: string, workspace: Workspace): LeaseParts {
  const isNamed = ({ lease }: { readonly lease: LeaseId }): boolean =>
    lease.dseq === word || leaseIdBeginnings(lease).slice(1).includes(word);
  const claims = workspace.holders.flatMap((holder) => holder.claims);
  return {
    claims: claims.filter(isLeaseClaim).filter(isNamed),
    hostnames: workspace.hostnames.filter(isLeaseHostname).filter(isNamed),
  };
}

interface LeaseParts {
  readonly claims: readonly LeaseClaim[];
  readonly hostnames: readonly LeaseHostname[];
}

/** The ids of the leases of parts, sorted. */
function leasesOf({ claims, hostnames }: LeaseParts): readonly string[] {
  const ids = [...claims, ...hostnames].map(({ lease }) => leaseIdText(lease));
  return [...new Set(ids)].sort(compareText);
}

/**
 * The claims of a Service named `<namespace>/<name>` or `<cluster>/service/<namespace>/<name>`, and
 * those with a DNS name.
 */
function claimsCalled(word: string, { holders }: Workspace): readonly Claim[] {
  return holders.flatMap(({ claims }) => claims).filter((claim) => namesOf(claim).includes(word));
}

function namesOf(claim: Claim): readonly string[] {
  const dns = claim.dns.map(({ name }) => name);
  if (claim.kind === 'Lease') return dns;
  const { namespace, name } = claim.declared;
  return [wholeNameOf(claim), `${namespace}/${name}`, ...dns];
}

function wholeNameOf(claim: Claim): string {
  if (claim.kind === 'Lease') return claim.holder;
  const { cluster, namespace, name } = claim.declared;
  return `${cluster}/service/${namespace}/${name}`;
}

function namedBy(word: string, workspace: Workspace): NamedByWord {
  const question = parseQuestion(word);
  if (question.kind === 'nothing')
    return refused(`'${word}' is not a valid name: ${question.reason}`);
  if (question.kind === 'name') return byName(word, workspace);
  const range =
    question.kind === 'range' ? question.range : { from: question.address, to: question.address };
  const records = [...joinedTable(workspace).values()].filter(
    (record) => isHeld(record) && rangeHas(range, record.address),
  );
  if (records.length === 0) {
    return refused(
      question.kind === 'address' ? `${word} is not held` : `no address of ${word} is held`,
    );
  }
  const ids = new Set(records.map(({ holder }) => holder));
  const named = chosen(
    word,
    workspace.holders.filter(({ id }) => ids.has(id)),
  );
  return named.ok ? { ...named, range } : named;
}

function byName(word: string, workspace: Workspace): NamedByWord {
  const claims = [...claimsCalled(word, workspace), ...partsOfLeases(word, workspace).claims];
  const ids = new Set(claims.map(({ holder }) => holder));
  const named = workspace.holders.filter(
    (holder) => holder.id === word || ids.has(holder.id) || hasName(holder, word),
  );
  const [exact] = named.filter(({ id }) => id === word);
  if (exact) return { ok: true, holders: [exact] };
  if (named.length > 1) {
    const ids = named.map(({ id }) => id);
    return refused(ambiguous(word, ids));
  }
  const hostname = declaredHostname(word, workspace);
  if (hostname) {
    const { file, line } = hostname.at;
    return refused(
      `${word} is a hostname, and this command is for addresses: change ${file}:${line}, and run \`leasehold synth\``,
    );
  }
  return named.length > 0 ? chosen(word, named) : chosen(word, [], nearName(word, workspace));
}

function nearName(word: string, { holders }: Workspace): string {
  const endpoints = holders
    .flatMap(({ claims }) => claims)
    .flatMap((claim) => (isLeaseClaim(claim) ? [claim.endpoint] : []));
  return meantName(word, [...holders.map(({ id }) => id), ...endpoints]);
}

/** True for the sharing key of a holder, and for its IP endpoint, also after its owner. */
export function hasName({ id, claims }: Pick<Holder, 'id' | 'claims'>, word: string): boolean {
  const key = id.split('/').at(-1) ?? '';
  const isEndpoint = (claim: Claim): boolean => isLeaseClaim(claim) && claim.endpoint === word;
  const { owner, endpoint } = keyParts(key) ?? {};
  const names = [key, endpoint, `${owner}/${endpoint}`];
  return names.includes(word) || claims.some(isEndpoint);
}

/** The declared hostname of a name that is no holder's. */
function declaredHostname(word: string, workspace: Workspace): Hostname | undefined {
  const isHolder = workspace.holders.some(({ id }) => id.split('/').at(-1) === word);
  return isHolder ? undefined : workspace.hostnames.find(({ hostname }) => hostname === word);
}

function chosen(word: string, holders: readonly Holder[], meant = ''): NamedByWord {
  if (holders.length > 0) return { ok: true, holders };
  const advice =
    canonicalAdvice(word) || `${meant || ';'} \`leasehold list -o wide\` shows all holders`;
  return refused(`no declared holder or lease has the name or address ${word}${advice}`);
}

function refused(reason: string): { readonly ok: false; readonly reason: string } {
  return { ok: false, reason };
}

/** The table as after a synth: a Service that joined a shared holder brings its address along. */
export function joinedTable({
  pools,
  holders,
  table,
}: Pick<Workspace, 'pools' | 'holders' | 'table'>): AllocationTable {
  return applySuccession(new PoolIndex(pools), holders, table).table;
}
