import type { Plan, PlanProblem } from '../../core/run/plan/plan-answer.ts';
import { poolBar } from '../../core/run/plan/print/plan-bars.ts';
import {
  cautionGroups,
  type Finding,
  type FindingGroup,
  leftText,
  problemGroups,
  shownFindings,
} from '../../core/run/plan/print/plan-groups.ts';
import { listedPools, phraseText, totalsPhrase } from '../../core/run/plan/print/plan-words.ts';
import { type LinkOf, safeLink } from './plan-links.ts';
import { codeSpan, placeLink, sentence, shortPlaceLink } from './plan-markdown-text.ts';

/** A list or table that can be shown in part, whole rows at a time. */
export interface Section {
  /** Markdown above the rows, ending in a line break; may be empty. */
  readonly head: string;
  /** Markdown without line breaks. */
  readonly rows: readonly string[];
  /** The name of a row, in singular and plural. */
  readonly noun: readonly [one: string, many: string];
  /** Markdown below the rows; absent when there is none. */
  readonly tail?: string;
  /** True when it can be left out without notice, since another section has a summary of it. */
  readonly isRepeat?: true;
}

/** At most this many other places of one problem are shown. */
const mostPlaces = 6;

/** The columns of a pool's bar. */
const barLength = 20;

/** One line per listed pool, and one for the number of the others. */
export function poolSection({ pools }: Plan): Section {
  const listed = listedPools(pools);
  const rows = listed.map((pool) => {
    const text = phraseText(totalsPhrase(pool), (name) => codeSpan(name));
    return `- ${codeSpan(poolBar(pool, barLength))} ${text}`;
  });
  const rest = pools.length - listed.length;
  const more = rest === 0 ? [] : [`- ${rest} other pools do not change`];
  return { head: '#### Pools\n\n', rows: [...rows, ...more], noun: ['pool', 'pools'] };
}

/** The cautions, a row for each code, with its advice. */
export function cautionSection({ cautions }: Plan, linkOf: LinkOf): Section {
  const rows = cautionGroups(cautions).map((group) => groupRow(group, linkOf));
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
export function findingsFold({ problems, cautions }: Plan, linkOf: LinkOf): Section {
  const groups = [...problemGroups(problems), ...cautionGroups(cautions)].filter(
    (group) => shownFindings(group).left > 0,
  );
  const rows = groups.flatMap(({ code, findings }) =>
    findings.map((finding) => `- ${codeSpan(code)} ${equalText([finding], linkOf)}`),
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

/** `**64 ×** CODE message (place)`, and below it more messages and the advice. */
function groupRow(group: FindingGroup, linkOf: LinkOf): string {
  const { code, findings, advice } = group;
  const shown = shownFindings(group);
  const count = findings.length === 1 ? '' : `**${findings.length} ×** `;
  const left = leftText(shown);
  const lines = [
    ...shown.messages.map((equal) => equalText(equal, linkOf)),
    ...(left === '' ? [] : [left]),
    ...(advice === undefined ? [] : [`→ ${sentence(advice)}`]),
  ];
  return `- ${count}${codeSpan(code)} ${lines.join('<br>')}`;
}

/** One message with the places of all findings that have it. */
function equalText(equal: readonly [Finding, ...Finding[]], linkOf: LinkOf): string {
  const places = equal.map((finding) => placeText(finding, linkOf)).filter((text) => text !== '');
  const all = equal.flatMap(({ also }) => also);
  const others = all.slice(0, mostPlaces).map((place) => codeSpan(place));
  const left = all.length - others.length;
  const more = left === 0 ? '' : ` and ${left} more`;
  const also = others.length === 0 ? '' : `<br>also ${others.join(', ')}${more}`;
  return `${sentence(equal[0].message)}${places.length === 0 ? '' : ` (${places.join(', ')})`}${also}`;
}

/** A problem's place in full, as it is copied; a caution's place in short when it is a link. */
function placeText({ place, column }: Finding, linkOf: LinkOf): string {
  if (place === undefined) return '';
  const isShort = column === undefined && safeLink(place, linkOf) !== undefined;
  return isShort ? shortPlaceLink(place, linkOf) : placeLink(place, linkOf, column);
}
