import { groupBy } from '../../../model/order.ts';
import { counted } from '../../../model/problem.ts';
import { grades } from '../objects/field-grades.ts';
import { fieldTexts } from '../objects/object-groups.ts';
import type {
  AddressChange,
  AddressSide,
  ManifestChange,
  ObjectChange,
  Occupancy,
  Plan,
  PoolTotals,
  Verdict,
} from '../plan-answer.ts';

/** A piece of a sentence: fixed words, or a name from the repository, which needs escaping. */
interface Part {
  readonly text: string;
  readonly isName: boolean;
}

/** A sentence or a part of one; each format adds its own markup. */
export type Phrase = readonly Part[];

/** The heading of each verdict. The sign only decorates the word. */
export const verdictWords: Readonly<Record<Verdict, { sign: string; word: string }>> = {
  'no change': { sign: '⚪', word: 'No change' },
  routine: { sign: '✅', word: 'Routine' },
  caution: { sign: '⚠️', word: 'Caution' },
  blocked: { sign: '⛔', word: 'Blocked' },
};

/** The sign of a change, as in a diff; the minus is a hyphen. */
export const changeSigns: Readonly<Record<AddressChange['change'], string>> = {
  allocated: '+',
  reclaimed: '+',
  updated: '~',
  released: '-',
  removed: '-',
};

function words(text: string): Part {
  return { text, isName: false };
}

function name(text: string): Part {
  return { text, isName: true };
}

/** The phrase as one text; `shown` escapes the names. */
export function phraseText(phrase: Phrase, shown: (text: string) => string): string {
  return phrase.map(({ text, isName }) => (isName ? shown(text) : text)).join('');
}

/** The holder before and after: `free → holder`. Only the holder when it keeps the address. */
export function holderPhrase({ change, before, after }: AddressChange): Phrase {
  if (before && after && before.holder === after.holder && before.state === after.state) {
    return sidePhrase(after);
  }
  const from = change === 'reclaimed' ? [words('released')] : beforePhrase(before);
  return [...from, words(' → '), ...afterPhrase(after)];
}

/**
 * The changes of an address: the claims that it gains or loses, `web 80/TCP`, and then its details.
 * A holder that keeps its address has details only.
 */
export function whatChanges({ change, before, after, details }: AddressChange): readonly string[] {
  if (change === 'released') return [...(before?.claims ?? []), ...details];
  if (change === 'updated' || change === 'removed') return details;
  return [...(after?.claims ?? []), ...details];
}

function beforePhrase(before: AddressSide | undefined): Phrase {
  return before ? sidePhrase(before) : [words('free')];
}

function afterPhrase(after: AddressSide | undefined): Phrase {
  if (after === undefined) return [words('no record')];
  return after.state === 'held' ? [name(after.holder)] : [words('released')];
}

/** The holder of an address, or its last one. */
export function sidePhrase({ holder, state }: AddressSide): Phrase {
  return state === 'held' ? [name(holder)] : [name(holder), words(' (released)')];
}

/**
 * One line of totals: `pool default, IPv4: 12 → 13 of 62 in use (19 % → 20 %); 50 → 49 free`.
 * Values that are equal on both sides appear once.
 */
export function totalsPhrase({ pool, family, before, after }: PoolTotals): Phrase {
  const of = family === 'ipv4' ? ', IPv4' : ', IPv6';
  if (after === undefined) {
    const had = before === undefined ? '' : `; it had ${usageText(before, before)}`;
    return [words('pool '), name(pool), words(`${of}: no longer declared${had}`)];
  }
  const news = before === undefined ? 'new, ' : '';
  return [words('pool '), name(pool), words(`${of}: ${news}${usageText(before ?? after, after)}`)];
}

function usageText(before: Occupancy, after: Occupancy): string {
  const [from, to] = [usedText(before), usedText(after)];
  const of =
    before.usable === after.usable
      ? `${arrow(from, to)} of ${countText(after.usable)}`
      : `${from} of ${countText(before.usable)} → ${to} of ${countText(after.usable)}`;
  const percent = arrow(`${before.percent} %`, `${after.percent} %`);
  const kept = arrow(before.retained, after.retained);
  const held = arrow(before.held, after.held);
  const parts = kept === '0' ? '' : `: ${held} held, ${kept} retained`;
  const free = isCountable(after.free)
    ? `; ${arrow(countText(before.free), countText(after.free))} free`
    : '';
  const drains = after.draining === undefined ? '' : '; draining';
  return `${of} in use (${percent})${parts}${free}${drains}`;
}

/** The usable addresses in use. A held address that became reserved is not usable. */
export function usedOf({ usable, free, draining = '0' }: Occupancy): bigint {
  return BigInt(usable) - BigInt(free) - BigInt(draining);
}

function usedText(side: Occupancy): string {
  return countText(String(usedOf(side)));
}

function arrow(before: string, after: string): string {
  return before === after ? after : `${before} → ${after}`;
}

/** A readable count: a /64 has `about 1.8 × 10^19` addresses. */
function countText(decimal: string): string {
  if (isCountable(decimal)) return decimal;
  return `about ${decimal[0]}.${decimal[1]} × 10^${decimal.length - 1}`;
}

function isCountable(decimal: string): boolean {
  return decimal.length <= 9;
}

/** True when the pool's totals are not the same on both sides. */
export function isPoolChanged({ before, after }: PoolTotals): boolean {
  if (before === undefined || after === undefined) return true;
  return (
    before.usable !== after.usable ||
    before.free !== after.free ||
    before.held !== after.held ||
    before.retained !== after.retained
  );
}

/** Up to this many pools are all listed. */
const fewPools = 6;

/** The pools that a plan lists: all when there are few, else only changed ones. */
export function listedPools(pools: readonly PoolTotals[]): readonly PoolTotals[] {
  return pools.length <= fewPools ? pools : pools.filter(isPoolChanged);
}

/** The manifest files of one holder, or of none. */
export interface ManifestGroup {
  readonly holder: string | undefined;
  readonly manifests: readonly ManifestChange[];
}

/** The manifests of a plan by holder, in path order; those without a holder are the last group. */
export function manifestGroups({ manifests }: Pick<Plan, 'manifests'>): readonly ManifestGroup[] {
  const groups = groupBy(manifests, ({ holder }) => holder);
  const ofNone = groups.get(undefined);
  groups.delete(undefined);
  const ofHolders = [...groups].map(([holder, of]) => ({ holder, manifests: of }));
  return ofNone ? [...ofHolders, { holder: undefined, manifests: ofNone }] : ofHolders;
}

/** At most this many fields of an object are listed. */
const mostListed = 20;

/** The changed fields of an object: `reach: spec.selector.app web → other`. */
export function listedFields({ fields = [] }: ObjectChange): readonly string[] {
  return grades.flatMap((grade) => {
    const own = fields.filter((field) => field.grade === grade);
    return fieldTexts(own, mostListed).map((text) => `${grade}: ${text}`);
  });
}

/** `2 objects added, 1 removed; 3 files moved; +40 −12 lines`. */
export function extentText(manifests: readonly ManifestChange[]): string {
  const objects = manifests.flatMap((manifest) => manifest.objects);
  const counts = (['added', 'changed', 'removed'] as const).flatMap((action) => {
    const count = objects.filter((object) => object.action === action).length;
    return count === 0 ? [] : [{ action, count }];
  });
  const texts = counts.map(({ action, count }, index) =>
    index === 0 ? `${counted(count, 'object')} ${action}` : `${count} ${action}`,
  );
  const moved = manifests.filter(({ movedFrom }) => movedFrom !== undefined).length;
  const files = moved === 0 ? [] : [`${counted(moved, 'file')} moved`];
  if (moved === manifests.length && manifests.every(isUnchanged)) {
    return `${files.join()}, no object changes`;
  }
  const objectTexts = texts.length > 0 ? [texts.join(', ')] : [];
  const parts = [...objectTexts, ...files];
  const lines = `+${sum(manifests, 'added')} −${sum(manifests, 'removed')} lines`;
  return [...(parts.length === 0 ? [counted(manifests.length, 'file')] : parts), lines].join('; ');
}

/** True for a file that only moved. */
function isUnchanged({ movedFrom, diff }: ManifestChange): boolean {
  return movedFrom !== undefined && diff === '';
}

function sum(manifests: readonly ManifestChange[], side: 'added' | 'removed'): number {
  return manifests.reduce((total, manifest) => total + manifest[side], 0);
}
