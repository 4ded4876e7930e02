import { plain } from '../../../text/print/plain.ts';
import type { PlanPlace } from '../plan-answer.ts';
import { type LinkOf, safeLink } from './plan-links.ts';

/** Longer names than this are of no help to a reader. */
const longestName = 300;

/** Longer sentences than this are of no help to a reader. */
const longestSentence = 2_000;

/**
 * A text as a code span, in which neither GitHub nor GitLab looks for markup, mentions, references or
 * addresses. CommonMark §6.1: the delimiter is longer than any run of backticks inside.
 */
export function codeSpan(text: string): string {
  const shown = clipped(plain(text), longestName);
  if (shown === '') return '–';
  const delimiter = '`'.repeat(longestRun(shown) + 1);
  const space = /^[` ]|[` ]$/.test(shown) ? ' ' : '';
  return `${delimiter}${space}${shown}${space}${delimiter}`;
}

/**
 * What can stand in a sentence as it is: a word, a short number, a day, an arrow, with punctuation
 * around it. Nothing of this is markup, a mention, a reference, a shortcode or an address anywhere.
 */
const harmless =
  /^["'(]*(?:\p{L}[\p{L}\p{M}\d]*(?:['-][\p{L}\p{M}]+)*|\d{1,6}|\d{4}-\d{2}-\d{2}|[→·–%])["').,;:!?…]*$/u;

/** Seven or more hexadecimal digits may be the name of a commit, which GitHub would link. */
const likeCommit = /[0-9a-f]{7}/i;

/** Punctuation that stays outside the code span of what it stands around. Two colons end an IPv6 address. */
const around = /^(["'(]*)(.*?)((?:["').,;!?…]|(?<!:):(?!:))*)$/su;

/**
 * A sentence as Markdown for the middle of a line: every part of it that is not plainly a word becomes a
 * code span.
 */
export function sentence(text: string): string {
  return clipped(plain(text), longestSentence)
    .split(' ')
    .filter((token) => token !== '')
    .map((token) => {
      if (harmless.test(token) && !likeCommit.test(token)) return token;
      const [, before = '', inner = '', after = ''] = around.exec(token) ?? [];
      return inner === '' ? codeSpan(token) : `${before}${codeSpan(inner)}${after}`;
    })
    .join(' ');
}

/**
 * Markdown as it stands in a cell of a table. GFM splits rows at `|` before it looks at anything else,
 * and readers disagree about `\\|`: there the backslash is not shown.
 */
export function tableCell(markdown: string): string {
  return markdown.replace(/\\+(?=\|)/g, '?').replaceAll('|', '\\|');
}

/**
 * Lines of a unified diff as a block of code; the fence is longer than any run of backticks inside. Each line
 * keeps its sign: GitLab takes one that begins with `/` for a command, also where its own idea of where a
 * block ends is not Markdown's.
 */
export function diffBlock(diff: string): string {
  const lines = diff.replace(/\n$/, '').split('\n').map(plain).map(signed).join('\n');
  const fence = '`'.repeat(Math.max(3, longestRun(lines) + 1));
  return `${fence}diff\n${lines}\n${fence}\n`;
}

function signed(line: string): string {
  return line === '' || /^[ +\-@\\]/.test(line) ? line : ` ${line}`;
}

/** `file:line` as a link, or without one. The side that is gone says so. */
export function placeLink(place: PlanPlace, linkOf: LinkOf, column?: number): string {
  const at = column === undefined ? `${place.line}` : `${place.line}:${column}`;
  return linkTo(place, linkOf, `${clipped(place.file, longestName - 40)}:${at}`);
}

/** The same with as much of the path as tells one file below `leases/` from another. */
export function shortPlaceLink(place: PlanPlace, linkOf: LinkOf): string {
  const name = place.file.replace(/^leases\/(allocations\/([^/]+\/)+)?/, '');
  return linkTo(place, linkOf, `${clipped(name, longestName - 40)}:${place.line}`);
}

function linkTo(place: PlanPlace, linkOf: LinkOf, shown: string): string {
  const url = safeLink(place, linkOf)?.replaceAll('&', '&amp;');
  const link = url === undefined ? codeSpan(shown) : `[${codeSpan(shown)}](${url})`;
  return place.side === 'base' ? `${link} (before)` : link;
}

/** The first so many characters, never half of one. */
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
