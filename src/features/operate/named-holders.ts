import { PoolIndex } from '../../declarations/pools/pool-index.ts';
import { type AllocationTable, isHeld } from '../../model/allocation.ts';
import { type Claim, compareClaims, type Holder } from '../../model/claim.ts';
import { compareText } from '../../model/order.ts';
import { parseQuestion } from '../../model/question.ts';
import { formatAddress } from '../../net/address.ts';
import { rangeHas } from '../../net/range.ts';
import { succeed } from '../../records/successor.ts';
import type { Workspace } from '../../workspace/workspace.ts';

/** The holders that a command line names, or why it names none. */
export type NamedHolders =
  | { readonly ok: true; readonly holders: readonly [Holder, ...Holder[]] }
  | { readonly ok: false; readonly reason: string };

/**
 * The declared holders that words name, in the order of their ids: an address, all held ones of a block or range, a
 * holder's id, a sharing key, or `<namespace>/<name>` of a Service. A word that names none, or more than one
 * where it is no block, is refused.
 */
export function namedHolders(words: readonly string[], workspace: Workspace): NamedHolders {
  const found = new Map<string, Holder>();
  for (const word of words) {
    const named = namedBy(word, workspace);
    if (!named.ok) return named;
    for (const holder of named.holders) found.set(holder.id, holder);
  }
  const [first, ...rest] = [...found.values()].sort((left, right) =>
    compareText(left.id, right.id),
  );
  return first
    ? { ok: true, holders: [first, ...rest] }
    : { ok: false, reason: 'nothing is named' };
}

/** The claims that a command line names, or why it names none. */
export type NamedClaims =
  | { readonly ok: true; readonly claims: readonly Claim[] }
  | { readonly ok: false; readonly reason: string };

/**
 * The claims that words name: those of a Service, which may share its address with others; else all of the holders that
 * {@link namedHolders} finds.
 */
export function namedClaims(words: readonly string[], workspace: Workspace): NamedClaims {
  const found = new Set<Claim>();
  for (const word of words) {
    const claims = serviceClaims(word, workspace);
    if (claims.length > 0) {
      const clusters = [...new Set(claims.map(({ cluster }) => cluster))];
      if (clusters.length > 1) {
        return refused(
          `${word} names a Service in each of ${clusters.join(', ')}: write <cluster>/service/${word}`,
        );
      }
      for (const claim of claims) found.add(claim);
      continue;
    }
    const named = namedHolders([word], workspace);
    if (!named.ok) return named;
    for (const claim of named.holders.flatMap((holder) => holder.claims)) found.add(claim);
  }
  return { ok: true, claims: [...found].sort(compareClaims) };
}

/** The claims of a Service that a word names as `<namespace>/<name>` or `<cluster>/service/<namespace>/<name>`. */
function serviceClaims(word: string, { holders }: Workspace): readonly Claim[] {
  return holders
    .flatMap(({ claims }) => claims)
    .filter((claim) => serviceNames(claim).includes(word));
}

function serviceNames(claim: Claim): readonly string[] {
  if (claim.kind === 'Lease') return [];
  const { cluster, namespace, name } = claim.declared;
  return [`${namespace}/${name}`, `${cluster}/service/${namespace}/${name}`];
}

function namedBy(word: string, workspace: Workspace): NamedHolders {
  const question = parseQuestion(word);
  if (question.kind === 'nothing') return refused(`'${word}' names nothing: ${question.reason}`);
  if (question.kind === 'name') return byName(word, workspace);
  const records = [...joinedTable(workspace).values()].filter(
    (record) =>
      isHeld(record) &&
      (question.kind === 'address'
        ? formatAddress(record.address) === formatAddress(question.address)
        : rangeHas(question.range, record.address)),
  );
  if (records.length === 0) {
    return refused(
      question.kind === 'address' ? `nobody holds ${word}` : `nobody holds an address of ${word}`,
    );
  }
  const ids = new Set(records.map(({ holder }) => holder));
  return chosen(
    word,
    workspace.holders.filter(({ id }) => ids.has(id)),
  );
}

function byName(word: string, workspace: Workspace): NamedHolders {
  const ids = new Set(serviceClaims(word, workspace).map(({ holder }) => holder));
  const named = workspace.holders.filter(
    ({ id }) => id === word || id.split('/').at(-1) === word || ids.has(id),
  );
  const [exact] = named.filter(({ id }) => id === word);
  if (exact) return { ok: true, holders: [exact] };
  if (named.length > 1) {
    return refused(`${word} names more than one: ${named.map(({ id }) => id).join(', ')}`);
  }
  return chosen(word, named);
}

function chosen(word: string, [first, ...rest]: readonly Holder[]): NamedHolders {
  if (first) return { ok: true, holders: [first, ...rest] };
  return refused(
    `no declared holder has the name or address ${word}; leasehold list shows who holds what`,
  );
}

function refused(reason: string): { readonly ok: false; readonly reason: string } {
  return { ok: false, reason };
}

/** The table in which a Service that has just joined others has brought its address along, recorded yet or not. */
export function joinedTable({
  pools,
  holders,
  table,
}: Pick<Workspace, 'pools' | 'holders' | 'table'>): AllocationTable {
  return succeed(new PoolIndex(pools), holders, table).table;
}
