import { columns } from '../../../text/print/columns.ts';
import { sanitize } from '../../../text/print/escape.ts';
import type { Paint } from '../../../text/print/problems-text.ts';
import { cautionCodes } from '../caution-codes.ts';
import type {
  AddressChange,
  Caution,
  Plan,
  PlanCommit,
  PlanPlace,
  PlanProblem,
  Verdict,
} from '../plan-answer.ts';
import {
  changeSigns,
  extentText,
  holderPhrase,
  listedPools,
  type ManifestGroup,
  manifestGroups,
  phraseText,
  totalsPhrase,
  verdictWords,
  whatChanges,
} from './plan-words.ts';

/** Options of the terminal output. */
export interface TextOptions {
  /** Shows the manifests with their diffs instead of their number. */
  readonly manifests: boolean;
}

/** A plan for a terminal. Ends in a line break. */
export function planText(plan: Plan, paint: Paint, { manifests }: TextOptions): string {
  const problems = plan.problems.map((problem) => problemText(problem, paint));
  const isBlocked = plan.verdict === 'blocked';
  const blocks = [
    `${verdictText(plan.verdict, paint)}: ${sanitize(plan.summary)}\n`,
    ...(isBlocked ? [problems.join('')] : []),
    poolsText(plan),
    addressesText(plan.addresses, paint),
    cautionsText(plan.cautions, paint),
    ...(isBlocked ? [] : [problems.join('')]),
    manifests ? manifestsText(plan, paint) : extentLine(plan),
    paint.dim(footerText(plan)),
  ];
  return `${blocks.filter((block) => block !== '').join('\n')}\n`;
}

function verdictText(verdict: Verdict, paint: Paint): string {
  const { word } = verdictWords[verdict];
  if (verdict === 'blocked') return paint.red(paint.bold(word));
  if (verdict === 'caution') return paint.yellow(paint.bold(word));
  return verdict === 'routine' ? paint.green(paint.bold(word)) : paint.bold(word);
}

function poolsText({ pools }: Plan): string {
  const listed = listedPools(pools);
  const rest = pools.length - listed.length;
  const lines = listed.map((pool) => `${phraseText(totalsPhrase(pool), sanitize)}\n`);
  return [...lines, ...(rest > 0 ? [`${rest} other pools do not change\n`] : [])].join('');
}

/** One line for each address, with its place and details below. */
function addressesText(addresses: readonly AddressChange[], paint: Paint): string {
  const rows = addresses.map((change) => [
    `${changeSigns[change.change]} ${sanitize(change.address)}`,
    change.change,
    sanitize(change.pool),
    phraseText(holderPhrase(change), sanitize),
  ]);
  const lines = columns(rows).split('\n');
  return addresses
    .map((change, index) => {
      const texts = [placeText(change.at), ...whatChanges(change).map(sanitize)];
      const below = texts.map((text) => `    ${text}\n`);
      return `${colour(lines[index] ?? '', paint)}\n${paint.dim(below.join(''))}`;
    })
    .join('');
}

function colour(line: string, paint: Paint): string {
  if (line.startsWith('+')) return paint.green(line);
  return line.startsWith('-') ? paint.red(line) : line;
}

/** The cautions, with the advice below the last one of each code. */
function cautionsText(cautions: readonly Caution[], paint: Paint): string {
  return cautions
    .map(({ code, message, at }, index) => {
      const isLast = cautions[index + 1]?.code !== code;
      const advice = isLast ? paint.dim(`  ${cautionCodes[code].fix}\n`) : '';
      const place = at === undefined ? '' : ` (${placeText(at)})`;
      return `${paint.yellow(code)} ${sanitize(message)}${place}\n${advice}`;
    })
    .join('');
}

function placeText({ file, line, side }: PlanPlace): string {
  return `${sanitize(file)}:${line}${side === 'base' ? ' (before)' : ''}`;
}

function problemText(problem: PlanProblem, paint: Paint): string {
  const { file, line, column, code, message, also, hint } = problem;
  const place = paint.bold(`${sanitize(file)}:${line}:${column}`);
  const lines = [
    `${place} ${paint.red(code)} ${sanitize(message)}`,
    ...also.map((other) => paint.dim(`  also ${sanitize(other)}`)),
    ...(hint === undefined ? [] : [paint.dim(`  hint: ${sanitize(hint)}`)]),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

function extentLine({ manifests }: Plan): string {
  return manifests.length === 0 ? '' : `manifests: ${extentText(manifests)}\n`;
}

function manifestsText(plan: Plan, paint: Paint): string {
  return manifestGroups(plan)
    .map((group) => groupText(group, paint))
    .join('\n');
}

function groupText({ holder, manifests }: ManifestGroup, paint: Paint): string {
  const whose = holder === undefined ? 'no holder' : sanitize(holder);
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
