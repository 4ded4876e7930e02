import type { Plan } from '../plan-answer.ts';
import type { LinkOf } from './plan-links.ts';
import {
  commandText,
  type Fold,
  fitted,
  foldsOf,
  footer,
  openingOnly,
  pageOf,
  type Rows,
  steps,
} from './plan-markdown-page.ts';
import { codeSpan } from './plan-markdown-text.ts';
import { counted, extentText, type ManifestGroup, manifestGroups } from './plan-words.ts';

/** How a plan becomes comments. */
export interface MarkdownOptions {
  /** No comment is longer, in UTF-16 units, of which a character has one or two. */
  readonly maxChars: number;
  readonly linkOf: LinkOf;
  /** The line that a comment is found by, put first. Parts count from 1. */
  readonly marker?: (part: number) => string;
}

/**
 * A plan as one comment for GitHub or GitLab. When it would be too long it gives way in steps, and says
 * so: the diffs of single holders, the names of objects, rows of lists and of the table, at last all
 * but the verdict and its sentence. Whatever is shown of a fence, a row or a fold is whole.
 */
export function planMarkdown(plan: Plan, options: MarkdownOptions): string {
  return firstPart(plan, options, foldsOf(manifestGroups(plan)), '');
}

/** The comment with verdict, totals, table and these folds; `lead` says where others are. */
function firstPart(
  plan: Plan,
  { marker, maxChars, linkOf }: MarkdownOptions,
  folds: readonly Fold[],
  lead: string,
): string {
  const line = marker === undefined ? '' : `${marker(1)}\n`;
  const most = maxChars - line.length;
  if (most <= 0) return openingOnly(plan, maxChars);
  const page = pageOf(plan, linkOf, folds.length);
  const full = folds.map((fold) => fold.full);
  const whole = page.render(page.rows, full, lead);
  if (whole.length <= most) return `${line}${whole}`;
  const shorter = new Shortened(folds, (rows, shown, without) => {
    const notice = shortenedNotice(plan, maxChars, without);
    return page.render(rows, shown, lead === '' ? notice : `${lead}\n${notice}`);
  });
  return `${line}${shorter.within(page.rows, most) ?? openingOnly(plan, most)}`;
}

/** A page with a notice that it is not all; `without` counts the holders whose diffs are left out. */
type Render = (rows: Rows, folds: readonly string[], without: number) => string;

class Shortened {
  readonly #folds: readonly Fold[];
  readonly #render: Render;

  constructor(folds: readonly Fold[], render: Render) {
    this.#folds = folds;
    this.#render = render;
  }

  /** The most of the page that is no longer than `most`; undefined when there is no such part. */
  within(all: Rows, most: number): string | undefined {
    const rows = fitted(all, steps, (at) => this.#withoutDiffs(at).length <= most);
    if (rows === undefined) return undefined;
    const room = most - this.#withoutDiffs(rows).length;
    const { shown, full } = withDiffs(this.#folds.slice(0, rows.folds), room);
    return this.#render(rows, shown, this.#folds.length - full);
  }

  #withoutDiffs(rows: Rows): string {
    const names = this.#folds.slice(0, rows.folds).map((fold) => fold.names);
    return this.#render(rows, names, this.#folds.length);
  }
}

/** As many folds in full as there is room for: those that fit, in their order. */
function withDiffs(folds: readonly Fold[], room: number): { shown: string[]; full: number } {
  let left = room;
  let full = 0;
  const shown = folds.map((fold) => {
    const more = fold.full.length - fold.names.length;
    if (more > left) return fold.names;
    left -= more;
    full += 1;
    return fold.full;
  });
  return { shown, full };
}

function shortenedNotice(plan: Plan, most: number, without: number): string {
  const diffs = without === 0 ? '' : `The diffs of ${counted(without, 'holder')} are left out. `;
  return `Shortened to ${most} characters. ${diffs}All of it: ${commandText(plan)}, or its HTML page.\n`;
}

/** More comments than this make a pull request unreadable, and a forge begins to refuse them. */
const mostParts = 20;

/**
 * A plan as comments for GitHub or GitLab: one if it fits; else the first has verdict, totals and table,
 * and the others the manifests, none of them cut in two. Each is whole in itself and no longer than
 * `maxChars`; at most {@link mostParts}.
 */
export function planMarkdownParts(plan: Plan, options: MarkdownOptions): readonly string[] {
  const whole = planMarkdown(plan, { ...options, maxChars: Number.MAX_SAFE_INTEGER });
  if (whole.length <= options.maxChars) return [whole];
  const markerOf = (part: number) => (options.marker ? `${options.marker(part)}\n` : '');
  const around = (body: string, part: number, all: number) =>
    `${markerOf(part)}### Manifests, part ${part} of ${all}\n\n${body}\n${footer(plan)}`;
  const room = options.maxChars - around('', mostParts, mostParts).length;
  const groups = manifestGroups(plan);
  const texts = foldsOf(groups).map((fold, index) => foldWithin(fold, groups[index], room));
  if (texts.some((text) => text.length > room)) return [planMarkdown(plan, options)];
  const packed = packs(texts, room);
  const shown = packed.slice(0, mostParts - 1);
  const left = packed.slice(mostParts - 1).flat().length;
  const first = firstPart(
    plan,
    options,
    [],
    leadText(plan, groups.length - left, shown.length, left),
  );
  const others = shown.map((folds, index) => around(folds.join('\n'), index + 2, shown.length + 1));
  return [first, ...others];
}

/** The fold as far as it fits into a part of its own. */
function foldWithin({ full, names }: Fold, group: ManifestGroup | undefined, room: number): string {
  if (full.length <= room) return full;
  if (names.length <= room) return names;
  const whose = group?.holder === undefined ? 'Of no holder' : codeSpan(group.holder);
  return `${whose}: ${extentText(group?.manifests ?? [])}; too long to be shown\n`;
}

/** Texts in their order, as many together as there is room for, with a line break between them. */
function packs(texts: readonly string[], room: number): readonly (readonly string[])[] {
  const all: string[][] = [];
  let used = room;
  for (const text of texts) {
    const last = all.at(-1);
    if (last && used + 1 + text.length <= room) {
      last.push(text);
      used += 1 + text.length;
    } else {
      all.push([text]);
      used = text.length;
    }
  }
  return all;
}

function leadText(plan: Plan, holders: number, parts: number, left: number): string {
  if (parts === 0) return '';
  const where = parts === 1 ? 'in part 2' : `in parts 2 to ${parts + 1}`;
  const more = left === 0 ? '' : `; those of ${left} more are left out: ${commandText(plan)}`;
  return `The manifests of ${counted(holders, 'holder')} are ${where}${more}.\n`;
}
