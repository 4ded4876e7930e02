import type { Plan, PlanCommit } from '../plan-answer.ts';
import type { LinkOf } from './plan-links.ts';
import type { Counts, Step } from './plan-markdown-fit.ts';
import {
  addressSection,
  cautionSection,
  poolSection,
  problemSection,
  type Section,
} from './plan-markdown-rows.ts';
import { clipped, codeSpan, sentence } from './plan-markdown-text.ts';
import { verdictWords } from './plan-words.ts';

type ListName = 'tree' | 'change' | 'pools' | 'addresses' | 'cautions' | 'folds';

/** How many rows of every list are shown. */
export type Rows = Counts<ListName>;

/**
 * The order in which a plan that is too long gives way: first the manifests, then all but some cautions
 * and problems, then the table, at last everything but the verdict and its sentence.
 */
export const steps: readonly Step<ListName>[] = [
  ['folds', 0],
  ['cautions', 20],
  ['change', 40],
  ['tree', 40],
  ['addresses', 0],
  ['cautions', 0],
  ['pools', 0],
  ['change', 0],
  ['tree', 0],
];

/** A plan as Markdown, of which any number of rows can be shown. */
export interface Page {
  readonly rows: Rows;
  /** With so many rows of each list, these folds of manifests, and a notice if one is given. */
  render(rows: Rows, folds: readonly string[], notice: string): string;
}

/** Everything of a plan but its manifests, which are given as so many folds. */
export function pageOf(plan: Plan, linkOf: LinkOf, foldCount: number): Page {
  const tree = problemSection(plan, 'tree', linkOf);
  const change = problemSection(plan, 'change', linkOf);
  const pools = poolSection(plan);
  const addresses = addressSection(plan, linkOf);
  const cautions = cautionSection(plan, linkOf);
  const rest = footer(plan);
  return {
    rows: {
      tree: tree.rows.length,
      change: change.rows.length,
      pools: pools.rows.length,
      addresses: addresses.rows.length,
      cautions: cautions.rows.length,
      folds: foldCount,
    },
    render(rows, folds, notice) {
      const problems = [part(tree, rows.tree), part(change, rows.change)];
      const isBlocked = plan.verdict === 'blocked';
      return [
        opening(plan, plan.summary),
        ...(isBlocked ? problems : []),
        part(pools, rows.pools),
        part(addresses, rows.addresses),
        part(cautions, rows.cautions),
        ...(isBlocked ? [] : problems),
        foldPart(folds, foldCount),
        notice,
        rest,
      ]
        .filter((text) => text !== '')
        .join('\n');
    },
  };
}

function part({ head, rows, noun }: Section, count: number): string {
  const left = rows.length - count;
  if (rows.length === 0) return '';
  const more = left === 0 ? '' : moreText(left, noun, count > 0);
  if (count === 0) return more;
  const shown = rows.slice(0, count).join('\n');
  return `${head}${shown}\n${more === '' ? '' : `\n${more}`}`;
}

function foldPart(folds: readonly string[], all: number): string {
  if (all === 0) return '';
  const left = all - folds.length;
  const more = left === 0 ? '' : `\n${moreText(left, ['holder', 'holders'], folds.length > 0)}`;
  return `#### Manifests\n\n${folds.join('\n')}${more}`;
}

function moreText(count: number, [one, many]: Section['noun'], isMore: boolean): string {
  return isMore
    ? `and ${count} more ${count === 1 ? one : many}\n`
    : `${count} ${count === 1 ? one : many} not shown here\n`;
}

function opening({ verdict }: Plan, summary: string): string {
  const { sign, word } = verdictWords[verdict];
  const said = sentence(summary);
  return `### ${sign} ${word}\n${said === '' ? '' : `\n**${said}**\n`}`;
}

/** Verdict and sentence only, the sentence cut where it must be; never longer than `most`. */
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

/** Both commits and what tells two plans apart, in small letters. */
export function footer({ base, head, digest }: Plan): string {
  const to = head.uncommitted ? `working tree on ${commitText(head)}` : commitText(head);
  return `<sub>leasehold plan · ${commitText(base)} → ${to} · digest ${codeSpan(digest.slice(0, 12))}</sub>\n`;
}

function commitText({ commit, day }: PlanCommit): string {
  return `${codeSpan(commit.slice(0, 12))} (${codeSpan(day)})`;
}

/** What to do to see what is left out. */
export function commandText({ base, head }: Plan): string {
  const to = head.uncommitted ? '' : ` --head ${head.commit}`;
  return codeSpan(`leasehold plan --base ${base.commit}${to}`);
}
