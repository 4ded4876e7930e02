import { community, interfaceName } from '../../../core/declarations/pools/advertise-schema.ts';
import type { Advertise, LabelSelector } from '../../../core/model/pools.ts';
import { objectName } from '../../../core/text/common-fields.ts';
import {
  type SourceFields,
  type SourceNode,
  type SourceReader,
  sourcePlace,
} from '../../../lib/foreign/source-reader.ts';
import { held, readNumber, readSelectors } from '../parts/source-fields.ts';

/** The field names of a BGP advertisement: in an object, or in a ConfigMap. */
export interface BgpNames {
  readonly aggregationLength: string;
  readonly aggregationLengthV6: string;
  readonly localPref: string;
}

/** The field names in `BGPAdvertisement` and `AddressPool` objects. */
export const objectNames: BgpNames = {
  aggregationLength: 'aggregationLength',
  aggregationLengthV6: 'aggregationLengthV6',
  localPref: 'localPref',
};

/** BGP with the defaults. */
export const plainBgp: Extract<Advertise, { readonly kind: 'bgp' }> = {
  kind: 'bgp',
  aggregationLength: 32,
  aggregationLengthV6: 128,
  localPref: undefined,
  communities: [],
  peers: [],
  nodeSelectors: [],
};

/** Reads an `L2Advertisement`. Fields that a pool cannot express are noted. */
export function readL2(reader: SourceReader, subject: string, spec: SourceFields): Advertise {
  return {
    kind: 'l2',
    interfaces: held(reader, subject, interfaceName, reader.list(spec.get('interfaces'))),
    nodeSelectors: readNodeSelectors(reader, subject, spec),
  };
}

/**
 * Reads a BGP advertisement. Fields that a pool cannot express are noted. `aliases` maps names of
 * communities to their values.
 */
export function readBgp(
  reader: SourceReader,
  subject: string,
  spec: SourceFields,
  { names, aliases }: { readonly names: BgpNames; readonly aliases: ReadonlyMap<string, string> },
): Advertise {
  const communities = reader.list(spec.get('communities')).map((node): SourceNode => {
    const value = typeof node.value === 'string' ? aliases.get(node.value) : undefined;
    if (value === undefined) return node;
    const message = `the community '${String(node.value)}' is written ${value}: leasehold writes no Community object`;
    reader.change(subject, message, sourcePlace(node));
    return { ...node, value };
  });
  const most = 0x7fff_ffff;
  const { aggregationLength, aggregationLengthV6, localPref } = names;
  return {
    kind: 'bgp',
    aggregationLength: readNumber(reader, subject, spec.get(aggregationLength), [1, 32]) ?? 32,
    aggregationLengthV6:
      readNumber(reader, subject, spec.get(aggregationLengthV6), [1, 128]) ?? 128,
    localPref: readNumber(reader, subject, spec.get(localPref), [0, most]),
    communities: held(reader, subject, community, communities),
    peers: held(reader, subject, objectName, reader.list(spec.get('peers'))),
    nodeSelectors: readNodeSelectors(reader, subject, spec),
  };
}

function readNodeSelectors(
  reader: SourceReader,
  subject: string,
  spec: SourceFields,
): readonly LabelSelector[] {
  return readSelectors(reader, subject, spec.get('nodeSelectors'));
}
