import { counted } from '../../core/model/problem.ts';
import type { Plan } from '../../core/run/plan/plan-answer.ts';
import {
  extentText,
  type ManifestGroup,
  manifestGroups,
} from '../../core/run/plan/print/plan-words.ts';
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
  reportLink,
  shrinkSteps,
} from './plan-markdown-page.ts';
import { codeSpan } from './plan-markdown-text.ts';

/** Options of the comments of a plan. */
export interface MarkdownOptions {
  /** The maximum length of a comment, in UTF-16 units. */
  readonly maxChars: number;
  readonly linkOf: LinkOf;
  /** The web page with the artifacts of the run that made the plan: plan.html and page.html. */
  readonly report?: string | undefined;
  /** The first line of a comment, by which it is found again. Parts count from 1. */
  readonly marker?: (part: number) => string;
}

/**
 * A plan as one comment for GitHub or GitLab. A plan that is too long is shortened, with a notice:
 * first the diffs of single holders, then the names of objects, rows of lists and of the table, at
 * last all but the verdict and the summary. Fences, rows and folds are never cut inside.
 */
export function planMarkdown(plan: Plan, options: MarkdownOptions): string {
  return firstPart(plan, options, foldsOf(manifestGroups(plan)), '');
}

/** The comment with verdict, totals, table and these folds; `lead` refers to the other parts. */
function firstPart(
  plan: Plan,
  options: MarkdownOptions,
  folds: readonly Fold[],
  lead: string,
): string {
  const { marker, maxChars } = options;
  const line = marker === undefined ? '' : `${marker(1)}\n`;
  const most = maxChars - line.length;
  if (most <= 0) return openingOnly(plan, maxChars);
  const page = pageOf(plan, options, folds.length);
  const full = folds.map((fold) => fold.full);
  const whole = page.render(page.rows, full, lead);
  if (whole.length <= most) return `${line}${whole}`;
  const shorter = new Shortened(folds, (rows, shown, without) => {
    const notice = shortenedNotice(plan, options, without);
    return page.render(rows, shown, lead === '' ? notice : `${lead}\n${notice}`);
  });
  return `${line}${shorter.within(page.rows, most) ?? openingOnly(plan, most)}`;
}

/** Renders a shortened page with its notice. `without` holders have no diff. */
type Render = (rows: Rows, folds: readonly string[], without: number) => string;

class Shortened {
  readonly #folds: readonly Fold[];
  readonly #render: Render;

  constructor(folds: readonly Fold[], render: Render) {
    this.#folds = folds;
    this.#render = render;
  }

  /** The largest part of the page within `most` characters; undefined when none is that short. */
  within(all: Rows, most: number): string | undefined {
    const rows = fitted(all, shrinkSteps, (at) => this.#withoutDiffs(at).length <= most);
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

/** The folds in their order, with diffs where `room` allows it; `full` counts those. */
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

function shortenedNotice(
  plan: Plan,
  { maxChars, report }: MarkdownOptions,
  without: number,
): string {
  const diffs = without === 0 ? '' : `The diffs of ${counted(without, 'holder')} are omitted. `;
  const page = reportLink('plan.html', report) ?? 'plan.html in the artifact of the run';
  return `Shortened to ${maxChars} characters. ${diffs}For the full plan, see ${page}, or run ${commandText(plan)}\n`;
}

/** More comments make a pull request hard to read, and a forge may refuse them. */
const mostParts = 20;

/**
 * A plan as comments for GitHub or GitLab: one if it fits. Else the first has verdict, totals and
 * table, and the others have the manifests; no holder's manifests are split. Each comment is
 * complete Markdown of at most `maxChars` characters. There are at most {@link mostParts}.
 */
export function planMarkdownParts(plan: Plan, options: MarkdownOptions): readonly string[] {
  const whole = planMarkdown(plan, { ...options, maxChars: Number.MAX_SAFE_INTEGER });
  if (whole.length <= options.maxChars) return [whole];
  const markerOf = (part: number) => (options.marker ? `${options.marker(part)}\n` : '');
  const around = (body: string, part: number, all: number) =>
    `${markerOf(part)}### Manifests, part ${part} of ${all}\n\n${body}\n${footer(plan, options.report)}`;
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

/** The fold, or as much of it as fits into one part. */
function foldWithin({ full, names }: Fold, group: ManifestGroup | undefined, room: number): string {
  if (full.length <= room) return full;
  if (names.length <= room) return names;
  const whose = group?.holder === undefined ? 'Shared objects' : codeSpan(group.holder);
  return `${whose}: ${extentText(group?.manifests ?? [])}; too long to show\n`;
}

/** Groups texts in their order so that each group, joined with line breaks, fits into `room`. */
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
  const more = left === 0 ? '' : `; those of ${left} more are omitted: run ${commandText(plan)}`;
  return `The manifests of ${counted(holders, 'holder')} are ${where}${more}.\n`;
}
