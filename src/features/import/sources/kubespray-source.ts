import type { ImportFile } from '../../../model/input-file.ts';
import { compareProblems, type Outcome } from '../../../model/problem.ts';
import {
  type ForeignFields,
  type ForeignNode,
  ForeignReader,
  keyPlaceOf,
  rootOf,
} from '../../../text/foreign-reader.ts';
import { readYamlStream } from '../../../text/yaml/yaml-document.ts';
import type { Imported } from '../import.ts';
import type { MetalLBParts } from '../metallb/metallb-config.ts';
import { announcedPools } from './announced-pools.ts';
import { tellsJinja } from './jinja.ts';
import { readFirstGeneration } from './kubespray-first.ts';
import { readSecondGeneration } from './kubespray-second.ts';

/** Variables that say where pools come from; every other `metallb_…` is told. */
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
 * Reads the variables of a Kubespray inventory, of both generations: `metallb_ip_range` and its friends (2.22 and
 * before), `metallb_config` (since 2.23). The files are one inventory, in which a later file's variable takes the
 * place of an earlier one's whole, as for Ansible. What is a Jinja expression cannot be read, and is told. Problems:
 * those of {@link readYamlStream}, FIELD_TYPE, FIELD_MISSING, FIELD_VALUE and ADDRESS_INVALID.
 */
export function readKubespray(files: readonly ImportFile[]): Outcome<Imported> {
  const reader = new ForeignReader();
  const variables = readVariables(reader, files);
  const parts: MetalLBParts = { pools: [], advertisements: [] };
  tellDisabled(reader, variables.get('metallb_enabled'));
  readFirstGeneration(reader, variables, parts);
  readSecondGeneration(reader, variables.get('metallb_config'), parts);
  for (const [name, node] of variables) {
    if (!name.startsWith('metallb_') || known.has(name)) continue;
    reader.leave(name, 'it says nothing of pools that leasehold reads', keyPlaceOf(node));
  }
  const pools = announcedPools(reader, parts.pools, parts.advertisements);
  if (reader.problems.length > 0) {
    return { ok: false, problems: reader.problems.toSorted(compareProblems) };
  }
  return {
    ok: true,
    value: { pools, notes: reader.notes, namespace: namespaceIn(reader, variables) },
  };
}

function tellDisabled(reader: ForeignReader, node: ForeignNode | undefined): void {
  if (node === undefined || tellsJinja(reader, 'metallb_enabled', node)) return;
  if (reader.flag(node) !== false) return;
  const message = 'it is false: Kubespray installs no MetalLB; the pools are taken all the same';
  reader.change('metallb_enabled', message, keyPlaceOf(node));
}

function readVariables(reader: ForeignReader, files: readonly ImportFile[]): ForeignFields {
  const variables = new Map<string, ForeignNode>();
  for (const { name, bytes } of files) {
    const documents = readYamlStream(name, bytes);
    if (!documents.ok) {
      reader.problems.push(...documents.problems);
      continue;
    }
    for (const document of documents.value) {
      for (const [key, node] of reader.mapping(rootOf(document)) ?? []) {
        const before = variables.get(key);
        if (before && key.startsWith('metallb_')) {
          const { file, line } = keyPlaceOf(node);
          const message = `it is not taken: ${file}:${line} says it again, and the later one counts`;
          reader.leave(key, message, keyPlaceOf(before));
        }
        variables.set(key, node);
      }
    }
  }
  return variables;
}

function namespaceIn(reader: ForeignReader, variables: ForeignFields): string | undefined {
  const node = variables.get('metallb_namespace');
  return tellsJinja(reader, 'metallb_namespace', node) ? undefined : reader.text(node);
}
