import { counted } from '../../../model/problem.ts';
import { sanitize } from '../../../text/print/escape.ts';
import { type Paint, pipeWidth } from '../../../text/print/problems-text.ts';
import { sourceText } from '../../../text/print/source-text.ts';
import { type Column, type TableStyle, tableText } from '../../../text/print/table.ts';
import { indentedText } from '../../../text/print/wrap.ts';
import type { LineAt } from '../../../tree/source-line.ts';
import { groupText, objectGroups } from '../objects/object-groups.ts';
import type { Plan, PlanCommit, PlanPlace, PoolTotals } from '../plan-answer.ts';
import { poolBar } from './plan-bars.ts';
import {
  cautionGroups,
  type Finding,
  type FindingGroup,
  omittedText,
  problemGroups,
  shownFindings,
} from './plan-groups.ts';
import {
  type AddressRow,
  groupHolders,
  planRows,
  type RowGroup,
  rowGroups,
  rowHolder,
  rowSign,
  rowsText,
  rowWord,
  sharedDetails,
} from './plan-rows.ts';
import {
  extentText,
  listedFields,
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
  /** The lines of the reviewed files, to be shown below problems. */
  readonly lineAt?: LineAt | undefined;
}

/** At most this many groups of objects with cosmetic changes are listed. */
const mostCosmetic = 3;

/** A plan for a terminal, in the order of the comment. Ends in a line break. */
export function planText(plan: Plan, style: TableStyle, options: TextOptions): string {
  const { paint } = style;
  const { lost, given, kept } = planRows(plan);
  const addresses = (rows: readonly AddressRow[]) => addressesText(rows, style, options);
  const blocks = [
    verdictText(plan, style),
    // Only a blocked plan has problems.
    problemGroups(plan.problems)
      .map((group) => problemsText(group, style, options))
      .join(''),
    addresses(lost),
    cautionGroups(plan.cautions)
      .map((group) => cautionsText(group, style, options))
      .join(''),
    poolsText(plan, style),
    addresses(given),
    addresses(kept),
    options.all || !isShortened(plan)
      ? ''
      : paint.dim('`leasehold plan --all` lists each of them\n'),
    options.manifests ? manifestsText(plan, paint) : extentLine(plan, style, options),
    paint.dim(footerText(plan)),
  ];
  return `${blocks.filter((block) => block !== '').join('\n')}\n`;
}

/** True when rows or problems are counted instead of listed. */
function isShortened(plan: Plan): boolean {
  const { problems, cautions } = plan;
  const { lost, given, kept } = planRows(plan);
  const rows = [lost, given, kept].flatMap(rowGroups);
  const findings = [...problemGroups(problems), ...cautionGroups(cautions)];
  return (
    rows.some((group) => group.length > 1) ||
    findings.some((group) => shownFindings(group).omitted > 0)
  );
}

function verdictText({ verdict, summary }: Plan, { paint, width }: TableStyle): string {
  const { word } = verdictWords[verdict];
  const colors = { blocked: paint.red, caution: paint.yellow, routine: paint.green };
  const color = verdict === 'no change' ? String : colors[verdict];
  return indentedText(`${word}: ${summary}`, 0, width).replace(word, color(paint.bold(word)));
}

/** The columns of a pool's bar. */
const barLength = 10;

const poolColumns: readonly Column<PoolTotals>[] = [
  {
    name: 'BAR',
    cell: (pool) => poolBar(pool, barLength),
    color: (_, paint) => (bar) => bar.replace(/[+]+/, paint.green).replace(/-+/, paint.red),
  },
  {
    name: 'POOL',
    cell: (pool) => phraseText(totalsPhrase(pool), sanitize),
    prose: 'wrap',
  },
];

function poolsText({ pools }: Plan, style: TableStyle): string {
  const listed = listedPools(pools);
  const rest = pools.length - listed.length;
  const table = tableText(poolColumns, listed, { ...style, untitled: true });
  return `${table}${rest > 0 ? `${rest} other pools do not change\n` : ''}`;
}

const addressColumns: readonly Column<RowGroup>[] = [
  { name: 'ADDRESS', cell: groupAddress, color: groupColor },
  { name: 'CHANGE', cell: ([row]) => rowWord(row), color: groupColor },
  { name: 'POOL', cell: ([{ change }]) => change.pool, color: groupColor, drop: 1 },
  { name: 'HOLDER', cell: groupHolder, color: groupColor, prose: 'wrap' },
];

/** A line for each address, or for several equal ones, with place and details below. */
function addressesText(
  rows: readonly AddressRow[],
  style: TableStyle,
  { all }: TextOptions,
): string {
  const groups = all ? rows.map((row): RowGroup => [row]) : rowGroups(rows);
  return tableText(addressColumns, groups, { ...style, untitled: true }, (group) =>
    style.paint.dim(
      groupDetails(group)
        .map((text) => `    ${text}\n`)
        .join(''),
    ),
  );
}

function groupAddress(group: RowGroup): string {
  const [row] = group;
  const shown = group.length === 1 ? row.change.address : rowsText(group);
  return `${rowSign(row)} ${shown}`;
}

function groupHolder(group: RowGroup): string {
  const holders = groupHolders(group);
  if (holders !== undefined) return counted(holders, 'holder');
  return phraseText(rowHolder(group[0]), sanitize);
}

function groupColor([row]: RowGroup, paint: Paint): (text: string) => string {
  return signColor(rowSign(row), paint);
}

function groupDetails(group: RowGroup): readonly string[] {
  const [row] = group;
  const omitted = group.length - 1;
  const last = group.at(-1) ?? row;
  const ends = `${sanitize(row.change.address)} … ${sanitize(last.change.address)}`;
  return [
    ...(omitted === 0 ? [] : [ends]),
    `${placeText(row.change.at)}${omitted === 0 ? '' : ` and ${omitted} more`}`,
    ...sharedDetails(group).map(sanitize),
  ];
}

function signColor(sign: string, paint: Paint): (text: string) => string {
  if (sign === '+') return paint.green;
  if (sign === '→') return paint.yellow;
  return sign === '-' ? paint.red : String;
}

/** A line for each problem, as `leasehold check` prints it, and the hint below the last one. */
function problemsText(
  group: FindingGroup,
  { paint, width }: TableStyle,
  { all, lineAt }: TextOptions,
): string {
  const shown = shownFindings(group, all);
  const lines = shown.messages.flat().flatMap((finding) => {
    const { message, place, column, also } = finding;
    return [
      `${paint.bold(place === undefined ? '' : placeText(place, column))} ${paint.red(group.code)} ${sanitize(message)}`,
      ...sourceOf(finding, lineAt, width).map(paint.dim),
      ...also.map((other) => paint.dim(`  also ${sanitize(other)}`)),
    ];
  });
  const more = omittedText(shown);
  const hint = group.advice === undefined ? [] : [paint.dim(`  hint: ${sanitize(group.advice)}`)];
  return [...lines, ...(more === '' ? [] : [more]), ...hint].map((line) => `${line}\n`).join('');
}

/** The line of a problem with its mark. */
function sourceOf(
  { place, column = 1 }: Finding,
  lineAt: LineAt | undefined,
  width = pipeWidth,
): readonly string[] {
  if (!place || !lineAt) return [];
  const at = { ...place, column };
  const line = lineAt(at);
  return line === undefined ? [] : sourceText(line, at, width);
}

/** Each caution of a code, and the advice below the last one. */
function cautionsText(
  group: FindingGroup,
  { paint, width }: TableStyle,
  { all }: TextOptions,
): string {
  const shown = shownFindings(group, all);
  const cautions = shown.messages.flat().map(({ message, place }) => {
    const at = place === undefined ? '' : ` (${placeText(place)})`;
    const text = indentedText(`${group.code} ${message}${at}`, 0, width);
    return text.replace(group.code, paint.yellow(group.code));
  });
  const more = omittedText(shown);
  const advice =
    group.advice === undefined ? [] : [paint.dim(indentedText(group.advice, 2, width))];
  return [...cautions, ...(more === '' ? [] : [`${more}\n`]), ...advice].join('');
}

function placeText({ file, line, side }: PlanPlace, column?: number): string {
  const at = column === undefined ? `${line}` : `${line}:${column}`;
  return `${sanitize(file)}:${at}${side === 'base' ? ' (before)' : ''}`;
}

/** The extent of the manifests, and what changes in them without a caution. */
function extentLine({ manifests }: Plan, { width }: TableStyle, { all }: TextOptions): string {
  if (manifests.length === 0) return '';
  const groups = objectGroups(manifests, 'cosmetic');
  const shown = all ? groups : groups.slice(0, mostCosmetic);
  const lines = shown.map((group) => indentedText(`cosmetic: ${groupText(group)}`, 2, width));
  const omitted = groups.length - shown.length;
  const more = omitted === 0 ? '' : `  and ${omitted} more\n`;
  return `manifests: ${extentText(manifests)}\n${lines.join('')}${more}`;
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
    const names = objects.flatMap((change) => [
      `  ${change.action} ${sanitize(change.object)}\n`,
      ...listedFields(change).map((text) => `    ${sanitize(text)}\n`),
    ]);
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
  return signColor(line.slice(0, 1), paint)(line);
}

function footerText({ base, head, digest }: Plan): string {
  const to = head.uncommitted ? 'working tree on ' : '';
  return `base   ${commitText(base)}\nhead   ${to}${commitText(head)}\ndigest ${sanitize(digest)}`;
}

function commitText({ commit, day }: PlanCommit): string {
  return `${sanitize(commit)} (${sanitize(day)})`;
}
