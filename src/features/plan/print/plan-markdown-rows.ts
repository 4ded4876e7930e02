import { holderText } from '../../../model/holder.ts';
import { cautionCodes } from '../caution-codes.ts';
import type { AddressChange, Caution, Plan, PlanProblem } from '../plan-answer.ts';
import type { LinkOf } from './plan-links.ts';
import { codeSpan, placeLink, sentence, shortPlaceLink, tableCell } from './plan-markdown-text.ts';
import {
  changeSigns,
  holderPhrase,
  listedPools,
  phraseText,
  totalsPhrase,
  whatChanges,
} from './plan-words.ts';

/** A list or table that can be shown in part, whole rows at a time. */
export interface Section {
  /** Markdown above the rows, ending in a line break; may be empty. */
  readonly head: string;
  /** Markdown without line breaks. */
  readonly rows: readonly string[];
  /** The name of a row, in singular and plural. */
  readonly noun: readonly [one: string, many: string];
}

/** At most this many details of one row are shown. */
const mostDetails = 6;

/** One line per listed pool, and one for the number of the others. */
export function poolSection({ pools, verdict }: Plan): Section {
  const listed = listedPools(pools);
  const rows = listed.map((pool) => `- ${phraseText(totalsPhrase(pool), codeSpan)}`);
  const rest = pools.length - listed.length;
  const more = rest === 0 ? [] : [`- ${rest} other pools do not change`];
  // Without a heading, Markdown would continue the list of problems.
  const head = verdict === 'blocked' ? '#### Pools\n\n' : '';
  return { head, rows: [...rows, ...more], noun: ['pool', 'pools'] };
}

/** The table of addresses, with a pool column when there are several pools. */
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

/** The cautions, with the advice below the last one of each code. */
export function cautionSection({ cautions }: Plan, linkOf: LinkOf): Section {
  const rows = cautions.map((caution, index) => {
    const isLast = cautions[index + 1]?.code !== caution.code;
    const advice = isLast ? `<br>${sentence(cautionCodes[caution.code].fix)}` : '';
    return `- ${cautionText(caution, linkOf)}${advice}`;
  });
  return { head: '#### Cautions\n\n', rows, noun: ['caution', 'cautions'] };
}

function cautionText({ code, message, at }: Caution, linkOf: LinkOf): string {
  const place = at === undefined ? '' : ` (${placeLink(at, linkOf)})`;
  return `${codeSpan(code)} ${sentence(message)}${place}`;
}

const problemHeads = {
  tree: '#### Problems in the tree\n\n',
  change: '#### Problems in the change\n\n',
};

/** The problems of the tree or of the change. */
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
 * Short holder names for a narrow table: `shop of akash17zp…nkks4`. Names that would become equal are not
 * shortened.
 */
function shortHolderNames({ addresses }: Pick<Plan, 'addresses'>): (text: string) => string {
  const holders = addresses.flatMap(({ before, after }) =>
    [before, after].flatMap((side) => (side ? [side.holder] : [])),
  );
  const holderOf = new Map<string, string | undefined>();
  for (const holder of new Set(holders)) {
    const short = holderText(holder);
    holderOf.set(short, holderOf.has(short) ? undefined : holder);
  }
  return (text) => {
    const short = holderText(text);
    return holderOf.get(short) === text ? short : text;
  };
}
