import { cautionCodes } from '../../../model/codes/caution-codes.ts';
import { holderText } from '../../../model/holder-text.ts';
import type { AddressChange, Caution, Plan, PlanProblem } from '../plan-answer.ts';
import type { LinkOf } from './plan-links.ts';
import { codeSpan, placeLink, sentence, shortPlaceLink, tableCell } from './plan-markdown-text.ts';
import {
  changeSigns,
  holderPhrase,
  phraseText,
  toldPools,
  totalsPhrase,
  whatChanges,
} from './plan-words.ts';

/** A list or table that can be shown in part, whole rows at a time. */
export interface Section {
  /** What stands above the rows, ending in a line break; empty when nothing does. */
  readonly head: string;
  /** Markdown without line breaks. */
  readonly rows: readonly string[];
  /** One of what the rows are, and several. */
  readonly noun: readonly [one: string, many: string];
}

/** Names that are many on one address are not all shown. */
const mostDetails = 6;

/** A line per pool, and one for those that do not change when there are many. */
export function poolSection({ pools, verdict }: Plan): Section {
  const told = toldPools(pools);
  const rows = told.map((pool) => `- ${phraseText(totalsPhrase(pool), codeSpan)}`);
  const rest = pools.length - told.length;
  const more = rest === 0 ? [] : [`- ${rest} other pools do not change`];
  // Without a title, Markdown would take them for a part of the list of problems.
  const head = verdict === 'blocked' ? '#### Pools\n\n' : '';
  return { head, rows: [...rows, ...more], noun: ['pool', 'pools'] };
}

/** The table of addresses. The pool has a column when there are several. */
export function addressSection(plan: Plan, linkOf: LinkOf): Section {
  const short = shortHolderNames(plan);
  const hasPools = new Set(plan.addresses.map(({ pool }) => pool)).size > 1;
  const titles = ['Address', 'Change', 'Holder', 'What changes', 'In leases/'];
  if (hasPools) titles.push('Pool');
  const row = (change: AddressChange): string => {
    const { address, pool, at } = change;
    const cells = [
      codeSpan(address),
      `${changeSigns[change.change].replace('-', '−')}&nbsp;${change.change}`,
      phraseText(holderPhrase(change), (text) => codeSpan(short(text))),
      detailsCell(whatChanges(change)),
      shortPlaceLink(at, linkOf),
      ...(hasPools ? [codeSpan(pool)] : []),
    ];
    return tableRow(cells.map(tableCell));
  };
  return {
    head: `${tableRow(titles)}\n${tableRow(titles.map(() => '---'))}\n`,
    rows: plan.addresses.map(row),
    noun: ['address', 'addresses'],
  };
}

function detailsCell(details: readonly string[]): string {
  const shown = details.slice(0, mostDetails).map(sentence);
  const rest = details.length - shown.length;
  const more = rest > 0 ? [`and ${rest} more`] : [];
  return [...shown, ...more].join('<br>') || '–';
}

function tableRow(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

/** The cautions; what to think about stands below the last one of each code. */
export function cautionSection({ cautions }: Plan, linkOf: LinkOf): Section {
  const rows = cautions.map((caution, index) => {
    const isLast = cautions[index + 1]?.code !== caution.code;
    const advice = isLast ? `<br>${sentence(cautionCodes[caution.code].fix)}` : '';
    return `- ${cautionText(caution, linkOf)}${advice}`;
  });
  return { head: '#### Think about\n\n', rows, noun: ['caution', 'cautions'] };
}

function cautionText({ code, message, at }: Caution, linkOf: LinkOf): string {
  const place = at === undefined ? '' : ` (${placeLink(at, linkOf)})`;
  return `${codeSpan(code)} ${sentence(message)}${place}`;
}

const problemHeads = {
  tree: '#### Wrong in the tree\n\n',
  change: '#### Wrong in the change\n\n',
};

/** Problems of one kind. */
export function problemSection(plan: Plan, of: PlanProblem['of'], linkOf: LinkOf): Section {
  const rows = plan.problems
    .filter((problem) => problem.of === of)
    .map((problem) => problemRow(problem, linkOf));
  return { head: problemHeads[of], rows, noun: ['problem', 'problems'] };
}

function problemRow(problem: PlanProblem, linkOf: LinkOf): string {
  const { code, message, file, line, column, hint, also } = problem;
  const place = placeLink({ side: 'head', file, line }, linkOf, column);
  const others = also.slice(0, mostDetails).map(codeSpan);
  const more = also.length > others.length ? ` and ${also.length - others.length} more` : '';
  const seen = others.length === 0 ? '' : `<br>also ${others.join(', ')}${more}`;
  const next = hint === undefined ? '' : `<br>hint: ${sentence(hint)}`;
  return `- ${codeSpan(code)} ${sentence(message)} (${place})${seen}${next}`;
}

/**
 * Names of holders as a narrow table can show them: `shop of akash17zp…nkks4`. A name that would look like
 * another one of the plan stays whole.
 */
function shortHolderNames({ addresses }: Pick<Plan, 'addresses'>): (text: string) => string {
  const holders = addresses.flatMap(({ before, after }) =>
    [before, after].flatMap((side) => (side ? [side.holder] : [])),
  );
  const meant = new Map<string, string | undefined>();
  for (const holder of new Set(holders)) {
    const short = holderText(holder);
    meant.set(short, meant.has(short) ? undefined : holder);
  }
  return (text) => {
    const short = holderText(text);
    return meant.get(short) === text ? short : text;
  };
}
