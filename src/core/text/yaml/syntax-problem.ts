import type { CST, YAMLParseError } from 'yaml';
import { counted, type Position, type Problem } from '../../model/problem.ts';

/** What the reader knows of a text with a syntax error. */
interface BrokenText {
  readonly text: string;
  readonly tokens: readonly CST.Token[];
  readonly at: (offset: number) => Position;
}

/** What is wrong, where, and what to write. */
interface Finding {
  readonly found: string;
  readonly offset: number;
  readonly hint: string;
}

/**
 * YAML_SYNTAX for an error of the parser, at what a person has to edit: an error shows where the
 * parser gave up, which can be far below a bracket or quote that is open. An error without words of
 * its own keeps those of the parser.
 */
export function syntaxProblem(error: YAMLParseError, broken: BrokenText): Problem {
  const finding = findingOf(error, broken);
  const found = finding?.found ?? error.message.replace(/\.?\s*$/, '').replace(/\s+/g, ' ');
  return {
    code: 'YAML_SYNTAX',
    message: `not well-formed YAML: ${found}`,
    at: broken.at(finding?.offset ?? error.pos[0]),
    ...(finding && { hint: finding.hint }),
  };
}

function findingOf(error: YAMLParseError, broken: BrokenText): Finding | undefined {
  const { code, message, pos } = error;
  const { text } = broken;
  const [offset] = pos;
  if (/^Flow (?:map|sequence) /.test(message)) return openBracket(broken, offset);
  if (/^Missing closing ['"]quote/.test(message)) return openQuote(broken, offset);
  switch (code) {
    case 'TAB_AS_INDENT':
      return { found: 'a tab in the indent', offset, hint: 'write spaces in place of the tab' };
    case 'BAD_SCALAR_START':
      return {
        found: `a value cannot begin with ${text[offset]}`,
        offset,
        hint: 'put the value in quotes',
      };
    case 'UNEXPECTED_TOKEN':
      return unexpected(text, offset);
    case 'BLOCK_IN_FLOW':
      if (text[offset] === '-') return undefined;
      return { found: 'no comma between two fields', offset, hint: 'write a comma between them' };
    case 'MISSING_CHAR':
    case 'MULTILINE_IMPLICIT_KEY':
      return missing(message, text, offset);
    case 'BAD_INDENT':
    case 'BLOCK_AS_IMPLICIT_KEY':
      return misplaced(message, text, offset);
    default:
      return undefined;
  }
}

/** The bracket that was opened last before an offset, of those that nothing closes. */
function openBracket({ text, tokens }: BrokenText, before: number): Finding | undefined {
  let offset: number | undefined;
  eachToken(tokens, (token) => {
    if (token.type !== 'flow-collection' || token.offset > before) return;
    const end = token.start.type.replace('start', 'end');
    const isClosed = token.end.some(({ type }) => type === end);
    if (!isClosed) offset = Math.max(offset ?? 0, token.offset);
  });
  if (offset === undefined) return undefined;
  const [bracket = '', closing] = text[offset] === '{' ? '{}' : '[]';
  return {
    found: `the ${bracket} is not closed`,
    offset,
    hint: `close it with ${closing}; a value with a ${bracket} in it stands in quotes`,
  };
}

function openQuote({ text, tokens }: BrokenText, end: number): Finding | undefined {
  let offset: number | undefined;
  eachToken(tokens, (token) => {
    const isQuoted = token.type === 'single-quoted-scalar' || token.type === 'double-quoted-scalar';
    if (isQuoted && token.offset <= end) offset = Math.max(offset ?? 0, token.offset);
  });
  if (offset === undefined) return undefined;
  const quote = text[offset];
  return { found: `the quote ${quote} is not closed`, offset, hint: `close it with ${quote}` };
}

/** Visits tokens and the tokens in them. The nesting was checked before. */
function eachToken(tokens: readonly CST.Token[], visit: (token: CST.Token) => void): void {
  for (const token of tokens) {
    visit(token);
    if (token.type === 'document' && token.value) eachToken([token.value], visit);
    if (!('items' in token)) continue;
    for (const { key, value } of token.items) {
      eachToken(
        [key, value].filter((part) => part !== undefined && part !== null),
        visit,
      );
    }
  }
}

function unexpected(text: string, offset: number): Finding | undefined {
  const character = text[offset] ?? '';
  if ('}]'.includes(character)) {
    const hint = `remove it; a value with a ${character} in it stands in quotes`;
    return { found: `the ${character} closes nothing`, offset, hint };
  }
  if (!/['"][ \t]*$/.test(text.slice(Math.max(0, offset - 80), offset))) return undefined;
  const found = 'text after the quote that ends the value';
  return { found, offset, hint: 'put the whole value in quotes' };
}

/** A character that is not there: a comma, a space, a dash or a colon. */
function missing(message: string, text: string, offset: number): Finding | undefined {
  if (message.startsWith('Missing , ')) {
    return { found: 'no comma before this', offset, hint: 'write a comma between the entries' };
  }
  if (message.startsWith('Comments must')) {
    return { found: 'no space before the #', offset, hint: 'write a space before the comment' };
  }
  if (message.startsWith('Sequence item')) return misplaced(message, text, offset);
  if (!message.startsWith('Implicit ')) return undefined;
  const line = restOfLine(text, offset);
  const [, key, value] = /^([\w./-]+):([^\s:/].*)$/.exec(line) ?? [];
  if (key !== undefined && value !== undefined) {
    const hint = isShort(line) ? `write ${key}: ${value}` : 'write a space after it';
    return { found: 'no space after the colon', offset, hint };
  }
  if (/:(?:\s|$)/.test(line)) return undefined;
  return { found: 'a line without a colon', offset, hint: 'write a colon after the field' };
}

/** A line in the wrong column, or a second colon in a line. */
function misplaced(message: string, text: string, offset: number): Finding | undefined {
  const line = restOfLine(text, offset);
  if (message.startsWith('Nested mappings')) {
    if (/:(?:\s|$)/.test(line)) {
      const isPlain = isShort(line) && !/['"#]/.test(line);
      const hint = isPlain ? `put the value in quotes: '${line}'` : 'put the value in quotes';
      return { found: 'a second colon in the line', offset, hint };
    }
    const next = text.indexOf('\n', offset);
    const found = 'the line is indented below a field that has a value already';
    return next < 0 ? undefined : inColumn(found, text, next + 1);
  }
  if (message.startsWith('A block sequence')) {
    const found = 'the line begins with a dash, and the field above it does not';
    const { hint, ...place } = inColumn(found, text, offset);
    return { ...place, hint: `remove the dash, or ${hint}` };
  }
  const start = startOfText(text, offset);
  if (/^-[^\s-]/.test(text.slice(start, start + 2))) {
    return { found: 'no space after the dash', offset: start, hint: 'write a space after it' };
  }
  const isInList = linesAbove(text, start).some(({ entry }) => entry === columnOf(text, start));
  const found = isInList
    ? 'the lines above it are a list, and this line has no dash'
    : 'nothing that the line could belong to begins in its column';
  return inColumn(found, text, offset);
}

/** A finding at the first word of a line, with the columns in which it can begin. */
function inColumn(found: string, text: string, offset: number): Finding {
  const start = startOfText(text, offset);
  const column = columnOf(text, start);
  const isEntry = /^-\s/.test(text.slice(start, start + 2));
  const columns = possibleColumns(linesAbove(text, start), isEntry);
  const near = [
    columns.findLast(({ at }) => at > column),
    columns.find(({ at }) => at < column),
  ].filter((one) => one !== undefined);
  const ways = near.map(({ at, line }) => `${indentWords(at)} as line ${line}`);
  const hint = ways.length > 0 ? ways.join(', or ') : 'indent it as the lines that it belongs to';
  return { found, offset: start, hint };
}

function indentWords(columns: number): string {
  if (columns === 0) return 'begin it without an indent';
  return `indent it by ${counted(columns, 'space')}`;
}

/** A line with text: its number, the column of its dash if it has one, and that of its field. */
interface Line {
  readonly number: number;
  readonly entry: number | undefined;
  readonly field: number;
}

/** The most lines that are looked at above a place. */
const mostLines = 1000;

/** The lines with text above a place, the nearest first. */
function linesAbove(text: string, offset: number): readonly Line[] {
  const above = text.slice(0, offset).split('\n').slice(0, -1);
  const first = Math.max(0, above.length - mostLines);
  return above
    .slice(first)
    .flatMap((line, index): Line[] => {
      const [, indent = '', dashes = '', word] = /^( *)((?:- +)*)(\S)?/.exec(line) ?? [];
      if (word === undefined || word === '#') return [];
      const entry = dashes === '' ? undefined : indent.length;
      return [{ number: first + index + 1, entry, field: indent.length + dashes.length }];
    })
    .reverse();
}

/** The columns in which a field, or an entry of a list, can follow the lines, the deepest first. */
function possibleColumns(
  lines: readonly Line[],
  isEntry: boolean,
): readonly { readonly at: number; readonly line: number }[] {
  let limit = Number.POSITIVE_INFINITY;
  return lines.flatMap(({ number, entry, field }) => {
    const at = isEntry ? entry : field;
    const isPossible = at !== undefined && at < limit;
    // A list may begin in the column of the field that has it.
    limit = Math.min(limit, entry === undefined ? field : entry + 1);
    return isPossible ? [{ at, line: number }] : [];
  });
}

function restOfLine(text: string, offset: number): string {
  const [line = ''] = text.slice(offset).split('\n', 1);
  return line.trimEnd();
}

/** The offset of the first word at or after an offset, over empty lines and comments. */
function startOfText(text: string, offset: number): number {
  const skipped = /^(?:[ \t]*(?:#.*)?\r?\n)*[ \t]*/.exec(text.slice(offset));
  return offset + (skipped?.[0].length ?? 0);
}

function columnOf(text: string, offset: number): number {
  return offset - (text.lastIndexOf('\n', offset - 1) + 1);
}

/** True for a text that fits into a hint. */
function isShort(text: string): boolean {
  return text.length <= 60;
}
