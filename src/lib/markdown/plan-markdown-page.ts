import { counted } from '../../core/model/problem.ts';
import type {
  ManifestChange,
  ObjectChange,
  Plan,
  PlanCommit,
} from '../../core/run/plan/plan-answer.ts';
import { fewRows } from '../../core/run/plan/print/plan-rows.ts';
import {
  extentText,
  listedFields,
  type ManifestGroup,
  verdictWords,
} from '../../core/run/plan/print/plan-words.ts';
import { htmlText } from '../../core/text/print/escape.ts';
import { type LinkOf, safeUrl } from './plan-links.ts';
import { addressSections } from './plan-markdown-addresses.ts';
import {
  cautionSection,
  findingsFold,
  poolSections,
  problemSection,
  type Section,
} from './plan-markdown-rows.ts';
import { clipped, codeSpan, diffBlock, sentence } from './plan-markdown-text.ts';

/** The most important part for a reviewer comes first. */
const order = [
  ...(['tree', 'change', 'lost', 'cautions', 'findings'] as const),
  ...(['given', 'kept', 'pools', 'same'] as const),
];

type SectionName = (typeof order)[number];

/** `lostFull` and `givenFull` are the folded rows that are not shown in short. */
type ListName = SectionName | 'lostFull' | 'givenFull' | 'folds';

/** The number of rows shown of each list. */
export type Rows = Counts<ListName>;

/**
 * The order in which a plan that is too long is shortened: first the manifests and what does not
 * change, then the folded rows, what is new, most cautions and problems, and the pools; at last
 * what is lost, and everything but the verdict and the summary.
 */
export const shrinkSteps: readonly ShrinkStep<ListName>[] = [
  ['folds', 0],
  ['same', 0],
  ['kept', 0],
  ['givenFull', 0],
  ['findings', 0],
  ['lostFull', 0],
  ['given', 0],
  ['pools', 6],
  ['cautions', 20],
  ['change', 40],
  ['tree', 40],
  ['pools', 0],
  ['lost', fewRows],
  ['cautions', 0],
  ['lost', 0],
  ['change', 0],
  ['tree', 0],
];

/** A plan as Markdown, with any number of rows of each list. */
export interface MarkdownPage {
  readonly rows: Rows;
  /** Renders these numbers of rows, these folds of manifests, and the notice unless it is empty. */
  render(rows: Rows, folds: readonly string[], notice: string): string;
}

interface PageLinks {
  readonly linkOf: LinkOf;
  readonly report?: string | undefined;
}

/** The page of a plan. `render` gets the manifests as folds; `foldCount` is their number. */
export function pageOf(plan: Plan, { linkOf, report }: PageLinks, foldCount: number): MarkdownPage {
  // Only a blocked plan has problems, so they come first.
  const sections: Readonly<Record<SectionName, Section>> = {
    tree: problemSection(plan, 'tree', linkOf),
    change: problemSection(plan, 'change', linkOf),
    cautions: cautionSection(plan, linkOf),
    findings: findingsFold(plan, linkOf),
    ...addressSections(plan, linkOf),
    ...poolSections(plan),
  };
  const counts = Object.fromEntries(order.map((name) => [name, sections[name].rows.length]));
  const full = (name: SectionName) => sections[name].fold?.short.length ?? 0;
  const rest = footer(plan, report);
  return {
    rows: {
      ...(counts as Counts<SectionName>),
      ...{ lostFull: full('lost'), givenFull: full('given'), folds: foldCount },
    },
    render(rows, folds, notice) {
      const fullOf: Partial<Counts<SectionName>> = { lost: rows.lostFull, given: rows.givenFull };
      return [
        opening(plan, plan.summary),
        ...order.map((name) => part(sections[name], rows[name], fullOf[name])),
        foldPart(plan, folds, foldCount),
        notice,
        rest,
      ]
        .filter((text) => text !== '')
        .join('\n');
    },
  };
}

/** The first `count` rows of a section. In its fold, the first `full` rows are whole, and the others in short form. */
function part(
  { head, rows, noun, fold, tail = '', isRepeat }: Section,
  count: number,
  full = count,
) {
  const left = rows.length - count;
  if (rows.length === 0 || (isRepeat && count === 0)) return '';
  const more = left === 0 ? '' : moreText(left, noun, count > 0);
  if (count === 0) return more;
  const { after, short } = fold ?? { after: count, short: [] };
  const folded = rows
    .slice(after, count)
    .map((row, index) => (index < full ? row : (short[index] ?? row)));
  const shown = `${head}${rows.slice(0, Math.min(after, count)).join('\n')}\n`;
  const end = more === '' ? '' : `\n${more}`;
  if (folded.length === 0) return `${shown}${end}${tail}`;
  const summary = moreText(rows.length - after, noun, true).trimEnd();
  return `${shown}\n<details><summary>${summary}</summary>\n\n${folded.join('\n')}\n${end}\n</details>\n${tail}`;
}

/** More holders than this are folded into one. */
const mostHolders = 5;

function foldPart({ manifests }: Plan, folds: readonly string[], all: number): string {
  if (all === 0) return '';
  const left = all - folds.length;
  const more = left === 0 ? [] : [moreText(left, ['holder', 'holders'], folds.length > 0)];
  const shown = [...folds, ...more].join('\n');
  const text = `${counted(all, 'holder')}: ${extentText(manifests)}`;
  if (folds.length === 0) return `#### Manifests\n\n${text}; not shown\n`;
  return all <= mostHolders
    ? `#### Manifests\n\n${shown}`
    : `#### Manifests\n\n<details><summary>${text}</summary>\n\n${shown}\n</details>\n`;
}

function moreText(count: number, [one, many]: Section['noun'], isMore: boolean): string {
  return isMore
    ? `and ${count} more ${count === 1 ? one : many}\n`
    : `${count} ${count === 1 ? one : many} not shown\n`;
}

function opening({ verdict }: Plan, summary: string): string {
  const { sign, word } = verdictWords[verdict];
  const text = sentence(summary);
  return `### ${sign} ${word}\n${text === '' ? '' : `\n**${text}**\n`}`;
}

/** The verdict and the summary, cut to at most `most` characters. */
export function openingOnly(plan: Plan, most: number): string {
  const whole = opening(plan, plan.summary);
  if (whole.length <= most) return whole;
  let enough = 0;
  let tooMany = Math.min(plan.summary.length, most);
  while (tooMany - enough > 1) {
    const middle = Math.floor((enough + tooMany) / 2);
    if (opening(plan, clipped(plan.summary, middle)).length <= most) enough = middle;
    else tooMany = middle;
  }
  const cut = opening(plan, clipped(plan.summary, enough));
  if (enough > 0 && cut.length <= most) return cut;
  return verdictWords[plan.verdict].word.slice(0, Math.max(0, most));
}

/** Both commits, the plan's digest and the link to the artifacts, in small print. */
export function footer({ base, head, digest }: Plan, report: string | undefined): string {
  const to = head.uncommitted ? `working tree on ${commitText(head)}` : commitText(head);
  const link = reportLink('plan and map as pages', report);
  return `<sub>leasehold plan · ${commitText(base)} → ${to} · digest ${codeSpan(digest.slice(0, 12))}${link === undefined ? '' : ` · ${link}`}</sub>\n`;
}

/** A link to the artifacts; undefined when their page is unknown. */
export function reportLink(text: string, report: string | undefined): string | undefined {
  const url = report === undefined ? undefined : safeUrl(report)?.replaceAll('&', '&amp;');
  return url === undefined ? undefined : `[${text}](${url})`;
}

function commitText({ commit, day }: PlanCommit): string {
  return `${codeSpan(commit.slice(0, 12))} (${codeSpan(day)})`;
}

/** The command that shows the whole plan. */
export function commandText({ base, head }: Plan): string {
  const to = head.uncommitted ? '' : ` --head ${head.commit}`;
  return codeSpan(`leasehold plan --base ${base.commit}${to}`);
}

/** The folded manifests of one holder, with diffs and with only the names of the objects. */
export interface Fold {
  readonly full: string;
  readonly names: string;
}

/** The folds in the order of the groups. Each closes every element that it opens. */
export function foldsOf(groups: readonly ManifestGroup[]): readonly Fold[] {
  return groups.map((group) => ({
    full: fold(group, (manifest) => [namesOf(manifest, listedFields), ...diffOf(manifest)]),
    names: fold(group, (manifest) => [namesOf(manifest, () => [])]),
  }));
}

function fold(
  { holder, manifests }: ManifestGroup,
  shown: (manifest: ManifestChange) => readonly string[],
): string {
  const whose = holder === undefined ? 'Shared objects' : `<code>${htmlText(holder)}</code>`;
  const summary = `<summary>${whose}: ${htmlText(extentText(manifests))}</summary>`;
  const body = manifests.flatMap(shown).join('\n');
  return `<details>${summary}\n\n${body}\n</details>\n`;
}

function namesOf(
  { path, movedFrom, objects }: ManifestChange,
  fieldsOf: (object: ObjectChange) => readonly string[],
): string {
  const from = movedFrom === undefined ? '' : `, moved from ${codeSpan(movedFrom)}`;
  const lines = objects.flatMap((change) => [
    `- ${change.action} ${codeSpan(change.object)}\n`,
    ...fieldsOf(change).map((text) => `  - ${sentence(text)}\n`),
  ]);
  return `${codeSpan(path)}${from}\n\n${lines.join('')}`;
}

function diffOf({ diff }: ManifestChange): readonly string[] {
  return diff === '' ? [] : [diffBlock(diff)];
}

/** The numbers of rows of the lists that can be shortened, by name. */
export type Counts<Name extends string> = Readonly<Record<Name, number>>;

/** Shortens a list down to `floor` rows. */
export type ShrinkStep<Name extends string> = readonly [list: Name, floor: number];

/**
 * The most rows of every list with which a text is short enough. The lists are shortened in the
 * order of the steps, each no further than necessary. Undefined when all steps together are not
 * enough.
 */
export function fitted<Name extends string>(
  all: Counts<Name>,
  steps: readonly ShrinkStep<Name>[],
  isShort: (counts: Counts<Name>) => boolean,
): Counts<Name> | undefined {
  let counts = all;
  if (isShort(counts)) return counts;
  for (const [list, floor] of steps) {
    if (counts[list] <= floor) continue;
    const lowest = { ...counts, [list]: floor };
    if (isShort(lowest)) return mostRows(counts, list, floor, isShort);
    counts = lowest;
  }
  return undefined;
}

/**
 * The most rows of one list with which the text is short enough: at least `floor`, and fewer than
 * in `counts`.
 */
function mostRows<Name extends string>(
  counts: Counts<Name>,
  list: Name,
  floor: number,
  isShort: (counts: Counts<Name>) => boolean,
): Counts<Name> {
  let enough = floor;
  let tooMany = counts[list];
  while (tooMany - enough > 1) {
    const middle = Math.floor((enough + tooMany) / 2);
    if (isShort({ ...counts, [list]: middle })) enough = middle;
    else tooMany = middle;
  }
  return { ...counts, [list]: enough };
}
