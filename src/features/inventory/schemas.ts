import * as z from 'zod';
import { editorMetadata } from '../../core/declarations/object-meta.ts';
import { dnsLabel, objectName } from '../../core/text/common-fields.ts';
import { valueText } from '../../core/text/message-text.ts';
import { type Refusal, refusing } from '../../core/text/shape.ts';

/** The limit for every list. */
const most = 1000;

/** The longest name in a label key. */
const longestLabelName = 63;

const storageClass = objectName
  .max(longestLabelName - 'capabilities.storage.class.'.length)
  .describe('A StorageClass, or ram for shared memory.');

/** Characters and classes of characters. */
const escapes = String.raw`\\(?:[dDwWsS^$\\.*+?()[\]{}|]|[pP](?:[CLMNPSZ]|\{\^?[CLMNPSZ]\}))`;

const namedClass = String.raw`\[:\^?(?:alnum|alpha|ascii|blank|cntrl|digit|graph|lower|print|punct|space|upper|word|xdigit):\]`;

/** The characters of patterns of names; one with another character matches no name. */
const patternText = /^[-A-Za-z0-9_.,:^$*+?()[\]{}|\\<>]*$/;

/** A pattern of escapes, of classes that are not empty, and of groups without flags. */
const plainPattern = new RegExp(
  String.raw`^(?:${escapes}|\\[bBAz]|\[(?!\^\])\^?(?:${namedClass}|${escapes}|\\-|[^\]\\[])+\]|\((?!\?(?!:|P<[A-Za-z_]\w*>))|[^\\[(])+$`,
);

/** A pattern of JavaScript for what RE2 spells in its own way, with the same structure. */
function inJavaScript(pattern: string): string {
  return pattern.replace(
    /\\[pP](?:\{\^?\w\}|\w)|\\.|\[:\^?[a-z]+:\]|\(\?P</g,
    (part) => spellings[part] ?? (/^(?:\\p|\[:)/i.test(part) ? '\\d' : part),
  );
}

const spellings: Readonly<Record<string, string>> = { '\\A': '^', '\\z': '$', '(?P<': '(?<' };

/** RE2 refuses more repetitions, also those of nested groups together. */
const mostRepetitions = 1000;

const nodePattern = z
  .string()
  .min(1)
  .max(253)
  .superRefine(refusing(checkPattern))
  .describe(
    'An RE2 pattern of the names of nodes, such as ^gpu-; it need not match all of a name.',
  );

/** FIELD_VALUE for a pattern that RE2 does not compile, or that it may not. */
function checkPattern(text: string): Refusal | undefined {
  const counts = [...text.matchAll(/\{(\d+)(?:,(\d*))?\}/g)].map(([, from, to]) =>
    Number(to || from),
  );
  const repetitions = counts.reduce((product, count) => product * Math.max(count, 1), 1);
  const isPlain = patternText.test(text) && plainPattern.test(text) && compiles(inJavaScript(text));
  if (text === '' || (isPlain && repetitions <= mostRepetitions)) return undefined;
  return {
    code: 'FIELD_VALUE',
    message: `${valueText(text)} is not a pattern of RE2, or has flags or escaped codes`,
    hint: 'write a pattern such as ^gpu-[0-9]+$, without lookaheads, references, flags and escaped codes',
  };
}

function compiles(pattern: string): boolean {
  try {
    new RegExp(pattern, 'u');
    return true;
  } catch {
    return false;
  }
}

const gpuName = z
  .string()
  .regex(
    /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/,
    'expected lower-case letters, digits and -, as in the labels of nodes',
  );

const writtenGpu = z.strictObject({
  vendor: gpuName.describe('The vendor, such as nvidia or amd.'),
  model: gpuName.describe('The model, such as h100 or rtx4090.'),
  ram: z
    .string()
    .regex(/^[1-9]\d{0,5}(?:Mi|Gi|Ti)$/, 'expected a size such as 80Gi')
    .optional()
    .describe('The memory of one GPU, such as 80Gi.'),
  interface: z
    .string()
    .regex(
      /^(?!sxm.)[a-z0-9]+$/,
      'expected lower-case letters and digits, such as pcie, and sxm for each generation of it',
    )
    .optional()
    .describe('pcie, or sxm for each generation of it.'),
  count: z.int().min(1).max(most).default(1).describe('How many of them the node has.'),
});

const gpu = writtenGpu.superRefine(refusing(checkLabels));

/** FIELD_VALUE for a GPU whose labels would be too long. */
function checkLabels(written: z.output<typeof writtenGpu>): Refusal | undefined {
  const { vendor, model, ram = '', interface: bus = '' } = written;
  const longest = Math.max(`.ram.${ram}`.length, `.interface.${bus}`.length);
  const length = `capabilities.gpu.vendor.${vendor}.model.${model}`.length + longest;
  if (length <= longestLabelName) return undefined;
  const message = `the label of this GPU has ${length} characters in its name, expected at most ${longestLabelName}`;
  return { code: 'FIELD_VALUE', message };
}

const node = z.strictObject({
  name: objectName.describe('The name of the node in Kubernetes.'),
  gpus: z.array(gpu).max(most).default([]).describe('The GPUs that it is expected to have.'),
});

const nodeStorage = z.strictObject({
  nodeFilter: nodePattern,
  classes: z
    .array(storageClass)
    .min(1)
    .max(most)
    .describe('The classes of clusterStorage that these nodes do not offer.'),
});

const cluster = z.strictObject({
  name: dnsLabel.describe('A cluster of leases/pools.yaml.'),
  clusterStorage: z
    .array(storageClass)
    .max(most)
    .describe('The storage classes that tenants can ask for; with [] there are none.'),
  exclude: z
    .strictObject({
      nodes: z.array(nodePattern).max(most).default([]).describe('The nodes that offer nothing.'),
      nodeStorage: z
        .array(nodeStorage)
        .max(most)
        .default([])
        .describe('The storage classes that some nodes do not offer.'),
    })
    .prefault({})
    .describe('What the inventory operator leaves out; default: nothing.'),
  nodes: z
    .array(node)
    .max(most)
    .default([])
    .describe('The nodes with GPUs. leasehold doctor compares their labels.'),
});

/** `leases/inventory.yaml`: what the Akash providers of the clusters offer, beside addresses. */
export const inventorySchema = z
  .strictObject({
    apiVersion: z.literal('leasehold.dev/v1'),
    kind: z.literal('Inventory'),
    metadata: editorMetadata,
    clusters: z.array(cluster).min(1).max(most).describe('The clusters of Akash providers.'),
  })
  .describe('The inventory of leasehold, leases/inventory.yaml.');

/** The inventory with defaults filled in, before it is normalized. */
export type WrittenInventory = z.output<typeof inventorySchema>;

/** The JSON Schemas of its files, by file name in docs/schemas. */
export const schemas = { 'inventory.schema.json': inventorySchema };

/** The names of the schemas of its kinds of files in `leases/`, by kind. */
export const leaseFiles = { Inventory: 'inventory' };
