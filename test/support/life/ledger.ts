/**
 * A second implementation of retention: who held which address, since when, and until when it is kept for whom.
 * It shares no code with the allocator, and takes from it only which free address a new holder got.
 */

import { daysAfter } from '../allocations/naive-rules.ts';
import { laterDay, promisedUntil, stillPromised } from '../allocations/retention.ts';
import { anAddress } from '../declarations/pools-and-claims.ts';
import {
  contradictsItself,
  type HolderRequest,
  type Offers,
  offersOf,
  poolsFor,
  requestsOf,
} from './holder-requests.ts';
import {
  families,
  familyOf,
  type PlainPool,
  type PlainWorkspace,
  poolName,
} from './plain-workspace.ts';
import { type Entries, type Entry, isFree, unlike } from './records.ts';
import {
  generationOf,
  isKeptUnderKey,
  isLeftAlone,
  isSharedUnderKey,
  keyOfRequest,
  mayHaveKept,
  rotationRefusal,
} from './signatures.ts';
import { inherited } from './succession.ts';

/** What a run of synth sees: the declarations and the day. */
export interface SynthInput {
  readonly workspace: PlainWorkspace;
  readonly today: string;
  /** The holder that somebody moves from all of its addresses, if somebody does. */
  readonly mover?: string | undefined;
}

interface ResolvedInput extends SynthInput {
  readonly offers: Offers;
  readonly requests: ReadonlyMap<string, HolderRequest>;
}

/** The ledger of one repository. */
export class Ledger {
  #entries: Entries = new Map();

  /** The expected records. */
  get entries(): Entries {
    return this.#entries;
  }

  /**
   * What a run broke that wrote these records: empty when it kept all promises, moved nobody, and gave everybody
   * what was asked for. Notes what it did.
   */
  brokenBy(input: SynthInput, after: Entries): string[] {
    const resolved = {
      ...input,
      offers: offersOf(input.workspace),
      requests: requestsOf(input.workspace),
    };
    this.#entries = inherited(input, this.#entries);
    const wrong: string[] = [];
    for (const [text, now] of after) {
      const before = this.#entries.get(text);
      const expected = before ? followOn(resolved, text, before, now) : fresh(resolved, text, now);
      if (typeof expected === 'string') wrong.push(expected);
      else wrong.push(...unlike(text, expected, now));
    }
    for (const text of this.#entries.keys()) {
      if (!after.has(text)) wrong.push(`${text} is forgotten`);
    }
    wrong.push(...this.#unserved(resolved, after), ...this.#unsaidMoves(resolved, after));
    this.#entries = after;
    return wrong;
  }

  /** What a prune broke: it takes away the released addresses that are free, and changes nothing. */
  brokenByPrune(today: string, after: Entries): string[] {
    const wrong: string[] = [];
    for (const [text, before] of this.#entries) {
      const now = after.get(text);
      if (now) wrong.push(...unlike(text, before, now));
      else if (!isFree(before, today))
        wrong.push(`${text} of ${before.holder} is pruned too early`);
      if (now && isFree(before, today)) wrong.push(`${text} is not pruned`);
    }
    if (after.size > this.#entries.size) wrong.push('a prune makes a record');
    this.#entries = after;
    return wrong;
  }

  /** Every request has one address of each family, in one pool that it may have, its pins, and what was kept for it. */
  #unserved(resolved: ResolvedInput, after: Entries): string[] {
    const held = new Map<string, string[]>();
    for (const [text, { holder, released }] of after) {
      if (released) continue;
      const own = held.get(holder);
      if (own) own.push(text);
      else held.set(holder, [text]);
    }
    const wrong: string[] = [];
    for (const [holder, request] of resolved.requests) {
      const own = held.get(holder) ?? [];
      held.delete(holder);
      if (contradictsItself(request)) wrong.push(`${holder} contradicts itself`);
      wrong.push(...misserved(resolved, holder, own), ...this.#notReturned(resolved, holder, own));
    }
    for (const holder of held.keys()) wrong.push(`${holder} holds without a claim`);
    return wrong;
  }

  /** Who has been moved has other addresses, which say where they came from. */
  #unsaidMoves({ mover }: SynthInput, after: Entries): string[] {
    if (mover === undefined) return [];
    const left = [...this.#entries].filter(([, one]) => one.holder === mover && !one.released);
    const got = [...after].filter(([, one]) => one.holder === mover && !one.released);
    return got
      .filter(([text, { movedFrom }]) => {
        const from = left.find(([other]) => familyOf(other) === familyOf(text))?.[0];
        return !from || anAddress(from).value !== movedFrom?.value;
      })
      .map(([text]) => `${text} does not say where ${mover} was moved from`);
  }

  /** A holder that lacked one family, and for which such an address is kept where it may be, gets that one back. */
  #notReturned(
    { workspace, offers, requests, today }: ResolvedInput,
    holder: string,
    own: readonly string[],
  ) {
    const request = requests.get(holder);
    const given = own.filter(
      (text) => this.#entries.get(text)?.released !== undefined || !this.#entries.has(text),
    );
    const [text] = given;
    if (!request || text === undefined || given.length > 1 || request.pins.has(text)) return [];
    const decided = own.find((other) => other !== text);
    const allowed = poolsFor(request, workspace, offers)
      .map(poolName)
      .filter((name) => decided === undefined || name === nameOf(offers, decided));
    const kept = [...this.#entries].filter(
      ([other, entry]) =>
        entry.holder === holder &&
        entry.released !== undefined &&
        !isFree(entry, today) &&
        familyOf(other) === familyOf(text) &&
        isKeptUnderKey(request, entry) &&
        offers.servable.has(other) &&
        allowed.includes(nameOf(offers, other)),
    );
    if (kept.length === 0) return [];
    const got = kept.find(([other]) => other === text)?.[1];
    const later = kept.filter(
      ([other, entry]) =>
        nameOf(offers, other) === nameOf(offers, text) &&
        (entry.released?.on ?? '') > (got?.released?.on ?? ''),
    );
    return got && later.length === 0
      ? []
      : [`${holder} got ${text}, and not ${kept.map(([other]) => other)} that is kept for it`];
  }
}

/** What must be recorded of an address that has a record. */
function followOn(
  resolved: ResolvedInput,
  text: string,
  before: Entry,
  now: Entry,
): Entry | string {
  const { today, requests } = resolved;
  if (before.released) {
    if (now.released) return before;
    const request = requests.get(now.holder);
    if (request && !isFree(before, today) && !mayHaveKept(request, now.holder, text, before)) {
      return `${text} goes to ${now.holder} on ${today}, and was kept for ${before.holder} until ${before.released.freeFrom}`;
    }
    const made = fresh(resolved, text, now, before);
    if (typeof made === 'string') return made;
    const isOwn = now.holder === before.holder;
    const { freeFrom } = before.released;
    return isOwn && freeFrom > daysAfter(today, made.retain)
      ? { ...made, keepUntil: freeFrom }
      : made;
  }
  return whileHeld(resolved, text, before);
}

/** What must be recorded of an address that was held before. */
function whileHeld(resolved: ResolvedInput, text: string, before: Entry): Entry | string {
  const { today, requests, offers } = resolved;
  const promised = promisedUntil(before, today);
  if (before.holder === resolved.mover) {
    const freeFrom = laterDay(promised, daysAfter(today, 1));
    return releasedEntry(before, { on: today, freeFrom });
  }
  const request = requests.get(before.holder);
  if (!request?.families.has(familyOf(text))) {
    return releasedEntry(before, { on: today, freeFrom: promised });
  }
  const pool = offers.listing.get(text);
  if (!pool) return `${text} is held and in no pool`;
  const retain = promiseOf(request, pool);
  const keepUntil = isLeftAlone(request, text, before)
    ? promised
    : stillPromised(before, retain, today);
  const refused = rotationRefusal(request, text, { ...before, keepUntil }, today);
  if (refused !== undefined) return refused;
  const key = keyOfRequest(request);
  const generation = before.generation + (before.key === undefined || before.key === key ? 0 : 1);
  const shared = isSharedUnderKey(request, familyOf(text));
  const { isPromise } = request;
  const own = { retain, keepUntil, key, generation, shared, promised: isPromise };
  return { ...before, pool: poolName(pool), ...own };
}

function releasedEntry(before: Entry, released: Entry['released']): Entry {
  return { ...before, keepUntil: undefined, shared: false, promised: false, released };
}

/** What must be recorded of an address that somebody gets today. */
function fresh(resolved: ResolvedInput, text: string, now: Entry, former?: Entry): Entry | string {
  const { today, requests, offers } = resolved;
  const request = requests.get(now.holder);
  const pool = offers.listing.get(text);
  if (!request?.families.has(familyOf(text)))
    return `${now.holder} gets ${text} and does not want it`;
  if (!pool) return `${now.holder} gets ${text}, which is in no pool`;
  const isKept =
    former?.holder === now.holder && !isFree(former, today) && isKeptUnderKey(request, former);
  if (pool.state === 'draining' && !isKept) return `${text} is given by a draining pool`;
  const made = { holder: now.holder, pool: poolName(pool), since: today };
  const movedFrom = now.holder === resolved.mover ? now.movedFrom : undefined;
  return {
    ...made,
    retain: promiseOf(request, pool),
    keepUntil: undefined,
    released: undefined,
    movedFrom,
    key: keyOfRequest(request),
    shared: isSharedUnderKey(request, familyOf(text)),
    promised: request.isPromise,
    generation: former && !isFree(former, today) ? generationOf(request, now.holder, former) : 0,
  };
}

function misserved(
  { workspace, offers, requests }: ResolvedInput,
  holder: string,
  own: readonly string[],
) {
  const request = requests.get(holder);
  if (!request) return [];
  const wrong: string[] = [];
  const has = own.map(familyOf).sort().join();
  const wants = families.filter((family) => request.families.has(family)).join();
  if (has !== wants) wrong.push(`${holder} has ${own}, and wants ${wants}`);
  const allowed = poolsFor(request, workspace, offers);
  if (new Set(own.map((text) => nameOf(offers, text))).size > 1) {
    wrong.push(`${holder} is in two pools`);
  }
  for (const text of own) {
    const pool = offers.listing.get(text);
    if (!offers.servable.has(text)) wrong.push(`${holder} has ${text}, which nobody may have`);
    if (!pool || !allowed.includes(pool)) wrong.push(`${holder} may not have ${text}`);
  }
  for (const pin of request.pins) {
    if (request.families.has(familyOf(pin)) && !own.includes(pin)) {
      wrong.push(`${holder} has ${own}, and pins ${pin}`);
    }
  }
  return wrong;
}

function promiseOf({ retain }: HolderRequest, { retentionDays }: PlainPool): number {
  return Math.max(retain, retentionDays);
}

function nameOf({ listing }: Offers, text: string): string {
  const pool = listing.get(text);
  return pool ? poolName(pool) : '';
}
