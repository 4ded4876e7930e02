import { CST, Lexer } from 'yaml';

/** The most quoted strings that are repaired: each search starts at the beginning. */
const mostRepairs = 16;

/** The largest indent: two for each level that is read. */
const mostIndent = 64;

/** A quoted string with its quotes. */
const quoted = /(?:'[^']*(?:''[^']*)*'|"[^"\\]*(?:\\.[^"\\]*)*")/sy;

/**
 * Indents the continuation lines of quoted strings, as YAML 1.2 requires. The parsers of Akash's
 * tenants and providers (yaml.v3, js-yaml) do not require it, and the value of a quoted string is
 * the same with any indent.
 */
export function indentQuotes(text: string): string {
  let indented = text;
  for (let repairs = 0; repairs < mostRepairs; repairs += 1) {
    const start = brokenQuote(indented);
    const next = start === undefined ? indented : indentedFrom(indented, start);
    if (next === indented) break;
    indented = next;
  }
  return indented;
}

/** The start of the first quoted string that the lexer ends at a line break. */
function brokenQuote(text: string): number | undefined {
  let offset = 0;
  let last = '';
  for (const lexeme of new Lexer().lex(text)) {
    const isQuoted = last !== CST.SCALAR && /^['"]/.test(lexeme);
    if (isQuoted && quotedAt(lexeme, 0) !== lexeme) return offset;
    if (!marks.includes(lexeme)) offset += lexeme.length;
    last = lexeme;
  }
  return undefined;
}

/** Marks that the lexer adds between lexemes. A scalar mark precedes a scalar without quotes. */
const marks: readonly string[] = [CST.DOCUMENT, CST.FLOW_END, CST.SCALAR];

/**
 * Indents the lines of the quoted string at `start`. Returns the text unchanged if the string is
 * not closed, or contains a document end.
 */
function indentedFrom(text: string, start: number): string {
  const whole = quotedAt(text, start);
  if (whole === undefined || /\n(?:---|\.\.\.)(?:\s|$)/.test(whole)) return text;
  const [beginning = ''] = /^ *(?:- +)*/.exec(text.slice(text.lastIndexOf('\n', start) + 1)) ?? [];
  const indent = beginning.length + 1;
  if (indent > mostIndent) return text;
  const lines = whole.replace(/(?<=\n) *(?=[^ \r\n])/g, (spaces) => spaces.padEnd(indent));
  return text.slice(0, start) + lines + text.slice(start + whole.length);
}

function quotedAt(text: string, start: number): string | undefined {
  quoted.lastIndex = start;
  return quoted.exec(text)?.[0];
}
