import {
  type SourceNode,
  type SourceReader,
  sourceKeyPlace,
  sourcePlace,
} from '../../../lib/foreign/source-reader.ts';
import {
  matches,
  plainL2,
  poolSubject,
  type SourceAdvertisement,
  type SourceParts,
  type SourcePool,
} from '../parts/announced-pools.ts';
import { readPoolName, readSelectors } from '../parts/source-fields.ts';
import { objectNames, plainBgp, readBgp, readL2 } from './metallb-advertisement.ts';
import { readPoolRanges } from './metallb-pool.ts';
import type { SourceObject } from './source-object.ts';

const selecting = ['ipAddressPools', 'ipAddressPoolSelectors', 'nodeSelectors'];

/** Reads an `IPAddressPool`. */
export function readIPAddressPool(
  reader: SourceReader,
  object: SourceObject,
  parts: SourceParts,
): void {
  const name = takenPoolName(reader, object);
  if (name === undefined) return;
  const known = ['addresses', 'autoAssign', 'avoidBuggyIPs', 'serviceAllocation'];
  reader.leaveOthers(poolSubject(name), object.spec, known);
  const allocation = object.spec.get('serviceAllocation');
  if (allocation !== undefined) {
    const message =
      'serviceAllocation is not imported: leasehold gives addresses to those that are declared, and fences its pools itself';
    reader.leave(poolSubject(name), message, sourceKeyPlace(allocation));
  }
  addPool(reader, name, object, parts);
}

/** Reads an `AddressPool` of MetalLB 0.13 and before, which contains its advertisements. */
export function readAddressPool(
  reader: SourceReader,
  object: SourceObject,
  parts: SourceParts,
): void {
  const name = takenPoolName(reader, object);
  if (name === undefined) return;
  const { spec } = object;
  const own = ['addresses', 'autoAssign', 'avoidBuggyIPs', 'protocol', 'bgpAdvertisements'];
  reader.leaveOthers(poolSubject(name), spec, own);
  addPool(reader, name, object, parts);
  const covers = (pool: SourcePool): boolean => pool.name === name;
  const protocol = spec.get('protocol');
  const at = protocol ? sourcePlace(protocol) : object.at;
  const bgp = reader.list(spec.get('bgpAdvertisements')).map((node, index) => {
    const subject = `bgpAdvertisement ${index + 1} of pool ${name}`;
    const fields = reader.mapping(node) ?? new Map<string, SourceNode>();
    reader.leaveOthers(subject, fields, [...Object.values(objectNames), 'communities']);
    const context = { names: objectNames, aliases: new Map<string, string>() };
    return {
      subject,
      advertise: readBgp(reader, subject, fields, context),
      at: sourcePlace(node),
      covers,
    };
  });
  const text = reader.text(protocol);
  const plain = (advertise: SourceAdvertisement['advertise']): SourceAdvertisement => ({
    subject: `protocol ${text} of pool ${name}`,
    advertise,
    at,
    covers,
  });
  if (text === 'layer2') parts.advertisements.push(plain(plainL2));
  if (text === 'bgp' && bgp.length === 0) parts.advertisements.push(plain(plainBgp));
  if (text !== undefined && text !== 'layer2' && text !== 'bgp') {
    reader.leave(poolSubject(name), `the protocol '${text}' is neither layer2 nor bgp`, at);
  }
  parts.advertisements.push(...bgp);
}

/** Reads an `L2Advertisement` or a `BGPAdvertisement`. */
export function readAdvertisement(
  reader: SourceReader,
  object: SourceObject,
  parts: SourceParts,
): void {
  const { kind, name, spec } = object;
  const isL2 = kind === 'L2Advertisement';
  const subject = `${kind} ${name}`;
  const others = isL2 ? ['interfaces'] : [...Object.values(objectNames), 'communities', 'peers'];
  reader.leaveOthers(subject, spec, [...selecting, ...others]);
  const context = { names: objectNames, aliases: new Map<string, string>() };
  const names = reader.texts(spec.get('ipAddressPools')).map(({ text }) => text);
  const list = spec.get('ipAddressPoolSelectors');
  const selectors = readSelectors(reader, subject, list);
  // Without pools and selectors it is for all pools. A selector that cannot be read is for none.
  const isUnselective = reader.list(list).length === 0;
  const isForAll = names.length === 0 && isUnselective;
  parts.advertisements.push({
    subject,
    advertise: isL2 ? readL2(reader, subject, spec) : readBgp(reader, subject, spec, context),
    name,
    isOfOne: names.length === 1 && isUnselective,
    isLimited: reader.list(spec.get('serviceSelectors')).length > 0,
    at: object.at,
    covers: (pool) =>
      isForAll ||
      names.includes(pool.name) ||
      selectors.some((selector) => matches(selector, pool.labels)),
  });
}

/** The name of a pool; undefined when it is not imported. Its addresses are still checked. */
function takenPoolName(reader: SourceReader, { name, at, spec }: SourceObject): string | undefined {
  const taken = readPoolName(reader, name, at);
  if (taken === undefined) readPoolRanges(reader, name, spec.get('addresses'), at);
  return taken;
}

function addPool(
  reader: SourceReader,
  name: string,
  { at, metadata, spec }: SourceObject,
  parts: SourceParts,
): void {
  const ranges = readPoolRanges(reader, name, spec.get('addresses'), at);
  const isAsked = reader.flag(spec.get('autoAssign')) === false;
  const avoidBuggyIPs = reader.flag(spec.get('avoidBuggyIPs')) ?? false;
  const labels = new Map<string, string>();
  for (const [key, value] of reader.mapping(metadata.get('labels')) ?? []) {
    const text = reader.text(value);
    if (text !== undefined) labels.set(key, text);
  }
  const isFenced = asksOfServices(reader, spec.get('serviceAllocation'));
  if (ranges) parts.pools.push({ name, labels, ranges, avoidBuggyIPs, isFenced, isAsked, at });
}

/**
 * True for a `serviceAllocation` that excludes some Services; a priority alone does not. MetalLB:
 * isPoolCompatibleWithService.
 */
function asksOfServices(reader: SourceReader, allocation: SourceNode | undefined): boolean {
  const fields = reader.mapping(allocation);
  return ['namespaces', 'namespaceSelectors', 'serviceSelectors'].some(
    (key) => reader.list(fields?.get(key)).length > 0,
  );
}
