import { sanitize } from '../../../text/print/escape.ts';
import type { PlanPlace } from '../plan-answer.ts';
import { type LinkOf, safeLink } from './plan-links.ts';

/** Longer names are cut. */
const longestName = 300;

/** Longer sentences are cut. */
const longestSentence = 2_000;

/**
 * A text as a code span: GitHub and GitLab look for no markup, mentions, references or links in it.
 * CommonMark §6.1: the delimiter is longer than any run of backticks inside.
 */
export function codeSpan(text: string, most = longestName): string {
  const shown = clipped(sanitize(text), most);
  if (shown === '') return '–';
  const delimiter = '`'.repeat(longestRun(shown) + 1);
  const space = /^[` ]|[` ]$/.test(shown) ? ' ' : '';
  return `${delimiter}${space}${shown}${space}${delimiter}`;
}

/**
 * Tokens that need no escape: a word, a short number, a day or an arrow, with punctuation around it. None
 * of these is markup, a mention, a reference, a shortcode or a link on any forge.
 */
const harmless =
  /^["'(]*(?:\p{L}[\p{L}\p{M}\d]*(?:['-][\p{L}\p{M}]+)*|\d{1,6}|\d{4}-\d{2}-\d{2}|[→·–%])["').,;:!?…]*$/u;

/** Seven or more hexadecimal digits may be the name of a commit, which GitHub would link. */
const likeCommit = /[0-9a-f]{7}/i;

/** Punctuation that stays outside the code span. A `::` at the end belongs to an IPv6 address. */
const around = /^(["'(]*)(.*?)((?:["').,;!?…]|(?<!:):(?!:))*)$/su;

/**
 * A sentence as Markdown for the middle of a line: a command becomes one code span, and so does every other
 * token that is not plainly a word.
 */
export function sentence(text: string): string {
  return sentenceTokens(clipped(sanitize(text), longestSentence))
    .map((token) =>
      'command' in token
        ? `${codeSpan(token.command, longestSentence)}${token.after}`
        : wordText(token.word),
    )
    .join(' ');
}

function wordText(word: string): string {
  if (harmless.test(word) && !likeCommit.test(word)) return word;
  const [, before = '', inner = '', after = ''] = around.exec(word) ?? [];
  return inner === '' ? codeSpan(word) : `${before}${codeSpan(inner)}${after}`;
}

/**
 * Markdown as the content of a table cell. GFM splits rows at `|` before it parses anything else. Parsers
 * disagree about `\\|`, so backslashes before a `|` become `?`.
 */
export function tableCell(markdown: string): string {
  return markdown.replace(/\\+(?=\|)/g, '?').replaceAll('|', '\\|');
}

/**
 * Lines of a unified diff as a code block; the fence is longer than any run of backticks inside. Each line
 * begins with a sign: GitLab runs a line with a leading `/` as a quick action when it disagrees with Markdown
 * about the end of the block.
 */
export function diffBlock(diff: string): string {
  const lines = diff.replace(/\n$/, '').split('\n').map(sanitize).map(signed).join('\n');
  const fence = '`'.repeat(Math.max(3, longestRun(lines) + 1));
  return `${fence}diff\n${lines}\n${fence}\n`;
}

function signed(line: string): string {
  return line === '' || /^[ +\-@\\]/.test(line) ? line : ` ${line}`;
}

/** `file:line`, as a link if it has one. A place in the base is marked. */
export function placeLink(place: PlanPlace, linkOf: LinkOf, column?: number): string {
  const at = column === undefined ? `${place.line}` : `${place.line}:${column}`;
  return linkTo(place, linkOf, `${clipped(place.file, longestName - 40)}:${at}`);
}

/** The same, without the part of the path that all files below `leases/` share. */
export function shortPlaceLink(place: PlanPlace, linkOf: LinkOf): string {
  const name = place.file.replace(/^leases\/(allocations\/([^/]+\/)+)?/, '');
  return linkTo(place, linkOf, `${clipped(name, longestName - 40)}:${place.line}`);
}

function linkTo(place: PlanPlace, linkOf: LinkOf, shown: string): string {
  const url = safeLink(place, linkOf)?.replaceAll('&', '&amp;');
  const link = url === undefined ? codeSpan(shown) : `[${codeSpan(shown)}](${url})`;
  return place.side === 'base' ? `${link} (before)` : link;
}

/** The text cut to at most `most` UTF-16 units, never inside a surrogate pair. */
export function clipped(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = /[\ud800-\udbff]/.test(text.charAt(most - 2)) ? most - 2 : most - 1;
  return `${text.slice(0, Math.max(0, end))}…`;
}

function longestRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}

/** A word of a sentence, or a whole command in it, with the punctuation that follows the command. */
export type SentenceToken =
  | { readonly word: string }
  | { readonly command: string; readonly after: string };

/** The programs that hints name, with those of their commands that hints name. */
const programs: Readonly<Record<string, ReadonlySet<string>>> = {
  git: new Set('add checkout commit fetch merge restore rm stash status switch'.split(' ')),
  leasehold: new Set(
    'check cleanup comment explain key list map move pin plan prune release resolve synth verify'.split(
      ' ',
    ),
  ),
};

/** Commands that a plain word follows: a ref, a code, a pool or a subcommand. */
const takesWord: ReadonlySet<string> = new Set(
  'checkout merge switch explain key map release'.split(' '),
);

/** Options without a value. */
const flags: ReadonlySet<string> = new Set(
  '--abort --cached --no-base --ours --staged --theirs --worktree'.split(' '),
);

/** Words of a sentence that cannot be the argument of a command. */
const sentenceWord =
  /^(?:a|again|and|first|for|in|instead|it|of|on|or|that|the|them|then|to|with)$/;

/**
 * Splits a sentence at its spaces, but keeps each command whole. A command ends at punctuation, and before a
 * word that is no argument.
 */
export function sentenceTokens(text: string): readonly SentenceToken[] {
  const words = text.split(' ').filter((word) => word !== '');
  const tokens: SentenceToken[] = [];
  for (let index = 0; index < words.length; ) {
    const end = commandEnd(words, index);
    if (end > index) {
      const whole = words.slice(index, end).join(' ');
      const command = whole.replace(punctuation, '');
      tokens.push({ command, after: whole.slice(command.length) });
    } else tokens.push({ word: words[index] ?? '' });
    index = Math.max(end, index + 1);
  }
  return tokens;
}

/** Punctuation at the end of a word of a sentence. */
const punctuation = /[,;:.)?]+$/;

/** The index after the last word of the command that begins here; 0 when none does. */
function commandEnd(words: readonly string[], start: number): number {
  let end = afterName(words, start);
  while (end > 0 && end < words.length && !punctuation.test(words[end - 1] ?? '')) {
    const chained = words[end] === '&&' ? afterName(words, end + 1) : 0;
    if (chained === 0 && !isArgument(words, end)) break;
    end = chained > 0 ? chained : afterArgument(words, end);
  }
  return end;
}

/** The index after a program and its command; 0 when there is none. */
function afterName(words: readonly string[], start: number): number {
  const command = (words[start + 1] ?? '').replace(punctuation, '');
  return programs[words[start] ?? '']?.has(command) ? start + 2 : 0;
}

function isArgument(words: readonly string[], index: number): boolean {
  const word = (words[index] ?? '').replace(punctuation, '');
  const before = words[index - 1] ?? '';
  if (word === '' || sentenceWord.test(word)) return false;
  if (before.startsWith('--') && !before.includes('=') && !flags.has(before)) return true;
  return takesWord.has(before) || /^[-']|[/._=\d]|^[A-Z]{2,}$|^(?:dist|leases)$/.test(word);
}

/** The index after an argument, which can be quoted and have spaces. */
function afterArgument(words: readonly string[], start: number): number {
  if (!words[start]?.startsWith("'")) return start + 1;
  const last = words.findIndex((word, index) => index >= start && /.'[,;:.)?]*$/.test(word));
  return (last < 0 ? start : last) + 1;
}
