import type { CST } from 'yaml';
import type { Position, Problem } from '../model/problem.ts';

/** The deepest nesting of mappings and lists that is read. */
export const deepestNesting = 32;

/** Whether a document may use anchors and aliases: not at all, or at most so many aliases. */
export type AliasRule = 'refused' | number;

interface Visit {
  readonly rule: AliasRule;
  readonly at: (offset: number) => Position;
  readonly problems: Problem[];
  readonly rest: { readonly token: CST.Token; readonly depth: number }[];
  aliases: number;
}

/**
 * What the tokens of a file use that leasehold does not read, before anything is built from them:
 * YAML_DEPTH, YAML_TAG, YAML_ALIAS and, for directives, YAML_SYNTAX. Keeps its own stack, so that
 * no nesting can exhaust the machine's.
 */
export function checkTokens(
  tokens: readonly CST.Token[],
  rule: AliasRule,
  at: (offset: number) => Position,
): Problem[] {
  const visit: Visit = { rule, at, problems: [], rest: [], aliases: 0 };
  push(visit, tokens, 0);
  for (let next = visit.rest.pop(); next !== undefined; next = visit.rest.pop()) {
    checkToken(visit, next.token, next.depth);
  }
  return visit.problems;
}

function checkToken(visit: Visit, token: CST.Token, depth: number): void {
  switch (token.type) {
    case 'directive':
      refuse(visit, 'YAML_SYNTAX', token.offset, 'a directive is not allowed');
      break;
    case 'anchor':
      if (visit.rule === 'refused')
        refuse(visit, 'YAML_ALIAS', token.offset, 'an anchor is not allowed');
      break;
    case 'tag':
      refuse(visit, 'YAML_TAG', token.offset, `the tag ${token.source} is not allowed`);
      break;
    case 'alias':
      checkAlias(visit, token.offset);
      break;
    case 'block-scalar':
      push(visit, token.props, depth);
      break;
    case 'document':
      push(visit, [...token.start, token.value], depth);
      break;
    case 'block-map':
    case 'block-seq':
    case 'flow-collection':
      checkCollection(visit, token, depth + 1);
      break;
  }
}

function checkCollection(
  visit: Visit,
  collection: CST.BlockMap | CST.BlockSequence | CST.FlowCollection,
  depth: number,
): void {
  if (depth > deepestNesting) {
    const message = `nested deeper than ${deepestNesting} levels`;
    if (!visit.problems.some((problem) => problem.code === 'YAML_DEPTH')) {
      refuse(visit, 'YAML_DEPTH', collection.offset, message);
    }
    return;
  }
  for (const item of collection.items) {
    if (item.key?.type === 'scalar' && item.key.source === '<<') {
      refuse(visit, 'YAML_ALIAS', item.key.offset, 'a merge key (<<) is not allowed');
    }
  }
  const inOrder = collection.items.flatMap(({ start, key, sep, value }) => [
    ...start,
    key,
    ...(sep ?? []),
    value,
  ]);
  push(visit, inOrder, depth);
}

function checkAlias(visit: Visit, offset: number): void {
  visit.aliases += 1;
  if (visit.rule === 'refused') refuse(visit, 'YAML_ALIAS', offset, 'an alias is not allowed');
  else if (visit.aliases === visit.rule + 1) {
    refuse(visit, 'YAML_ALIAS', offset, `more than ${visit.rule} aliases`);
  }
}

function refuse(visit: Visit, code: Problem['code'], offset: number, message: string): void {
  visit.problems.push({ code, message, at: visit.at(offset) });
}

/** Puts tokens on the stack so that the first of them is looked at first. */
function push(
  visit: Visit,
  tokens: readonly (CST.Token | null | undefined)[],
  depth: number,
): void {
  for (const token of [...tokens].reverse()) if (token) visit.rest.push({ token, depth });
}
