import { counted } from '../../core/model/problem.ts';
import { cautionCodes } from '../../core/run/plan/caution-codes.ts';
import type { Plan, PlanProblem, PoolTotals } from '../../core/run/plan/plan-answer.ts';
import { poolBar } from '../../core/run/plan/print/plan-bars.ts';
import {
  cautionGroups,
  type Finding,
  type FindingGroup,
  omittedText,
  problemGroups,
  shownFindings,
} from '../../core/run/plan/print/plan-groups.ts';
import { isPoolChanged, phraseText, totalsPhrase } from '../../core/run/plan/print/plan-words.ts';
import type { LinkOf } from './plan-links.ts';
import { codeSpan, placeLink, sentence } from './plan-markdown-text.ts';

/** A list or table that can be shown in part, whole rows at a time. */
export interface Section {
  /** Markdown above the rows, ending in a line break; may be empty. */
  readonly head: string;
  /** Whole lines of Markdown. */
  readonly rows: readonly string[];
  /** The name of a row, in singular and plural. */
  readonly noun: readonly [one: string, many: string];
  /** How many rows stand above a fold with the others, and the short forms of those. */
  readonly fold?: { readonly after: number; readonly short: readonly string[] };
  /** Markdown below the rows; absent when there is none. */
  readonly tail?: string;
  /** True when it can be left out without notice, since another section has a summary of it. */
  readonly isRepeat?: true;
}

/** At most this many other places of one problem are shown. */
const mostPlaces = 6;

/** The columns of a pool's bar. */
const barLength = 20;

/** At most this many pools are listed that do not change. */
const mostSame = 20;

/** A line for each pool that changes, and below them a fold with the others. */
export function poolSections({ pools }: Plan): { readonly pools: Section; readonly same: Section } {
  const [changed = [], same = []] = [true, false].map((is) =>
    pools.filter((pool) => isPoolChanged(pool) === is).map(poolRow),
  );
  const omitted = same.length - mostSame;
  const more = omitted > 0 ? [`- and ${omitted} more`] : [];
  const summary = `The use of ${counted(same.length, 'pool')} does not change`;
  return {
    pools: { head: '#### Pools\n\n', rows: changed, noun: ['pool', 'pools'] },
    same: {
      head: `<details><summary>${summary}</summary>\n\n`,
      rows: [...same.slice(0, mostSame), ...more],
      noun: ['pool', 'pools'],
      tail: '\n</details>\n',
      isRepeat: true,
    },
  };
}

function poolRow(pool: PoolTotals): string {
  const text = phraseText(totalsPhrase(pool), (name) => codeSpan(name));
  return `- ${codeSpan(poolBar(pool, barLength))} ${text}`;
}

/** Cautions whose messages say what the lines of the lost addresses say. */
const saidAbove = new Map<string, { readonly title: string }>([
  ['LEASE_CUT', cautionCodes.LEASE_CUT],
  ['LEASE_MOVED', cautionCodes.LEASE_MOVED],
]);

/** The title of a caution in place of its messages, where the plan has those lines. */
function titleOf({ addresses }: Plan, { code }: FindingGroup): string | undefined {
  return addresses.length > 0 ? saidAbove.get(code)?.title : undefined;
}

/** The cautions, a row for each code, with its advice. */
export function cautionSection(plan: Plan, linkOf: LinkOf): Section {
  const rows = cautionGroups(plan.cautions).map((group) => {
    const title = titleOf(plan, group);
    return title === undefined ? groupRow(group, linkOf) : `- ${title}${endText(group)}`;
  });
  return { head: '#### Cautions\n\n', rows, noun: ['kind of caution', 'kinds of caution'] };
}

const problemHeads = {
  tree: '#### Problems in the tree\n\n',
  change: '#### Problems in the change\n\n',
};

/** The problems of the tree or of the change, equal ones in one row. */
export function problemSection(plan: Plan, of: PlanProblem['of'], linkOf: LinkOf): Section {
  const problems = plan.problems.filter((problem) => problem.of === of);
  const rows = problemGroups(problems).map((group) => groupRow(group, linkOf));
  return { head: problemHeads[of], rows, noun: ['kind of problem', 'kinds of problem'] };
}

/** A fold with each problem and caution, if the rows of their groups leave some out. */
export function findingsFold(plan: Plan, linkOf: LinkOf): Section {
  const { problems, cautions } = plan;
  const groups = [...problemGroups(problems), ...cautionGroups(cautions)].filter(
    (group) => shownFindings(group).omitted > 0 && titleOf(plan, group) === undefined,
  );
  const rows = groups.flatMap(({ code, findings }) =>
    findings.map((finding) => `- ${equalText([finding], linkOf)} ${codeSpan(code)}`),
  );
  const codes = groups.map(({ code, findings }) => `${findings.length} × <code>${code}</code>`);
  return {
    head: `<details><summary>Each of ${codes.join(', ')}</summary>\n\n`,
    rows,
    noun: ['problem', 'problems'],
    tail: '\n</details>\n',
    isRepeat: true,
  };
}

/** `**64 ×** message (place) CODE`, with more messages above the code and the advice below it. */
function groupRow(group: FindingGroup, linkOf: LinkOf): string {
  const { findings } = group;
  const shown = shownFindings(group);
  const count = findings.length === 1 ? '' : `**${findings.length} ×** `;
  const more = omittedText(shown);
  const lines = [
    ...shown.messages.map((equal) => equalText(equal, linkOf)),
    ...(more === '' ? [] : [more]),
  ];
  return `- ${count}${lines.join('<br>')}${endText(group)}`;
}

function endText({ code, advice }: FindingGroup): string {
  return ` ${codeSpan(code)}${advice === undefined ? '' : `<br>→ ${sentence(advice)}`}`;
}

/** One message with the places of all findings that have it. */
function equalText(equal: readonly [Finding, ...Finding[]], linkOf: LinkOf): string {
  const places = equal.flatMap(({ place, column }) =>
    place ? [placeLink(place, linkOf, column)] : [],
  );
  const all = equal.flatMap(({ also }) => also);
  const others = all.slice(0, mostPlaces).map((place) => codeSpan(place));
  const omitted = all.length - others.length;
  const more = omitted === 0 ? '' : ` and ${omitted} more`;
  const also = others.length === 0 ? '' : `<br>also ${others.join(', ')}${more}`;
  return `${sentence(equal[0].message)}${places.length === 0 ? '' : ` (${places.join(', ')})`}${also}`;
}
