import type { PlanPlace } from '../../core/run/plan/plan-answer.ts';
import { sanitize } from '../../core/text/print/escape.ts';
import { sentenceTokens } from '../../core/text/print/sentence.ts';
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
 * Tokens that need no escape: a word, a short number, a day or an arrow, with punctuation around
 * it. None of these is markup, a mention, a reference, a shortcode or a link on any forge.
 */
const harmless =
  /^["'(]*(?:\p{L}[\p{L}\p{M}\d]*(?:['-][\p{L}\p{M}]+)*|\d{1,6}|\d{4}-\d{2}-\d{2}|[→·–%])["').,;:!?…]*$/u;

/** Seven or more hexadecimal digits may be the name of a commit, which GitHub would link. */
const likeCommit = /[0-9a-f]{7}/i;

/** Punctuation that stays outside the code span. A `::` at the end belongs to an IPv6 address. */
const around = /^(["'(]*)(.*?)((?:["').,;!?…]|(?<!:):(?!:))*)$/su;

/** At the beginning of a line, a number that begins a list. */
const likeList = /^\d+[.)]/;

/**
 * A sentence as Markdown: a command becomes one code span, and so does every other token that is
 * not plainly a word.
 */
export function sentence(text: string): string {
  return sentenceTokens(clipped(sanitize(text), longestSentence))
    .map((token, index) =>
      'command' in token
        ? `${token.before}${codeSpan(token.command, longestSentence)}${token.after}`
        : wordText(token.word, index === 0),
    )
    .join(' ');
}

function wordText(word: string, isFirst: boolean): string {
  if (isFirst && likeList.test(word)) return codeSpan(word);
  if (harmless.test(word) && !likeCommit.test(word)) return word;
  const [, before = '', inner = '', after = ''] = around.exec(word) ?? [];
  return inner === '' ? codeSpan(word) : `${before}${codeSpan(inner)}${after}`;
}

/**
 * Lines of a unified diff as a code block; the fence is longer than any run of backticks inside.
 * Each line begins with a sign: GitLab runs a line with a leading `/` as a quick action when it
 * disagrees with Markdown about the end of the block.
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
  const shown = `${clipped(place.file, longestName - 40)}:${at}`;
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
