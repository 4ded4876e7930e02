import type { Position } from '../../../core/model/problem.ts';
import { isAddress, parseAddress } from '../../../core/net/address.ts';
import { formatRange, isRange, parseRange } from '../../../core/net/range.ts';
import {
  type SourceNode,
  type SourceReader,
  type SourceText,
  sourcePlace,
} from '../../../lib/foreign/source-reader.ts';
import type { ImportedRange } from '../imported.ts';
import { poolSubject } from '../parts/announced-pools.ts';
import { parseGoRange } from './metallb-range.ts';

/**
 * The addresses of a pool in canonical form. Undefined, with a note, when not all of them can be
 * imported. Problems: ADDRESS_INVALID for what MetalLB refuses, FIELD_MISSING for a pool without
 * addresses (config.go addressPoolFromCR).
 */
export function readPoolRanges(
  reader: SourceReader,
  name: string,
  list: SourceNode | undefined,
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
      'it is not imported, since its addresses would not be all there',
      at,
    );
    return undefined;
  }
  const ranges = read.flatMap((range) => (typeof range === 'object' ? [range] : []));
  if (ranges.length > 0 || read.includes('refused')) return ranges;
  reader.leave(poolSubject(name), 'it is not imported, since it has no address', at);
  return undefined;
}

function readRange(
  reader: SourceReader,
  pool: string,
  { text, node }: SourceText,
): ImportedRange | 'empty' | 'refused' | 'unfit' {
  const at = sourcePlace(node);
  const read = parseGoRange(text);
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
