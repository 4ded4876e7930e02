import { CST, Lexer } from 'yaml';

/** More of them in one text stay as they are: each is looked for from the beginning. */
const mostRepairs = 16;

/** A line is indented by no more than two for each level that is read. */
const mostIndent = 64;

/** A quoted text as a whole, from its quote to the one that closes it. */
const quoted = /(?:'[^']*(?:''[^']*)*'|"[^"\\]*(?:\\.[^"\\]*)*")/sy;

/**
 * A text of YAML in which each line that goes on with a quoted text is indented as YAML 1.2 asks for. The parsers that
 * Akash's tenants and providers use ask for no indentation there (yaml.v3, js-yaml), and what is quoted means the same with any.
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

/** Where the first quoted text begins that the lexer ends at the end of a line. */
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

/** What the lexer puts between lexemes, and is no part of the text. A scalar mark stands before what has no quotes. */
const marks: readonly string[] = [CST.DOCUMENT, CST.FLOW_END, CST.SCALAR];

/** Indents the lines of the quoted text at `start`; leaves all as it is where that does not end, or a document ends in it. */
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
