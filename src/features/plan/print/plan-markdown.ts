import type { Plan } from '../plan-answer.ts';
import type { LinkOf } from './plan-links.ts';
import { manifestGroups } from './plan-manifest-groups.ts';
import { fitted } from './plan-markdown-fit.ts';
import { type Fold, foldsOf } from './plan-markdown-manifests.ts';
import { commandText, openingOnly, pageOf, type Rows, steps } from './plan-markdown-page.ts';
import { counted } from './plan-words.ts';

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
export function firstPart(
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
