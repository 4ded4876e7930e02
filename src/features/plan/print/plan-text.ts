import { columns } from '../../../text/print/columns.ts';
import { sanitize } from '../../../text/print/escape.ts';
import type { Paint } from '../../../text/print/problems-text.ts';
import type { Plan, PlanCommit, PlanPlace, Verdict } from '../plan-answer.ts';
import { poolBar } from './plan-bars.ts';
import {
  cautionGroups,
  type FindingGroup,
  leftText,
  problemGroups,
  shownFindings,
} from './plan-groups.ts';
import {
  type AddressRow,
  addressRows,
  groupHolders,
  type RowGroup,
  rowGroups,
  rowHolder,
  rowSign,
  rowWord,
  sharedDetails,
} from './plan-rows.ts';
import {
  counted,
  extentText,
  listedPools,
  type ManifestGroup,
  manifestGroups,
  phraseText,
  totalsPhrase,
  verdictWords,
} from './plan-words.ts';

/** Options of the terminal output. */
export interface TextOptions {
  /** Shows the manifests with their diffs instead of their number. */
  readonly manifests: boolean;
  /** Shows each address, problem and caution, also where equal ones would be counted. */
  readonly all?: boolean;
}

/** A plan for a terminal, in the order of the comment. Ends in a line break. */
export function planText(plan: Plan, paint: Paint, options: TextOptions): string {
  const { lost, given, kept } = addressRows(plan.addresses);
  const addresses = (rows: readonly AddressRow[]) => addressesText(rows, paint, options);
  const blocks = [
    `${verdictText(plan.verdict, paint)}: ${sanitize(plan.summary)}\n`,
    // Only a blocked plan has problems.
    problemGroups(plan.problems)
      .map((group) => problemsText(group, paint, options))
      .join(''),
    addresses(lost),
    cautionGroups(plan.cautions)
      .map((group) => cautionsText(group, paint, options))
      .join(''),
    poolsText(plan, paint),
    addresses(given),
    addresses(kept),
    options.all || !isShortened(plan) ? '' : paint.dim('leasehold plan --all lists each of them\n'),
    options.manifests ? manifestsText(plan, paint) : extentLine(plan),
    paint.dim(footerText(plan)),
  ];
  return `${blocks.filter((block) => block !== '').join('\n')}\n`;
}

/** True when rows or problems are counted instead of listed. */
function isShortened({ addresses, problems, cautions }: Plan): boolean {
  const { lost, given, kept } = addressRows(addresses);
  const rows = [lost, given, kept].flatMap(rowGroups);
  const findings = [...problemGroups(problems), ...cautionGroups(cautions)];
  return (
    rows.some((group) => group.length > 1) ||
    findings.some((group) => shownFindings(group).left > 0)
  );
}

function verdictText(verdict: Verdict, paint: Paint): string {
  const { word } = verdictWords[verdict];
  if (verdict === 'blocked') return paint.red(paint.bold(word));
  if (verdict === 'caution') return paint.yellow(paint.bold(word));
  return verdict === 'routine' ? paint.green(paint.bold(word)) : paint.bold(word);
}

/** The columns of a pool's bar. */
const barLength = 10;

function poolsText({ pools }: Plan, paint: Paint): string {
  const listed = listedPools(pools);
  const rest = pools.length - listed.length;
  const lines = listed.map((pool) => {
    const bar = poolBar(pool, barLength).replace(/[+]+/, paint.green).replace(/-+/, paint.red);
    return `${bar}  ${phraseText(totalsPhrase(pool), sanitize)}\n`;
  });
  return [...lines, ...(rest > 0 ? [`${rest} other pools do not change\n`] : [])].join('');
}

/** A line for each address, or for several equal ones, with place and details below. */
function addressesText(rows: readonly AddressRow[], paint: Paint, { all }: TextOptions): string {
  const groups = all ? rows.map((row): RowGroup => [row]) : rowGroups(rows);
  const lines = columns(groups.map(groupCells)).split('\n');
  return groups
    .map((group, index) => {
      const below = groupDetails(group).map((text) => `    ${text}\n`);
      return `${colour(lines[index] ?? '', paint)}\n${paint.dim(below.join(''))}`;
    })
    .join('');
}

function groupCells(group: RowGroup): string[] {
  const [row] = group;
  const holders = groupHolders(group);
  const { address, pool } = row.change;
  const shown = group.length === 1 ? address : `${group.length} addresses`;
  return [
    `${rowSign(row)} ${sanitize(shown)}`,
    rowWord(row),
    sanitize(pool),
    holders === undefined ? phraseText(rowHolder(row), sanitize) : counted(holders, 'holder'),
  ];
}

function groupDetails(group: RowGroup): readonly string[] {
  const [row] = group;
  const left = group.length - 1;
  const last = group.at(-1) ?? row;
  const ends = `${sanitize(row.change.address)} … ${sanitize(last.change.address)}`;
  return [
    ...(left === 0 ? [] : [ends]),
    `${placeText(row.change.at)}${left === 0 ? '' : ` and ${left} more`}`,
    ...sharedDetails(group).map(sanitize),
  ];
}

function colour(line: string, paint: Paint): string {
  if (line.startsWith('+')) return paint.green(line);
  if (line.startsWith('→')) return paint.yellow(line);
  return line.startsWith('-') ? paint.red(line) : line;
}

/** A line for each problem, as `leasehold check` prints it, and the hint below the last one. */
function problemsText(group: FindingGroup, paint: Paint, { all }: TextOptions): string {
  const shown = shownFindings(group, all);
  const lines = shown.messages
    .flat()
    .flatMap(({ message, place, column, also }) => [
      `${paint.bold(place === undefined ? '' : placeText(place, column))} ${paint.red(group.code)} ${sanitize(message)}`,
      ...also.map((other) => paint.dim(`  also ${sanitize(other)}`)),
    ]);
  const hint = group.advice === undefined ? '' : `hint: ${group.advice}`;
  return groupText([...lines, leftText(shown)], hint, paint);
}

/** A line for each caution of a code, and the advice below the last one. */
function cautionsText(group: FindingGroup, paint: Paint, { all }: TextOptions): string {
  const shown = shownFindings(group, all);
  const lines = shown.messages.flat().map(({ message, place }) => {
    const at = place === undefined ? '' : ` (${placeText(place)})`;
    return `${paint.yellow(group.code)} ${sanitize(message)}${at}`;
  });
  return groupText([...lines, leftText(shown)], group.advice ?? '', paint);
}

function groupText(lines: readonly string[], advice: string, paint: Paint): string {
  return [...lines, advice === '' ? '' : paint.dim(`  ${sanitize(advice)}`)]
    .filter((line) => line !== '')
    .map((line) => `${line}\n`)
    .join('');
}

function placeText({ file, line, side }: PlanPlace, column?: number): string {
  const at = column === undefined ? `${line}` : `${line}:${column}`;
  return `${sanitize(file)}:${at}${side === 'base' ? ' (before)' : ''}`;
}

function extentLine({ manifests }: Plan): string {
  return manifests.length === 0 ? '' : `manifests: ${extentText(manifests)}\n`;
}

function manifestsText(plan: Plan, paint: Paint): string {
  return manifestGroups(plan)
    .map((group) => holderManifests(group, paint))
    .join('\n');
}

function holderManifests({ holder, manifests }: ManifestGroup, paint: Paint): string {
  const whose = holder === undefined ? 'shared objects' : sanitize(holder);
  const files = manifests.map(({ path, movedFrom, objects, diff }) => {
    const from = movedFrom === undefined ? '' : `, moved from ${sanitize(movedFrom)}`;
    const names = objects.map(({ action, object }) => `  ${action} ${sanitize(object)}\n`);
    return `  ${sanitize(path)}${from}\n${names.join('')}${diffText(diff, paint)}`;
  });
  return `${paint.bold(whose)}: ${extentText(manifests)}\n${files.join('')}`;
}

function diffText(diff: string, paint: Paint): string {
  if (diff === '') return '';
  return diff
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => sanitize(line).trimEnd())
    .map((line) => (line === '' ? '\n' : `    ${diffLine(line, paint)}\n`))
    .join('');
}

function diffLine(line: string, paint: Paint): string {
  if (line.startsWith('@@')) return paint.cyan(line);
  return colour(line, paint);
}

function footerText({ base, head, digest }: Plan): string {
  const to = head.uncommitted ? 'working tree on ' : '';
  return `base   ${commitText(base)}\nhead   ${to}${commitText(head)}\ndigest ${sanitize(digest)}`;
}

function commitText({ commit, day }: PlanCommit): string {
  return `${sanitize(commit)} (${sanitize(day)})`;
}
