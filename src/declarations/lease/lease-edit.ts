import { type CST, Document, isSeq, type Node, parseDocument, type YAMLSeq } from 'yaml';
import { InternalError } from '../../model/problem.ts';

/** An endpoint as a declaration writes it; what is left out takes its default. */
export interface WrittenClaim {
  readonly name: string;
  readonly service: string;
  readonly port: number;
  readonly externalPort?: number;
  readonly protocol?: string;
  readonly zone?: string;
  readonly pool?: string;
  readonly ipFamily?: string;
  readonly address?: string;
  readonly retentionPeriodDays?: number;
  readonly selector?: Readonly<Record<string, string>>;
}

/** What names a lease in its declaration. */
export interface WrittenLease {
  readonly owner: string;
  readonly dseq: string;
  readonly gseq: number;
  readonly oseq: number;
  /** Undefined for that of the cluster. */
  readonly provider?: string;
  readonly cluster?: string;
}

/** A declaration of a new lease with one endpoint. */
export function newLeaseText({ cluster, ...id }: WrittenLease, claim: WrittenClaim): string {
  const spec = { id, ...(cluster === undefined ? {} : { cluster }) };
  const document = new Document({ apiVersion: 'leasehold.dev/v1', kind: 'Lease', spec });
  return `${document.toString(style)}  endpoints:\n    - ${claimLine(claim)}\n`;
}

/**
 * The text of a sound declaration with one more endpoint, after the others and as one line. Every other
 * character stays as it is.
 */
export function withEndpoint(text: string, claim: WrittenClaim): string {
  const list = endpointsIn(text);
  if (list.flow) return flowText(text, list, [...flowItems(text, list), claimLine(claim)]);
  const last = blockItems(text, list).at(-1);
  if (last === undefined)
    throw new InternalError('a declaration without endpoints was not refused');
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const before = text.slice(0, last.end);
  const line = `${last.indent}- ${claimLine(claim)}${newline}`;
  return `${before}${before.endsWith('\n') ? '' : newline}${line}${text.slice(last.end)}`;
}

/**
 * The text of a sound declaration without the endpoints of some indexes, from 0; undefined when none
 * stays. A comment on lines of its own stays too.
 */
export function withoutEndpoints(text: string, indexes: ReadonlySet<number>): string | undefined {
  const list = endpointsIn(text);
  const isKept = (_: unknown, index: number): boolean => !indexes.has(index);
  if (!list.items.some(isKept)) return undefined;
  if (list.flow) return flowText(text, list, flowItems(text, list).filter(isKept));
  const gone = blockItems(text, list).filter((_, index) => indexes.has(index));
  return gone.reduceRight((left, { start, end }) => left.slice(0, start) + left.slice(end), text);
}

const style = { lineWidth: 0, singleQuote: true } as const;

/** `{ name: shop, service: web, port: 8000 }`. */
function claimLine(claim: WrittenClaim): string {
  const document = new Document(claim, { flow: true });
  return document.toString(style).trimEnd();
}

function endpointsIn(text: string): YAMLSeq<Node> {
  const list = parseDocument(text, { version: '1.2', keepSourceTokens: true }).getIn(
    ['spec', 'endpoints'],
    true,
  );
  if (isSeq<Node>(list)) return list;
  throw new InternalError('a declaration without endpoints was not refused');
}

/** The lines of an item: from the start of the one with its dash to the end of its last one. */
interface Lines {
  readonly start: number;
  readonly end: number;
  /** What stands before its dash. */
  readonly indent: string;
}

function blockItems(text: string, list: YAMLSeq<Node>): readonly Lines[] {
  const source = list.srcToken as CST.BlockSequence;
  const dashes = source.items.flatMap(({ start }) =>
    start.filter(({ type }) => type === 'seq-item-ind').map(({ offset }) => offset),
  );
  return list.items.map((item, index) => {
    const dash = dashes[index] ?? 0;
    const start = text.lastIndexOf('\n', dash) + 1;
    const last = text.slice(0, item.range?.[1]).trimEnd().length;
    const newline = text.indexOf('\n', last);
    return { start, end: newline < 0 ? text.length : newline + 1, indent: text.slice(start, dash) };
  });
}

function flowItems(text: string, list: YAMLSeq<Node>): readonly string[] {
  return list.items.map((item) => text.slice(item.range?.[0], item.range?.[1]));
}

function flowText(text: string, list: YAMLSeq<Node>, items: readonly string[]): string {
  const [start = 0, end = 0] = list.range ?? [];
  return `${text.slice(0, start)}[${items.join(', ')}]${text.slice(end)}`;
}
