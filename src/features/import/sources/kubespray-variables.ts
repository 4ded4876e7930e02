import {
  type SourceFields,
  type SourceNode,
  type SourceReader,
  sourceKeyPlace,
  sourcePlace,
} from '../../../lib/foreign/source-reader.ts';
import { plainBgp } from '../metallb/metallb-advertisement.ts';
import { readConvertedName } from '../metallb/metallb-config.ts';
import { readPoolRanges } from '../metallb/metallb-pool.ts';
import { plainL2, poolSubject, type SourceParts } from '../parts/announced-pools.ts';

/** The name of the first pool in Kubespray's defaults. */
const defaultName = 'loadbalanced';

/** The nodes that define one pool. */
interface WrittenPool {
  readonly name: string;
  readonly at: SourceNode;
  readonly ranges: SourceNode | undefined;
  readonly protocol: SourceNode | undefined;
  readonly autoAssign: SourceNode | undefined;
  readonly avoidBuggyIPs: SourceNode | undefined;
}

/**
 * Reads `metallb_ip_range`, `metallb_protocol`, `metallb_pool_name`, `metallb_auto_assign`,
 * `metallb_avoid_buggy_ips`, `metallb_additional_address_pools` and `metallb_peers`, with the
 * defaults of Kubespray 2.22 and before: pool `loadbalanced`, protocol `layer2`.
 */
export function readFirstGeneration(
  reader: SourceReader,
  variables: SourceFields,
  parts: SourceParts,
): void {
  const ranges = variables.get('metallb_ip_range');
  if (ranges) {
    const named = variables.get('metallb_pool_name');
    const name = named ? readName(reader, named) : defaultName;
    if (name !== undefined) {
      readPool(
        reader,
        {
          name,
          at: named ?? ranges,
          ranges,
          protocol: variables.get('metallb_protocol'),
          autoAssign: variables.get('metallb_auto_assign'),
          avoidBuggyIPs: variables.get('metallb_avoid_buggy_ips'),
        },
        parts,
      );
    }
  }
  if (!ranges) noteUnused(reader, variables);
  const more = variables.get('metallb_additional_address_pools');
  if (!reportJinja(reader, 'metallb_additional_address_pools', more)) {
    for (const [key, node] of reader.mapping(more) ?? []) {
      readAdditional(reader, { key, node, protocol: variables.get('metallb_protocol') }, parts);
    }
  }
  const peers = variables.get('metallb_peers');
  if (peers) {
    const message = 'leasehold writes no BGPPeer: those that Kubespray made stay as they are';
    reader.leave('metallb_peers', message, sourceKeyPlace(peers));
  }
}

function noteUnused(reader: SourceReader, variables: SourceFields): void {
  const settings = ['pool_name', 'protocol', 'auto_assign', 'avoid_buggy_ips'];
  for (const name of settings.map((setting) => `metallb_${setting}`)) {
    const node = variables.get(name);
    if (!node) continue;
    const message = 'it is of the pool of metallb_ip_range, which is not there';
    reader.leave(name, message, sourceKeyPlace(node));
  }
}

function readAdditional(
  reader: SourceReader,
  { key, node, protocol }: { key: string; node: SourceNode; protocol: SourceNode | undefined },
  parts: SourceParts,
): void {
  if (reportJinjaName(reader, key, node)) return;
  const name = readConvertedName(reader, key, sourceKeyPlace(node));
  if (name === undefined || reportJinja(reader, poolSubject(name), node)) return;
  const fields = reader.mapping(node);
  if (!fields) return;
  reader.leaveOthers(poolSubject(name), fields, [
    'ip_range',
    'protocol',
    'auto_assign',
    'avoid_buggy_ips',
  ]);
  readPool(
    reader,
    {
      name,
      at: node,
      ranges: fields.get('ip_range'),
      protocol: fields.get('protocol') ?? protocol,
      autoAssign: fields.get('auto_assign'),
      avoidBuggyIPs: fields.get('avoid_buggy_ips'),
    },
    parts,
  );
}

function readName(reader: SourceReader, node: SourceNode): string | undefined {
  if (reportJinja(reader, 'metallb_pool_name', node)) {
    const message = 'metallb_ip_range is not imported, since the name of its pool is not known';
    reader.leave('metallb_pool_name', message, sourcePlace(node));
    return undefined;
  }
  if (node.value === null) {
    reader.refuse('FIELD_MISSING', "'metallb_pool_name' is empty", sourceKeyPlace(node));
  }
  const text = reader.text(node);
  return text === undefined ? undefined : readConvertedName(reader, text, sourcePlace(node));
}

function readPool(reader: SourceReader, written: WrittenPool, parts: SourceParts): void {
  const { name, ranges: list, protocol, autoAssign, avoidBuggyIPs } = written;
  const subject = poolSubject(name);
  const at = sourceKeyPlace(written.at);
  const unread = [list, protocol, avoidBuggyIPs].filter((node) =>
    reportJinja(reader, subject, node),
  );
  if (unread.length > 0) {
    reader.leave(subject, notKnown, at);
    return;
  }
  const ranges = readPoolRanges(reader, name, list, at);
  const isAsked = reportJinja(reader, subject, autoAssign)
    ? undefined
    : reader.flag(autoAssign) === false;
  const buggy = reader.flag(avoidBuggyIPs) ?? false;
  if (!ranges) return;
  parts.pools.push({ name, labels: new Map(), ranges, avoidBuggyIPs: buggy, isAsked, at });
  const way = protocol === undefined ? 'layer2' : reader.text(protocol);
  if (way !== 'layer2' && way !== 'bgp') {
    if (way === undefined) return;
    const message = `the protocol '${way}' is neither layer2 nor bgp`;
    reader.leave(subject, message, protocol ? sourcePlace(protocol) : at);
    return;
  }
  parts.advertisements.push({
    subject: `protocol ${way} of pool ${name}`,
    advertise: way === 'bgp' ? plainBgp : plainL2,
    at: protocol ? sourcePlace(protocol) : at,
    covers: (pool) => pool.name === name,
  });
}

const jinja = /\{[{%]/;

/** Reason for a pool with a Jinja expression. */
export const notKnown = 'it is not imported, since a part of it is not known';

/** True, with a note, when the name of a pool is a Jinja expression. */
export function reportJinjaName(reader: SourceReader, name: string, node: SourceNode): boolean {
  if (!jinja.test(name)) return false;
  reader.leave(
    `pool ${name}`,
    'its name is a Jinja expression, which cannot be read',
    sourceKeyPlace(node),
  );
  return true;
}

/**
 * True, with notes, when a value of an Ansible inventory or a part of it is a Jinja expression (`{{
 * … }}`, `{% … %}`), which only Ansible can evaluate.
 */
export function reportJinja(
  reader: SourceReader,
  subject: string,
  node: SourceNode | undefined,
): boolean {
  if (node === undefined) return false;
  if (typeof node.value === 'string') {
    if (!jinja.test(node.value)) return false;
    reader.leave(subject, 'it is a Jinja expression, which cannot be read', sourcePlace(node));
    return true;
  }
  if (!Array.isArray(node.value)) return false;
  const found = reader.list(node).map((item) => reportJinja(reader, subject, item));
  return found.includes(true);
}
