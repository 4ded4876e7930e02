/** Decides from the declarations and the ledger alone whether a run must be refused. */

import { daysAfter } from '../allocations/naive-rules.ts';
import {
  contradictsItself,
  type HolderRequest,
  type Offers,
  offersOf,
  poolsFor,
  requestsOf,
} from './holder-requests.ts';
import type { SynthInput } from './ledger.ts';
import { families, familyOf, type PlainPool } from './plain-workspace.ts';
import { type Entries, type Entry, isFree } from './records.ts';
import { isKeptFor, isLeftAlone, isSignedOver, rotationRefusal } from './signatures.ts';
import { inherited } from './succession.ts';

interface Judged extends SynthInput {
  readonly offers: Offers;
  readonly entries: Entries;
}

interface Want {
  readonly holder: string;
  readonly request: HolderRequest;
  readonly held: readonly string[];
  readonly lacks: readonly ('ipv4' | 'ipv6')[];
}

/**
 * Why a run must be refused; empty when it must go well. Undefined where several holders want new addresses at once:
 * whether all of them can have some is for the brute force of other tests.
 */
export function refusalsOf(input: SynthInput, before: Entries): readonly string[] | undefined {
  const entries = leaving(input, inherited(input, before));
  const judged = { ...input, entries, offers: offersOf(input.workspace) };
  const reasons = [...pinnedMove(input), ...brokenPromises(input)];
  const wants: Want[] = [];
  for (const [holder, request] of requestsOf(input.workspace)) {
    const want = wantOf(entries, holder, request);
    if (contradictsItself(request)) reasons.push(`${holder} contradicts itself`);
    reasons.push(...strandings(judged, request, want.held));
    if (want.lacks.length > 0) wants.push(want);
  }
  if (reasons.length > 0) return reasons;
  const [want, ...more] = wants;
  if (!want) return [];
  return more.length > 0 ? undefined : cannotMeet(judged, want);
}

/** A lease that takes a promise over has all its families. */
function brokenPromises({ workspace }: SynthInput): string[] {
  const requests = requestsOf(workspace);
  return [...workspace.promises].flatMap(([holder, { terms }]) =>
    families
      .filter((family) => terms.family === family || terms.family === 'dual')
      .filter((family) => !requests.get(holder)?.families.has(family))
      .map((family) => `${holder} is promised ${family}`),
  );
}

/** Who pins what it has cannot be moved from there. */
function pinnedMove({ workspace, mover }: SynthInput): string[] {
  const pins = mover === undefined ? undefined : requestsOf(workspace).get(mover)?.pins;
  return pins && pins.size > 0 ? [`${mover} pins what it has`] : [];
}

/** What a holder has of its request, and what it lacks. */
function wantOf(entries: Entries, holder: string, request: HolderRequest): Want {
  const held: string[] = [];
  for (const [text, entry] of entries) {
    const isOwn = entry.holder === holder && !entry.released;
    if (isOwn && request.families.has(familyOf(text))) held.push(text);
  }
  const has = held.map(familyOf);
  const lacks = families.filter((family) => request.families.has(family) && !has.includes(family));
  return { holder, request, held, lacks };
}

/** What a holder that is moved leaves is kept from everybody today, itself too. */
function leaving({ mover, today }: SynthInput, entries: Entries): Entries {
  if (mover === undefined) return entries;
  const next = new Map(entries);
  for (const [text, entry] of entries) {
    if (entry.holder !== mover || entry.released) continue;
    next.set(text, {
      ...entry,
      holder: '',
      key: undefined,
      released: { on: today, freeFrom: '9999-12-31' },
    });
  }
  return next;
}

/** Why held addresses may not stay where they are. */
function strandings(
  { workspace, offers, entries, today }: Judged,
  request: HolderRequest,
  held: readonly string[],
): string[] {
  const allowed = poolsFor(request, workspace, offers);
  const pools = new Set(held.map((text) => offers.listing.get(text)));
  const reasons = pools.size > 1 ? [`${held} are in two pools`] : [];
  for (const text of held) {
    const pool = offers.listing.get(text);
    const pin = pinOf(request, familyOf(text));
    const entry = entries.get(text);
    const refused =
      entry &&
      pool &&
      rotationRefusal(request, text, promised({ request, text, today }, pool, entry), today);
    if (refused !== undefined) reasons.push(refused);
    if (!pool || !offers.servable.has(text)) reasons.push(`${text} is held and not to be had`);
    else if (!allowed.includes(pool)) reasons.push(`${text} is held in another pool`);
    if (pin !== undefined && pin !== text) reasons.push(`${text} is held and ${pin} is pinned`);
  }
  return reasons;
}

/** An entry whose promise gets shorter today, or that others leave, is promised until then. */
function promised(
  {
    request,
    text,
    today,
  }: { readonly request: HolderRequest; readonly text: string; readonly today: string },
  { retentionDays }: PlainPool,
  entry: Entry,
): Entry {
  const isShorter = Math.max(request.retain, retentionDays) < entry.retain;
  if (!isShorter && !isLeftAlone(request, text, entry)) return entry;
  const until = daysAfter(today, entry.retain);
  return { ...entry, keepUntil: until > (entry.keepUntil ?? '') ? until : entry.keepUntil };
}

/** Why the only holder that lacks something cannot have it. */
function cannotMeet(judged: Judged, want: Want): string[] {
  const { workspace, offers } = judged;
  const { request, held, lacks } = want;
  const allowed = poolsFor(request, workspace, offers);
  const deciding = [...held, ...families.flatMap((family) => pinOf(request, family) ?? [])];
  const [first] = deciding;
  const decided = first === undefined ? undefined : offers.listing.get(first);
  if (first !== undefined && (!decided || !allowed.includes(decided))) {
    return [`${first} is not where it may be`];
  }
  const pools = decided ? [decided] : allowed;
  const isMet = pools.some((pool) => lacks.every((family) => canGive(judged, want, pool, family)));
  return isMet ? [] : [`no pool has ${lacks} for ${want.holder}`];
}

function canGive(
  judged: Judged,
  { holder, request }: Want,
  pool: PlainPool,
  family: 'ipv4' | 'ipv6',
): boolean {
  const { offers } = judged;
  const pin = pinOf(request, family);
  for (const text of offers.servable) {
    if (familyOf(text) !== family || offers.listing.get(text) !== pool) continue;
    if (pin !== undefined && pin !== text) continue;
    if (mayGet(judged, { holder, request }, pool, text)) return true;
  }
  return false;
}

/** True when a holder may get this very address today: the pool gives it, or it is kept for the holder. */
function mayGet(
  { entries, today }: Judged,
  { holder, request }: Pick<Want, 'holder' | 'request'>,
  { state }: PlainPool,
  text: string,
): boolean {
  const entry = entries.get(text);
  if (!entry || isFree(entry, today)) return state === 'active';
  if (!entry.released) return false;
  if (isKeptFor(request, holder, entry)) return true;
  return state === 'active' && isSignedOver(request, holder, text, entry);
}

function pinOf({ pins }: HolderRequest, family: 'ipv4' | 'ipv6'): string | undefined {
  return [...pins].find((pin) => familyOf(pin) === family);
}
