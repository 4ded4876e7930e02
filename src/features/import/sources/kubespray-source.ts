import type { Advertise } from '../../../core/model/pools.ts';
import { failSorted, type Outcome, ok } from '../../../core/model/problem.ts';
import type { InputFile } from '../../../core/text/yaml/template-hints.ts';
import { readYamlStream } from '../../../core/text/yaml/yaml-document.ts';
import {
  type SourceFields,
  type SourceNode,
  SourceReader,
  sourceKeyPlace,
  sourcePlace,
  sourceRoot,
} from '../../../lib/foreign/source-reader.ts';
import type { Imported } from '../imported.ts';
import { type BgpNames, plainBgp, readBgp } from '../metallb/metallb-advertisement.ts';
import { readPoolRanges } from '../metallb/metallb-pool.ts';
import {
  announcedPools,
  plainL2,
  poolSubject,
  type SourceParts,
  type SourcePool,
} from '../parts/announced-pools.ts';
import { readPoolName } from '../parts/source-fields.ts';
import {
  notKnown,
  readFirstGeneration,
  reportJinja,
  reportJinjaName,
} from './kubespray-variables.ts';

/** Variables that define pools; every other `metallb_…` variable is noted. */
const known = new Set([
  'metallb_enabled',
  'metallb_namespace',
  'metallb_ip_range',
  'metallb_protocol',
  'metallb_pool_name',
  'metallb_auto_assign',
  'metallb_avoid_buggy_ips',
  'metallb_additional_address_pools',
  'metallb_peers',
  'metallb_config',
]);

/**
 * Reads the variables of a Kubespray inventory, of both generations: `metallb_ip_range` and related
 * variables (2.22 and before), and `metallb_config` (since 2.23). The files form one inventory, in
 * which the variable of a later file replaces that of an earlier one, as in Ansible. Jinja
 * expressions cannot be evaluated and are noted. Problems: those of {@link readYamlStream},
 * FIELD_TYPE, FIELD_MISSING, FIELD_VALUE and ADDRESS_INVALID.
 */
export function readKubespray(files: readonly InputFile[]): Outcome<Imported> {
  const reader = new SourceReader();
  const variables = readVariables(reader, files);
  const parts: SourceParts = { pools: [], advertisements: [], kept: new Map() };
  noteDisabled(reader, variables.get('metallb_enabled'));
  readFirstGeneration(reader, variables, parts);
  readSecondGeneration(reader, variables.get('metallb_config'), parts);
  for (const [name, node] of variables) {
    if (!name.startsWith('metallb_') || known.has(name)) continue;
    reader.leave(name, 'it sets no variable that leasehold reads pools from', sourceKeyPlace(node));
  }
  const pools = announcedPools(reader, parts);
  if (reader.problems.length > 0) {
    return failSorted(reader.problems);
  }
  return ok({ pools, notes: reader.notes, namespace: namespaceIn(reader, variables) });
}

function noteDisabled(reader: SourceReader, node: SourceNode | undefined): void {
  if (node === undefined || reportJinja(reader, 'metallb_enabled', node)) return;
  if (reader.flag(node) !== false) return;
  const message = 'it is false: Kubespray installs no MetalLB; the pools are imported anyway';
  reader.change('metallb_enabled', message, sourceKeyPlace(node));
}

function readVariables(reader: SourceReader, files: readonly InputFile[]): SourceFields {
  const variables = new Map<string, SourceNode>();
  for (const { name, bytes } of files) {
    const documents = readYamlStream(name, bytes);
    if (!documents.ok) {
      reader.problems.push(...documents.problems);
      continue;
    }
    for (const document of documents.value) {
      for (const [key, node] of reader.mapping(sourceRoot(document)) ?? []) {
        const before = variables.get(key);
        if (before && key.startsWith('metallb_')) {
          const { file, line } = sourceKeyPlace(node);
          const message = `it is not imported: ${file}:${line} sets it again, and the later value applies`;
          reader.leave(key, message, sourceKeyPlace(before));
        }
        variables.set(key, node);
      }
    }
  }
  return variables;
}

function namespaceIn(reader: SourceReader, variables: SourceFields): string | undefined {
  const node = variables.get('metallb_namespace');
  return reportJinja(reader, 'metallb_namespace', node) ? undefined : reader.text(node);
}

const sections = ['address_pools', 'layer2', 'layer3', 'speaker', 'controller'];

const peerNames: BgpNames = {
  aggregationLength: 'aggregation_length',
  aggregationLengthV6: 'aggregation_length_v6',
  localPref: 'localpref',
};

/**
 * Reads `metallb_config` of Kubespray 2.23 and later: its pools, the names in `layer2`, and the
 * advertisement for each peer of `layer3` (roles/kubernetes-apps/metallb/templates/layer3.yaml.j2).
 */
function readSecondGeneration(
  reader: SourceReader,
  config: SourceNode | undefined,
  parts: SourceParts,
): void {
  if (reportJinja(reader, 'metallb_config', config)) return;
  const fields = reader.mapping(config);
  if (!fields) return;
  reader.leaveOthers('metallb_config', fields, sections);
  const before = parts.pools.length;
  const pools = fields.get('address_pools');
  if (!reportJinja(reader, 'address_pools', pools)) {
    for (const [name, node] of reader.mapping(pools) ?? []) readPool(reader, name, node, parts);
  }
  const own = parts.pools.slice(before);
  const isRead = [readLayer2(reader, fields.get('layer2'), parts)];
  isRead.push(readLayer3(reader, fields.get('layer3'), parts));
  if (isRead.every(Boolean)) return;
  for (const pool of own) {
    if (parts.advertisements.some((one) => one.covers(pool))) continue;
    const message = 'it is not imported, since it is not known how it is announced';
    reader.leave(poolSubject(pool.name), message, pool.at);
    parts.pools.splice(parts.pools.indexOf(pool), 1);
  }
}

function readPool(reader: SourceReader, name: string, node: SourceNode, parts: SourceParts): void {
  const at = sourceKeyPlace(node);
  const subject = poolSubject(name);
  const fields = reader.mapping(node);
  if (!fields || reportJinjaName(reader, name, node)) return;
  if (readPoolName(reader, name, at) === undefined) return;
  reader.leaveOthers(subject, fields, ['ip_range', 'auto_assign', 'avoid_buggy_ips']);
  const [list, autoAssign, buggy] = ['ip_range', 'auto_assign', 'avoid_buggy_ips'].map((field) =>
    fields.get(field),
  );
  if ([list, buggy].filter((part) => reportJinja(reader, subject, part)).length > 0) {
    reader.leave(subject, notKnown, at);
    return;
  }
  const ranges = readPoolRanges(reader, name, list, at);
  const isAsked = reportJinja(reader, subject, autoAssign)
    ? undefined
    : reader.flag(autoAssign) === false;
  const avoidBuggyIPs = reader.flag(buggy) ?? false;
  if (ranges) parts.pools.push({ name, labels: new Map(), ranges, avoidBuggyIPs, isAsked, at });
}

/** False when a Jinja expression hides which pools are announced. */
function readLayer2(
  reader: SourceReader,
  list: SourceNode | undefined,
  parts: SourceParts,
): boolean {
  if (reportJinja(reader, 'layer2', list)) return false;
  for (const { text, node } of reader.texts(list)) {
    parts.advertisements.push({
      subject: `layer2 ${text}`,
      advertise: plainL2,
      at: sourcePlace(node),
      covers: (pool) => pool.name === text,
    });
  }
  return true;
}

/** As {@link readLayer2}. */
function readLayer3(
  reader: SourceReader,
  layer3: SourceNode | undefined,
  parts: SourceParts,
): boolean {
  if (reportJinja(reader, 'layer3', layer3)) return false;
  const fields = reader.mapping(layer3) ?? new Map<string, SourceNode>();
  reader.leaveOthers('layer3', fields, ['defaults', 'communities', 'metallb_peers']);
  const peers = fields.get('metallb_peers');
  if (reportJinja(reader, 'metallb_peers', peers)) return false;
  const isRead = [...(reader.mapping(peers) ?? [])].map(([name, node]) =>
    readPeer(reader, name, node, parts),
  );
  return isRead.every(Boolean);
}

/** As {@link readLayer2}. */
function readPeer(
  reader: SourceReader,
  name: string,
  node: SourceNode,
  parts: SourceParts,
): boolean {
  const at = sourceKeyPlace(node);
  const subject = `peer ${name}`;
  if (reportJinja(reader, subject, node)) return false;
  const fields = reader.mapping(node) ?? new Map<string, SourceNode>();
  reader.leave(subject, 'leasehold writes no BGPPeer: it stays as Kubespray made it', at);
  const unread = ['address_pool', 'aggregation_length', 'communities'].filter((field) =>
    reportJinja(reader, subject, fields.get(field)),
  );
  if (unread.length > 0) return false;
  const names = reader.texts(fields.get('address_pool')).map(({ text }) => text);
  const common = {
    isOfOne: names.length === 1,
    at,
    covers: (pool: SourcePool) => names.includes(pool.name),
  };
  const length = fields.get('aggregation_length')?.value;
  const isAggregated = typeof length === 'number' && length <= 30;
  const objects = [
    ...(isAggregated ? [{ name: `${name}-local`, advertise: unpublished }] : []),
    { name: `${name}-external`, advertise: readExternal(reader, subject, fields, isAggregated) },
  ];
  for (const one of objects) {
    parts.advertisements.push({ ...common, ...one, subject: `BGPAdvertisement ${one.name}` });
  }
  return true;
}

/** To each single address, for the peers alone: the community no-advertise (RFC 1997). */
const unpublished: Advertise = { ...plainBgp, communities: ['65535:65282'] };

/**
 * The advertisement to the world: Kubespray writes an aggregation length only up to 30, and no local
 * preference.
 */
function readExternal(
  reader: SourceReader,
  subject: string,
  fields: SourceFields,
  isAggregated: boolean,
): Advertise {
  const own = new Map(
    [...fields].filter(
      ([name]) => name === 'communities' || (name === 'aggregation_length' && isAggregated),
    ),
  );
  return readBgp(reader, subject, own, { names: peerNames, aliases: new Map() });
}
