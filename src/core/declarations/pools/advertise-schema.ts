import * as z from 'zod';
import { compareText } from '../../model/order.ts';
import type { LabelSelector } from '../../model/pools.ts';
import { dnsLabel, labelKey, labels, labelValue, objectName } from '../../text/common-fields.ts';
import { type Refusal, refusing } from '../../text/shape.ts';

/** The name of a Linux network interface: at most 15 characters (IFNAMSIZ). */
export const interfaceName = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._@-]{0,14}$/,
    'expected an interface name of at most 15 letters, digits, ., _, @ and -',
  );

/** A BGP community or large community, or the name of one in a MetalLB Community object. */
export const community = z.string().max(63).superRefine(refusing(checkCommunity));

const requirement = z
  .strictObject({
    key: labelKey,
    operator: z.enum(['In', 'NotIn', 'Exists', 'DoesNotExist']),
    values: z.array(labelValue).max(100).optional(),
  })
  .superRefine(refusing(checkValues));

/**
 * A label selector. Kubernetes requires values with `In` and `NotIn` and refuses them with the
 * other operators; MetalLB refuses duplicate values (config.go validateLabelSelectorDuplicate).
 */
export const labelSelector = z.strictObject({
  matchLabels: labels.optional(),
  matchExpressions: z.array(requirement).max(32).optional(),
});

/** Node selectors, one of which must match. MetalLB refuses duplicates. */
const nodeSelectors = z
  .array(labelSelector)
  .max(32)
  .superRefine(refusing(sameSelectors))
  .describe('Nodes that announce; one selector must match. Empty: all nodes.');

const interfaces = distinct(interfaceName).describe(
  'Interfaces that answer ARP and NDP. Empty: all.',
);
// MetalLB: its CRD limits it to int32.
const localPref = z.int().min(0).max(0x7fff_ffff).optional().describe('BGP LOCAL_PREF.');
const communities = distinct(community).describe(
  'As 65000:100 or large:65000:1:2, or names from a Community object.',
);
const peers = distinct(objectName).describe('Names of BGPPeers. Empty: all.');

const l2 = z
  .strictObject({
    interfaces: interfaces.default([]),
    nodeSelectors: nodeSelectors.default([]),
  })
  .describe('Announce by ARP and NDP.');

const bgp = z
  .strictObject({
    aggregationLength: z
      .int()
      .min(1)
      .max(32)
      .default(32)
      .describe('Prefix length that IPv4 addresses are aggregated to.'),
    aggregationLengthV6: z
      .int()
      .min(1)
      .max(128)
      .default(128)
      .describe('Prefix length that IPv6 addresses are aggregated to.'),
    localPref,
    communities: communities.default([]),
    peers: peers.default([]),
    nodeSelectors: nodeSelectors.default([]),
  })
  .describe('Announce by BGP.');

/** The name of an advertisement, which follows the one of a held pool with `layout: lease`. */
const advertisementName = objectName.max(200);

const poolAdvertisement = z
  .strictObject({
    name: advertisementName
      .optional()
      .describe('The name of its MetalLB object with layout: pool; default: that of the pool.'),
    l2: l2.optional(),
    bgp: bgp.optional(),
  })
  .superRefine(refusing(oneWay("'advertise'")));

/** How MetalLB announces a pool: one advertisement, or a list of them. */
export const advertise = z
  .union([poolAdvertisement, z.array(poolAdvertisement).min(1).max(100)])
  .prefault({ l2: {} })
  .describe('How MetalLB announces the pool: exactly one of l2 and bgp, or a list of such.');

type WrittenAdvertise = z.output<typeof advertise>;

/** The advertisements of a pool as they are written, each with its path in the pool. */
export function writtenAdvertisements(
  written: WrittenAdvertise,
): readonly { readonly written: WrittenAdvertisement; readonly path: readonly PropertyKey[] }[] {
  if (!Array.isArray(written)) return [{ written, path: ['advertise'] }];
  return written.map((one, index) => ({ written: one, path: ['advertise', index] }));
}

export type WrittenAdvertisement = z.output<typeof poolAdvertisement>;

/** How the address of a claim is announced, where that differs from its pool. */
const advertisement = z
  .strictObject({
    name: dnsLabel.describe('The name by which declarations choose it.'),
    l2: z
      .strictObject({
        interfaces: interfaces.optional(),
        nodeSelectors: nodeSelectors.optional(),
      })
      .optional()
      .describe('For addresses of pools that are announced by L2.'),
    bgp: z
      .strictObject({
        localPref,
        communities: communities.optional(),
        peers: peers.optional(),
        nodeSelectors: nodeSelectors.optional(),
      })
      .optional()
      .describe('For addresses of pools that are announced by BGP.'),
  })
  .superRefine(refusing(oneWay('an advertisement')))
  .describe('Its fields replace those of the pool; the others are those of the pool.');

/** The advertisements of a pool file, each with a name of its own. */
export const advertisements = z
  .array(advertisement)
  .max(1000)
  .superRefine(refusing(sameNames))
  .default([])
  .describe('How declarations can have their addresses announced. Needs layout: lease.');

/** `subject` begins the message. */
function oneWay(subject: string) {
  return ({ l2, bgp }: { readonly l2?: unknown; readonly bgp?: unknown }): Refusal | undefined => {
    if ((l2 === undefined) !== (bgp === undefined)) return undefined;
    return { code: 'FIELD_VALUE', message: `${subject} needs exactly one of l2 and bgp` };
  };
}

function sameNames(items: readonly { readonly name: string }[]): Refusal[] {
  const refusals = twice(items.map(({ name }) => name));
  return refusals.map(({ path = [], ...refusal }) => ({ ...refusal, path: [...path, 'name'] }));
}

function checkCommunity(text: string): Refusal | undefined {
  const numbers = text.split(':');
  const isLarge = numbers[0] === 'large';
  if (isLarge) numbers.shift();
  const isKnown = text.includes(':')
    ? numbers.length === (isLarge ? 3 : 2) &&
      numbers.every((part) => isNumber(part, isLarge ? 0xffff_ffff : 0xffff))
    : /^[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?$/.test(text);
  if (isKnown) return undefined;
  const message = `'${text}' is not a community such as 65000:100 or large:65000:1:2, nor a name`;
  return { code: 'FIELD_VALUE', message };
}

function isNumber(text: string, most: number): boolean {
  return /^(?:0|[1-9]\d{0,9})$/.test(text) && Number(text) <= most;
}

/** A list of texts without duplicates. */
function distinct<Item extends z.ZodType<string>>(item: Item) {
  return z.array(item).max(100).superRefine(refusing(twice));
}

function sameSelectors(selectors: readonly LabelSelector[]): Refusal[] {
  const refusals = twice(selectors.map(selectorText));
  return refusals.map((refusal) => ({ ...refusal, message: 'the selector is listed twice' }));
}

/**
 * Equal for selectors that MetalLB considers equal: in any order of labels, with empty lists or
 * none.
 */
export function selectorText({ matchLabels = {}, matchExpressions = [] }: LabelSelector): string {
  const names = Object.keys(matchLabels).sort(compareText);
  return JSON.stringify({
    matchLabels: names.map((name) => [name, matchLabels[name]]),
    matchExpressions: matchExpressions.map(({ key, operator, values = [] }) => [
      key,
      operator,
      ...values,
    ]),
  });
}

function checkValues(value: {
  readonly operator: string;
  readonly values?: readonly string[] | undefined;
}): Refusal | readonly Refusal[] | undefined {
  const { operator, values = [] } = value;
  const needsValues = operator === 'In' || operator === 'NotIn';
  if (needsValues === values.length > 0) return twice(values, ['values']);
  const message = `the operator ${operator} needs ${needsValues ? 'at least one value' : 'no values'}`;
  return { code: 'FIELD_VALUE', message };
}

function twice(texts: readonly string[], path: readonly PropertyKey[] = []): Refusal[] {
  return texts.flatMap((text, index): Refusal[] => {
    if (texts.indexOf(text) === index) return [];
    return [{ code: 'FIELD_VALUE', message: `'${text}' is listed twice`, path: [...path, index] }];
  });
}
