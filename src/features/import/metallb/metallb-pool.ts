import type { Position } from '../../../model/problem.ts';
import { isAddress, parseAddress } from '../../../net/address.ts';
import { parseMetalLBRange } from '../../../net/metallb-range.ts';
import { formatRange, isRange, parseRange } from '../../../net/range.ts';
import {
  type ForeignNode,
  type ForeignReader,
  type ForeignText,
  placeOf,
} from '../../../text/foreign-reader.ts';
import { dnsLabel, objectName } from '../../../text/name-fields.ts';
import type { ImportedRange } from '../imported.ts';

/** A pool as MetalLB's own objects have it, before it is known who announces it. */
export interface MetalLBPool {
  readonly name: string;
  /** Labels of the object, by which advertisements select it. */
  readonly labels: ReadonlyMap<string, string>;
  readonly ranges: readonly ImportedRange[];
  readonly avoidBuggyIPs: boolean;
  /** True when `serviceAllocation` asks something of a Service. */
  readonly isFenced?: boolean;
  /** True when a Service has to ask for it by name: `autoAssign: false`. */
  readonly isAsked: boolean;
  readonly at: Position;
}

/** How a pool is called in what an import tells. */
export function poolSubject(name: string): string {
  return `pool ${name}`;
}

/**
 * The addresses of a pool, in canonical form. Undefined for a pool that cannot be taken whole, which is told.
 * Problems: ADDRESS_INVALID for what MetalLB refuses, FIELD_MISSING for a pool without addresses (config.go
 * addressPoolFromCR).
 */
export function readPoolRanges(
  reader: ForeignReader,
  name: string,
  list: ForeignNode | undefined,
  at: Position,
): readonly ImportedRange[] | undefined {
  const texts = reader.texts(list);
  if (texts.length === 0) {
    const isEmptyList = Array.isArray(list?.value) && list.value.length === 0;
    const isMissing = list === undefined || list.value === null || isEmptyList;
    if (isMissing) reader.refuse('FIELD_MISSING', `the pool '${name}' has no addresses`, at);
    return undefined;
  }
  const read = texts.map((text) => readRange(reader, name, text));
  if (read.includes('unfit')) {
    reader.leave(
      poolSubject(name),
      'it is not taken, since its addresses would not be all there',
      at,
    );
    return undefined;
  }
  const ranges = read.flatMap((range) => (typeof range === 'object' ? [range] : []));
  if (ranges.length > 0 || read.includes('refused')) return ranges;
  reader.leave(poolSubject(name), 'it is not taken, since it has no address', at);
  return undefined;
}

function readRange(
  reader: ForeignReader,
  pool: string,
  { text, node }: ForeignText,
): ImportedRange | 'empty' | 'refused' | 'unfit' {
  const at = placeOf(node);
  const read = parseMetalLBRange(text);
  if (read.kind === 'refused') {
    const bare = parseAddress(text);
    const bits = isAddress(bare) && bare.family === 'ipv6' ? 128 : 32;
    const hint = isAddress(bare)
      ? `MetalLB wants a prefix length: write ${text}/${bits}`
      : undefined;
    reader.refuse('ADDRESS_INVALID', read.reason, at, hint);
    return 'refused';
  }
  if (read.kind !== 'range') {
    reader.leave(poolSubject(pool), read.reason, at);
    return read.kind;
  }
  if (!isRange(parseRange(text))) {
    const written = formatRange(read.range);
    reader.change(poolSubject(pool), `'${text}' is written ${written}, as MetalLB reads it`, at);
  }
  return { range: read.range, at };
}

/**
 * The name of a pool, when Kubernetes and `leases/pools.yaml` take it. FIELD_VALUE for one that Kubernetes refuses; one
 * that only `leases/pools.yaml` cannot hold, of more than one part or over 63 characters, is left and told.
 */
export function readPoolName(
  reader: ForeignReader,
  name: string,
  at: Position,
): string | undefined {
  if (dnsLabel.safeParse(name).success) return name;
  if (!objectName.safeParse(name).success) {
    const message = `'${name}' is no name for Kubernetes: expected lower-case letters, digits and -, with a letter or digit at both ends`;
    reader.refuse('FIELD_VALUE', message, at);
    return undefined;
  }
  const message =
    'it is not taken: a pool of leasehold has a name of at most 63 characters without dots';
  reader.leave(poolSubject(name), message, at);
  return undefined;
}

/** Tells what becomes of `autoAssign`, which leasehold always writes as false. True when it is false there too. */
export function tellAutoAssign(
  reader: ForeignReader,
  name: string,
  value: boolean | undefined,
  at: Position,
): boolean {
  if (value === false) return true;
  const message =
    'MetalLB gives its addresses to any Service (autoAssign); leasehold writes autoAssign: false, and a Service that is not declared gets none by itself';
  reader.change(poolSubject(name), message, at);
  return false;
}
