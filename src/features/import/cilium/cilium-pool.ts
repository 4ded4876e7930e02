import { labelSelector } from '../../../core/declarations/pools/advertise-schema.ts';
import { poolLabel } from '../../../core/manifests/manifest.ts';
import type { LabelSelector } from '../../../core/model/pools.ts';
import { type AddressRange, formatRange, rangeSize } from '../../../core/net/range.ts';
import {
  type SourceNode,
  type SourceReader,
  sourceKeyPlace,
  sourcePlace,
} from '../../../lib/foreign/source-reader.ts';
import type { ImportedRange, ImportedReserve } from '../imported.ts';
import { parseGoRange } from '../metallb/metallb-range.ts';
import type { SourceObject } from '../metallb/source-object.ts';
import { poolSubject, type SourceParts } from '../parts/announced-pools.ts';
import { held, readPoolName } from '../parts/source-fields.ts';

/** Reads a `CiliumLoadBalancerIPPool`. Cilium: operator/pkg/lbipam, lbipam_types.go. */
export function readCiliumPool(
  reader: SourceReader,
  { name, at, spec }: SourceObject,
  parts: SourceParts,
): void {
  const taken = readPoolName(reader, name, at);
  const subject = poolSubject(name);
  const known = ['blocks', 'serviceSelector', 'allowFirstLastIPs', 'disabled'];
  reader.leaveOthers(subject, spec, known);
  const blocks = reader.list(spec.get('blocks')).map((block) => readBlock(reader, subject, block));
  const ranges = blocks.flatMap((one) => one ?? []);
  if (taken === undefined) return;
  if (ranges.length === 0 || ranges.length < blocks.length) {
    reader.leave(subject, 'it is not imported, since its addresses would not be all there', at);
    return;
  }
  const selector = spec.get('serviceSelector');
  const isFenced = isOwnSelector(selector, name);
  if (selector !== undefined && !isFenced) {
    const message = `serviceSelector is not imported: leasehold writes one of its own, by the label ${poolLabel}`;
    reader.leave(subject, message, sourceKeyPlace(selector));
  }
  const disabled = spec.get('disabled');
  if (disabled && reader.flag(disabled)) {
    const message =
      'it is disabled: enable it before you apply dist/, or its Services lose their addresses when the operator starts again';
    reader.change(subject, message, sourcePlace(disabled));
  }
  const isWithoutEnds = reader.text(spec.get('allowFirstLastIPs')) === 'No';
  parts.pools.push({
    name: taken,
    // An announcement selects Services, and no pools.
    labels: new Map(),
    ranges,
    ...(isWithoutEnds && { reserved: ranges.flatMap(endsOf) }),
    avoidBuggyIPs: false,
    isFenced,
    isAsked: undefined,
    at,
  });
}

/** A block: a CIDR block, or the addresses from `start` to `stop`, which may be left out. */
function readBlock(
  reader: SourceReader,
  subject: string,
  block: SourceNode,
): ImportedRange | undefined {
  const fields = reader.mapping(block);
  const [cidr, start, stop] = ['cidr', 'start', 'stop'].map((key) => reader.text(fields?.get(key)));
  const text = cidr ?? `${start}-${stop ?? start}`;
  const read = parseGoRange(text);
  const at = sourcePlace(block);
  if (read.kind !== 'range') {
    const isUnread = read.kind === 'refused';
    reader.leave(subject, isUnread ? `'${text}' is no block that Cilium reads` : read.reason, at);
    return undefined;
  }
  const written = formatRange(read.range);
  if (cidr !== undefined && cidr !== written) {
    reader.change(subject, `'${cidr}' is written ${written}, as Cilium reads it`, at);
  }
  return { range: read.range, at };
}

/** The first and the last address of a CIDR block, which `allowFirstLastIPs: "No"` keeps free. */
function endsOf({ range, at }: ImportedRange): readonly ImportedReserve[] {
  if (rangeSize(range) < 4n || !formatRange(range).includes('/')) return [];
  const ends: readonly AddressRange[] = [range.from, range.to].map((end) => ({
    from: end,
    to: end,
  }));
  return ends.map((end) => ({
    range: end,
    why: 'the first or last of its block, which allowFirstLastIPs keeps free',
    at,
  }));
}

/** True for the selector that leasehold writes for a pool. */
function isOwnSelector(node: SourceNode | undefined, pool: string): boolean {
  const read = labelSelector.safeParse(node?.value);
  return read.success && isOwn(read.data, pool);
}

function isOwn({ matchLabels = {}, matchExpressions = [] }: LabelSelector, pool: string): boolean {
  return (
    Object.keys(matchLabels).join() === poolLabel &&
    matchLabels[poolLabel] === pool &&
    matchExpressions.length === 0
  );
}

/** The selector of a field; undefined for none. One that cannot be read selects nothing, with a note. */
export function readSelector(
  reader: SourceReader,
  subject: string,
  node: SourceNode | undefined,
): LabelSelector | 'nothing' | undefined {
  if (node === undefined || node.value === null) return undefined;
  const [selector] = held(reader, subject, labelSelector, [node]);
  return selector ?? 'nothing';
}
