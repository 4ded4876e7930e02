import { didYouMean } from './message-text.ts';

/** An account of Akash. Bech32 has no 1, b, i and o after the prefix (BIP 173). */
const account = /akash1[02-9ac-hj-np-z]{38}/g;

/** A shortened account in a text that a person types, with an ellipsis or with three dots. */
const shortAccount = /(akash1[02-9ac-hj-np-z]*)(?:…|\.\.\.)([02-9ac-hj-np-z]+)/;

/** True for an account that is shortened as tables print it. */
export function isShortAccount(text: string): boolean {
  return shortAccount.exec(text)?.[0] === text;
}

/** The accounts of Akash in texts. */
export function accountsIn(texts: Iterable<string>): ReadonlySet<string> {
  return new Set([...texts].flatMap((text) => text.match(account) ?? []));
}

/**
 * A function that leaves out the middle of the accounts in a text, `akash17zp8…nkks4`. Different
 * accounts of `all` stay different.
 */
export function accountShortener(all: ReadonlySet<string>): (text: string) => string {
  const short = (text: string, end: number) => `${text.slice(0, end + 5)}…${text.slice(-end)}`;
  let end = 5;
  while (new Set([...all].map((text) => short(text, end))).size < all.size) end += 1;
  return (text) => text.replace(account, (whole) => short(whole, end));
}

/**
 * The names that a typed name can stand for: the name with each account of the texts in place of a
 * shortened one, sorted, or the name itself when no account is shortened in it.
 */
export function wholeNames(name: string, texts: Iterable<string>): readonly string[] {
  const [short, start = '', end = ''] = shortAccount.exec(name) ?? [];
  if (short === undefined) return withClusters(name, texts);
  return [...accountsIn(texts)]
    .filter((whole) => whole.startsWith(start) && whole.endsWith(end))
    .sort()
    .flatMap((whole) =>
      wholeNames(
        name.replace(short, () => whole),
        texts,
      ),
    );
}

/** The id of the holder that a sentence calls `shop of akash1…`, `key shop/k` or `namespace shop`. */
function saidHolder(name: string): string | undefined {
  const [, endpoint, owner, of = 'default'] =
    /^(\S+) of (akash1\w+)(?: in (\S+))?$/.exec(name) ?? [];
  if (endpoint !== undefined) return `${of}/akash/${owner}-ip-${endpoint}`;
  const [, space, cluster = 'default'] = /^namespace (\S+)(?: in (\S+))?$/.exec(name) ?? [];
  if (space !== undefined) return `${cluster}/namespace/${space}`;
  const [, own = 'default/', key] = /^key ([^\s/]+\/)?([^\s/]+\/[^\s/]+)$/.exec(name) ?? [];
  return key === undefined ? undefined : `${own.slice(0, -1)}/shared/${key}`;
}

/**
 * The ids of holders that a table printed without their cluster, which all its rows have, and that
 * of a holder in the words of a sentence, as a Service `cluster/namespace/name`.
 */
function withClusters(name: string, texts: Iterable<string>): readonly string[] {
  const said = saidHolder(name);
  if (said !== undefined && new Set(texts).has(said)) return [said];
  const service = name.replace(/^[^/]+(?=\/[^/]+\/[^/]+$)/, '$&/service');
  if (service !== name && new Set(texts).has(service)) return [service];
  if (!/^(?:akash|namespace|service|shared)\/[^/]+/.test(name)) return [name];
  const ids = new Set([...texts].filter((text) => text.slice(text.indexOf('/') + 1) === name));
  return ids.size === 0 ? [name] : [...ids].sort();
}

/** The one name that a typed name stands for, itself when none is known, or why it is not clear. */
export function wholeName(
  name: string,
  texts: Iterable<string>,
): { readonly ok: true; readonly name: string } | { readonly ok: false; readonly reason: string } {
  const [whole = name, ...more] = wholeNames(name, texts);
  if (more.length === 0) return { ok: true, name: whole };
  return { ok: false, reason: ambiguous(name, [whole, ...more]) };
}

/**
 * `; did you mean 'shop/web'?` for a name that is none, from the ids of holders and other names;
 * empty when none is near.
 */
export function meantName(typed: string, names: Iterable<string>): string {
  const known = new Set([...names].flatMap((name) => [...endsOf(name), ...endpointOf(name)]));
  const { hint } = didYouMean(typed, [...known]);
  return hint === undefined ? '' : `; ${hint}`;
}

/** A name, and what is after each of its slashes: `shop/web` and `web` of a Service. */
function endsOf(name: string): readonly string[] {
  const parts = name.split('/');
  return parts.map((_, index) => parts.slice(index).join('/'));
}

function endpointOf(name: string): readonly string[] {
  return /\/akash\/.*-ip-/.test(name) ? name.split('-ip-').slice(1) : [];
}

/** Why a typed name cannot be used: it stands for each of these names. */
export function ambiguous(name: string, names: readonly string[]): string {
  return `${name} is ambiguous: write ${names.join(' or ')}`;
}
