import { type CST, Lexer, Parser } from 'yaml';
import type { Position, Problem } from '../../model/problem.ts';
import { mostProblems } from './yaml-text.ts';

/** The deepest nesting of mappings and lists that is read. */
export const deepestNesting = 32;

/** The anchors and aliases of a document: none, or at most a number of aliases. */
export type AliasRule = 'refused' | number;

/** The tags of a document. Tags that are not of YAML's core schema are ignored. */
export type TagRule = 'refused' | 'allowed';

type Collection = CST.BlockMap | CST.BlockSequence | CST.FlowCollection;

interface Visit {
  readonly rule: AliasRule;
  readonly tags: TagRule;
  readonly at: (offset: number) => Position;
  readonly problems: Problem[];
  aliases: number;
  isTooDeep: boolean;
}

/**
 * The tokens of a text. Stops at a nesting that is far too deep, because the parser needs time by
 * the square of the depth, and after more errors than are reported. The tokens up to there are
 * rejected later.
 */
export function tokensOf(text: string, onNewLine: (offset: number) => void): readonly CST.Token[] {
  const parser = new Parser(onNewLine);
  const tokens: CST.Token[] = [];
  let errors = 0;
  onNewLine(0);
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) {
      tokens.push(token);
      if (token.type === 'error') errors += 1;
    }
    if (parser.stack.length > 2 * deepestNesting || errors > mostProblems) break;
  }
  for (const token of parser.end()) tokens.push(token);
  return tokens;
}

/**
 * Checks the tokens of a file before values are built from them. Problems, in the order of the
 * file: YAML_DEPTH (the first place only), YAML_TAG, YAML_ALIAS and, for directives, YAML_SYNTAX.
 * Stops at the deepest allowed nesting, so that the stack is not exhausted.
 */
export function checkTokens(
  tokens: readonly CST.Token[],
  rule: AliasRule,
  at: (offset: number) => Position,
  tags: TagRule = 'refused',
): Problem[] {
  const visit: Visit = { rule, tags, at, problems: [], aliases: 0, isTooDeep: false };
  for (const token of tokens) checkToken(visit, token, 0);
  return visit.problems;
}

function checkToken(visit: Visit, token: CST.Token, depth: number): void {
  switch (token.type) {
    case 'directive':
      refuse(visit, 'YAML_SYNTAX', token.offset, 'a directive is not allowed');
      break;
    case 'anchor':
      if (visit.rule !== 'refused') break;
      refuse(visit, 'YAML_ALIAS', token.offset, 'an anchor is not allowed');
      break;
    case 'tag':
      if (visit.tags === 'allowed') break;
      refuse(visit, 'YAML_TAG', token.offset, `the tag ${token.source} is not allowed`);
      break;
    case 'alias':
      checkAlias(visit, token.offset);
      break;
    case 'block-scalar':
      for (const part of token.props) checkToken(visit, part, depth);
      break;
    case 'document':
      for (const part of token.start) checkToken(visit, part, depth);
      if (token.value) checkToken(visit, token.value, depth);
      break;
    case 'block-map':
    case 'block-seq':
    case 'flow-collection':
      checkCollection(visit, token, depth + 1);
      break;
  }
}

function checkCollection(visit: Visit, collection: Collection, depth: number): void {
  if (depth > deepestNesting) {
    if (visit.isTooDeep) return;
    visit.isTooDeep = true;
    const message = `nested deeper than ${deepestNesting} levels`;
    refuse(visit, 'YAML_DEPTH', collection.offset, message);
    return;
  }
  for (const { start, key, sep, value } of collection.items) {
    for (const part of start) checkToken(visit, part, depth);
    if (key) checkKey(visit, key, depth);
    if (sep) for (const part of sep) checkToken(visit, part, depth);
    if (value) checkToken(visit, value, depth);
  }
}

function checkKey(visit: Visit, key: CST.Token, depth: number): void {
  if (visit.rule === 'refused' && key.type === 'scalar' && key.source === '<<') {
    refuse(visit, 'YAML_ALIAS', key.offset, 'a merge key (<<) is not allowed');
  }
  checkToken(visit, key, depth);
}

function checkAlias(visit: Visit, offset: number): void {
  visit.aliases += 1;
  if (visit.rule === 'refused') {
    refuse(visit, 'YAML_ALIAS', offset, 'an alias is not allowed');
  } else if (visit.aliases === visit.rule + 1) {
    refuse(visit, 'YAML_ALIAS', offset, `more than ${visit.rule} aliases`);
  }
}

function refuse(visit: Visit, code: Problem['code'], offset: number, message: string): void {
  visit.problems.push({ code, message, at: visit.at(offset) });
}
