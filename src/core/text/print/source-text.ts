import type { Position } from '../../model/problem.ts';
import { visible } from './escape.ts';

/** A quoted value, a value in brackets, or a word without the punctuation around it: what a mark is under. */
const marked = /^(?:'[^']*'|"[^"]*"|\{[^{}]*\}|\[[^[\]]*\]|[^\s,[\]{}]*[^\s,[\]{}:]|.)/;

/** Characters that a terminal shows in two columns, roughly. */
const wideCharacter =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}]/u;

/**
 * A line of a file and a mark under a place of it, as compilers print them: `  14 | port: 0` above
 * `     |       ^`. A line that is too long is cut on both sides of the place. Characters that a
 * terminal does not show are escaped: the line can come from a tenant.
 */
export function sourceText(
  line: string,
  { line: number, column }: Position,
  width: number,
): readonly string[] {
  const gutter = `  ${number} | `;
  const room = Math.max(width - gutter.length, 20);
  const at = visible(line.slice(0, column - 1)).length;
  const length = visible(marked.exec(line.slice(column - 1))?.[0] ?? ' ').length;
  const whole = visible(line).trimEnd();
  const start =
    whole.length <= room
      ? 0
      : Math.max(0, Math.min(at - Math.floor(room / 2), whole.length - room));
  const end = start + room;
  const shown = [
    start > 0 ? '…' : '',
    whole.slice(start > 0 ? start + 1 : 0, end < whole.length ? end - 1 : end),
    end < whole.length ? '…' : '',
  ].join('');
  const before = columnsOf(shown.slice(0, at - start));
  const mark = '^'.repeat(Math.max(1, Math.min(length, room - (at - start))));
  return [`${gutter}${shown}`, `${' '.repeat(gutter.length - 2)}| ${' '.repeat(before)}${mark}`];
}

/** The columns that a text takes on a terminal. */
function columnsOf(text: string): number {
  return [...text].reduce((sum, character) => sum + (wideCharacter.test(character) ? 2 : 1), 0);
}
