import type { Position } from '../../../core/model/problem.ts';
import {
  type SourceFields,
  type SourceNode,
  type SourceReader,
  sourceKeyPlace,
  sourcePlace,
} from '../../../lib/foreign/source-reader.ts';
import {
  plainL2,
  poolSubject,
  type SourceAdvertisement,
  type SourceParts,
  type SourcePool,
} from '../parts/announced-pools.ts';
import { readPoolName } from '../parts/source-fields.ts';
import { type BgpNames, plainBgp, readBgp } from './metallb-advertisement.ts';
import { readPoolRanges } from './metallb-pool.ts';

const configKeys = ['address-pools', 'bgp-communities', 'peers', 'bfd-profiles'];

const bgpNames: BgpNames = {
  aggregationLength: 'aggregation-length',
  aggregationLengthV6: 'aggregation-length-v6',
  localPref: 'localpref',
};

/** True for the content of `config` in MetalLB's ConfigMap. */
export function isConfig({ value }: SourceNode): boolean {
  return typeof value === 'object' && value !== null && configKeys.some((key) => key in value);
}

/**
 * Reads the configuration of MetalLB 0.12 and before, as MetalLB's own converter does
 * (configmaptocrs: main.go, types.go), and notes where the converter loses information. Problems:
 * FIELD_TYPE, FIELD_MISSING, ADDRESS_INVALID, and FIELD_VALUE for a name that the converter cannot
 * convert.
 */
export function readConfig(reader: SourceReader, node: SourceNode, parts: SourceParts): void {
  const fields = reader.mapping(node);
  if (!fields) return;
  reader.leaveOthers('the configuration', fields, configKeys);
  const aliases = readAliases(reader, fields.get('bgp-communities'));
  for (const [index, item] of reader.list(fields.get('address-pools')).entries()) {
    readConfigPool(reader, item, { parts, aliases, index });
  }
  reader.list(fields.get('peers')).forEach((peer, index) => {
    const message = 'leasehold writes no BGPPeer: write it by hand, or take it from configmaptocrs';
    reader.leave(`peer${index + 1}`, message, sourcePlace(peer));
  });
  for (const profile of reader.list(fields.get('bfd-profiles'))) {
    const message =
      'leasehold writes no BFDProfile: write it by hand, or take it from configmaptocrs';
    reader.leave('a BFD profile', message, sourcePlace(profile));
  }
}

interface ConfigContext {
  readonly parts: SourceParts;
  readonly aliases: ReadonlyMap<string, string>;
  /** Index of the pool, from 0. */
  readonly index: number;
}

function readConfigPool(reader: SourceReader, node: SourceNode, context: ConfigContext): void {
  const fields = reader.mapping(node);
  if (!fields) return;
  const written = fields.get('name');
  if (written === undefined || written.value === null) {
    reader.refuse('FIELD_MISSING', `pool ${context.index + 1} has no name`, sourcePlace(node));
    return;
  }
  const text = reader.text(written);
  if (text === undefined) return;
  const at = sourcePlace(written);
  const name = readConvertedName(reader, text, at);
  // The addresses of a skipped pool are read too, to report their problems.
  const ranges = readPoolRanges(reader, name ?? text, fields.get('addresses'), at);
  if (name === undefined) return;
  const subject = poolSubject(name);
  const bgpFields = ['bgp-advertisements', 'auto-assign', 'avoid-buggy-ips'];
  reader.leaveOthers(subject, fields, ['name', 'protocol', 'addresses', ...bgpFields]);
  const isAsked = reader.flag(fields.get('auto-assign')) === false;
  const avoidBuggyIPs = reader.flag(fields.get('avoid-buggy-ips')) ?? false;
  if (!ranges) return;
  context.parts.pools.push({ name, labels: new Map(), ranges, avoidBuggyIPs, isAsked, at });
  context.parts.advertisements.push(...readAdvertisements(reader, name, fields, context.aliases));
}

/**
 * The advertisements of a pool: of `protocol: layer2`, then of each entry of bgp-advertisements.
 */
function readAdvertisements(
  reader: SourceReader,
  name: string,
  fields: SourceFields,
  aliases: ReadonlyMap<string, string>,
): readonly SourceAdvertisement[] {
  const covers = (pool: SourcePool): boolean => pool.name === name;
  const protocolNode = fields.get('protocol');
  const protocol = reader.text(protocolNode);
  const bgp = reader.list(fields.get('bgp-advertisements')).map((node, index) => {
    const subject = `bgp-advertisement ${index + 1} of pool ${name}`;
    const own = reader.mapping(node) ?? new Map<string, SourceNode>();
    reader.leaveOthers(subject, own, [...Object.values(bgpNames), 'communities']);
    const advertise = readBgp(reader, subject, own, { names: bgpNames, aliases });
    return { subject, advertise, at: sourcePlace(node), covers };
  });
  if (protocolNode !== undefined && protocol === 'layer2') {
    const subject = `protocol layer2 of pool ${name}`;
    return [{ subject, advertise: plainL2, at: sourcePlace(protocolNode), covers }, ...bgp];
  }
  if (protocolNode !== undefined && protocol === 'bgp') {
    const subject = `protocol bgp of pool ${name}`;
    const plain = { subject, advertise: plainBgp, at: sourcePlace(protocolNode), covers };
    return bgp.length > 0 ? bgp : [plain];
  }
  if (protocol !== undefined && protocolNode !== undefined) {
    const message = `the protocol '${protocol}' is neither layer2 nor bgp: MetalLB's converter makes no advertisement of it`;
    reader.leave(poolSubject(name), message, sourcePlace(protocolNode));
  }
  return bgp;
}

/**
 * Converts a name as MetalLB's converter does (configmaptocrs types.go): an invalid name is cut to
 * 63 characters, in lower case, with `-` for `_`, starting at its first letter. FIELD_VALUE for a
 * name without a letter.
 */
export function readConvertedName(
  reader: SourceReader,
  text: string,
  at: Position,
): string | undefined {
  if (/^[a-z][-a-z0-9]{0,61}[a-z0-9]$/.test(text)) return text;
  const repaired = text
    .slice(0, 63)
    .toLowerCase()
    .replaceAll('_', '-')
    .replace(/^[^a-z]+/, '');
  if (repaired === '') {
    const message = `'${text}' has no letter, so MetalLB's converter makes no name of it`;
    reader.refuse('FIELD_VALUE', message, at);
    return undefined;
  }
  const name = readPoolName(reader, repaired, at);
  if (name !== undefined && name !== text) {
    const message = `the name was '${text}'; it is written ${name}, as MetalLB's converter does`;
    reader.change(poolSubject(name), message, at);
  }
  return name;
}

function readAliases(
  reader: SourceReader,
  node: SourceNode | undefined,
): ReadonlyMap<string, string> {
  const aliases = new Map<string, string>();
  for (const [name, value] of reader.mapping(node) ?? []) {
    const text = reader.text(value);
    if (text === undefined) {
      reader.leave(`community ${name}`, 'it has no value', sourceKeyPlace(value));
    } else aliases.set(name, text);
  }
  return aliases;
}
