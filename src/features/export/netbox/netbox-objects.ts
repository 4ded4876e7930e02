import * as z from 'zod';
import { PoolIndex } from '../../../core/declarations/pools/pool-index.ts';
import type { Pool, Pools } from '../../../core/model/pools.ts';
import { EnvironmentError } from '../../../core/model/problem.ts';
import { familyBits, formatAddress } from '../../../core/net/address.ts';
import {
  type AddressRange,
  formatRange,
  isRange,
  parseRange,
  rangeSize,
} from '../../../core/net/range.ts';
import type { ExportedAddress } from '../address-export.ts';
import type { NetBox, NetBoxFields } from './netbox.ts';

/** The kinds of objects that an export writes, in the order in which it writes them. */
export const netBoxKinds = ['prefix', 'ip-range', 'ip-address'] as const;
export type NetBoxKind = (typeof netBoxKinds)[number];

/** The lists of the REST API. */
export const netBoxLists: Readonly<Record<NetBoxKind, string>> = {
  prefix: 'ipam/prefixes',
  'ip-range': 'ipam/ip-ranges',
  'ip-address': 'ipam/ip-addresses',
};

/** A VRF, a tenant or an address of NetBox. */
export interface Related {
  readonly id: number;
  /** Unique, for people. */
  readonly text: string;
}

/** Where the objects of an export are in NetBox. */
export interface NetBoxPlace {
  /** The slug of the tag that marks the objects. */
  readonly tag: string;
  /** Undefined for the global table. */
  readonly vrf: Related | undefined;
  /** Undefined to leave tenants as they are. */
  readonly tenant: Related | undefined;
}

/** The fields that an export writes. Names that begin with `leasehold_` are custom fields. */
export type OwnFields = Readonly<Record<string, string | boolean>>;

/** An object that NetBox should have. */
export interface WantedObject {
  readonly kind: NetBoxKind;
  readonly range: AddressRange;
  /** The fields of a new object that name its addresses. */
  readonly named: NetBoxFields;
  readonly fields: OwnFields;
  readonly holder?: string;
  /** Of a public address: the address that it is for, as `nat_inside`. */
  readonly inside?: string;
}

/** An object that NetBox has. */
export interface FoundObject {
  readonly kind: NetBoxKind;
  readonly range: AddressRange;
  readonly id: number;
  /** Its page. */
  readonly url: string;
  readonly tags: readonly string[];
  readonly vrf: Related | undefined;
  /** Its `nat_inside`. */
  readonly inside: Related | undefined;
  /** Among others those of {@link OwnFields}. */
  readonly fields: NetBoxFields;
}

/** The addresses of an object, unique in its kind: an address, a block or `first-last`. */
export function addressesText({ kind, range }: Pick<WantedObject, 'kind' | 'range'>): string {
  return kind === 'ip-address' ? formatAddress(range.from) : formatRange(range);
}

/** NetBox counts the addresses of a range with 32 bits. */
const largestRange = 2n ** 32n - 1n;

/**
 * The objects of pools: a prefix for a block, an IP range for other ranges. A range too large for
 * NetBox is left out.
 */
export function poolObjects(pools: readonly Pool[], place: NetBoxPlace): readonly WantedObject[] {
  return pools.flatMap(({ name, zone, state, ranges }) =>
    ranges.flatMap((range): readonly WantedObject[] => {
      const isBlock = formatRange(range).includes('/');
      if (!isBlock && range.to.value - range.from.value + 1n > largestRange) return [];
      const fields = {
        status: state === 'draining' ? 'deprecated' : 'active',
        description: poolText(name, zone),
        leasehold_pool: name,
        leasehold_zone: zone,
        ...placeFields(place),
      };
      if (isBlock) {
        const named = { prefix: formatRange(range) };
        return [{ kind: 'prefix', range, named, fields: { ...fields, is_pool: true } }];
      }
      const named = {
        start_address: withLength(range.from),
        end_address: withLength(range.to),
      };
      return [{ kind: 'ip-range', range, named, fields }];
    }),
  );
}

/** The object of an address. */
export function addressObject(exported: ExportedAddress, place: NetBoxPlace): WantedObject {
  const { address, state, holder, owner, zone = '', pool, since, freeFrom, commit } = exported;
  const range = rangeOf(address);
  return {
    kind: 'ip-address',
    range,
    holder,
    named: { address: withLength(range.from) },
    fields: {
      status: state === 'held' ? 'active' : 'reserved',
      description: state === 'held' ? shortText(holder) : retainedText(freeFrom, holder),
      leasehold_holder: holder,
      leasehold_owner: owner,
      leasehold_zone: zone,
      leasehold_pool: pool,
      leasehold_since: since,
      leasehold_commit: commit,
      ...placeFields(place),
    },
  };
}

/**
 * The objects of public addresses: each is as that of its address, and refers to it. NetBox knows
 * no forwarded ports, so the public address of several addresses has none.
 */
export function publicObjects(
  items: readonly ExportedAddress[],
  pools: Pools,
  place: NetBoxPlace,
): readonly WantedObject[] {
  const index = new PoolIndex(pools);
  return items.flatMap((item): readonly WantedObject[] => {
    const { address, publicAddress } = item;
    if (publicAddress === undefined) return [];
    const range = rangeOf(publicAddress);
    const [behind, ...others] = index.behind(range.from);
    if (!behind || rangeSize(behind) > 1n || others.length > 0) return [];
    const named = { address: withLength(range.from) };
    return [{ ...addressObject(item, place), range, named, inside: address }];
  });
}

function placeFields({ vrf, tenant }: NetBoxPlace): OwnFields {
  return { vrf: vrf?.text ?? noneText, ...(tenant ? { tenant: tenant.text } : {}) };
}

/** The value of `vrf` in the global table. */
const noneText = 'none';

/** MetalLB announces single addresses, so they have the length of their family. */
function withLength(address: AddressRange['from']): string {
  return `${formatAddress(address)}/${familyBits[address.family]}`;
}

function poolText(pool: unknown, zone: unknown): string {
  return shortText(`pool ${pool} of zone ${zone}`);
}

function retainedText(until: string | undefined, holder: unknown): string {
  return shortText(`retained until ${until} for ${holder}`);
}

/** True for an object without a description, or with the one that an export wrote. */
export function hasOwnDescription({ fields }: FoundObject): boolean {
  const {
    description,
    leasehold_holder: holder,
    leasehold_pool: pool,
    leasehold_zone: zone,
  } = fields;
  const until = /^retained until (\S+)/.exec(String(description))?.[1];
  const own = [shortText(String(holder)), retainedText(until, holder), poolText(pool, zone)];
  return ['', ...own].includes(String(description));
}

/** Characters that NetBox takes for a description. */
const longestDescription = 200;

function shortText(text: string): string {
  return text.length <= longestDescription ? text : `${text.slice(0, longestDescription - 1)}…`;
}

const related = z.object({ id: z.int(), display: z.string().optional() }).nullish();

/** The fields of an object that an export reads. */
const foundSchema = z.object({
  id: z.int(),
  url: z.string(),
  display_url: z.string().optional(),
  status: z.object({ value: z.string() }),
  description: z.string(),
  vrf: related,
  tenant: related,
  nat_inside: related,
  tags: z.array(z.object({ slug: z.string() })),
  custom_fields: z.record(z.string(), z.unknown()),
  is_pool: z.boolean().optional(),
  address: z.string().optional(),
  prefix: z.string().optional(),
  start_address: z.string().optional(),
  end_address: z.string().optional(),
});

/**
 * Reads the objects of a kind that pass the filters. Objects with addresses that no pool can have
 * are left out.
 */
export async function foundObjects(
  netbox: NetBox,
  kind: NetBoxKind,
  filters: readonly (readonly [string, string])[],
): Promise<readonly FoundObject[]> {
  const list = await netbox.list(netBoxLists[kind], filters);
  return list.flatMap((fields) => foundObject(netbox, kind, fields) ?? []);
}

function foundObject(
  netbox: NetBox,
  kind: NetBoxKind,
  fields: NetBoxFields,
): FoundObject | undefined {
  const read = foundSchema.safeParse(fields);
  if (!read.success) {
    throw new EnvironmentError(
      `${netbox.address} answers with an object of ${netBoxLists[kind]} that leasehold cannot read: NetBox 4.0 or later is needed`,
    );
  }
  const range = parseRange(rangeText(kind, read.data));
  if (!isRange(range)) return undefined;
  const {
    id,
    url,
    display_url = url,
    status,
    description,
    is_pool,
    tags,
    custom_fields,
  } = read.data;
  const vrf = relatedOf(read.data.vrf);
  const own = { status: status.value, description, is_pool, vrf: vrf?.text ?? noneText };
  return {
    ...{ kind, range, id, url: display_url, vrf, inside: relatedOf(read.data.nat_inside) },
    tags: tags.map(({ slug }) => slug),
    fields: { ...custom_fields, ...own, tenant: relatedOf(read.data.tenant)?.text },
  };
}

/** The addresses of an object, without the prefix length that an address has in NetBox. */
function rangeText(
  kind: NetBoxKind,
  { address = '', prefix = '', start_address = '', end_address = '' }: z.output<typeof foundSchema>,
): string {
  if (kind === 'prefix') return prefix;
  const [from, to] = [start_address, end_address].map(withoutLength);
  return kind === 'ip-address' ? withoutLength(address) : `${from}-${to}`;
}

function withoutLength(text: string): string {
  return text.replace(/\/\d+$/, '');
}

/** A VRF, a tenant or another address as NetBox answers it. */
export function relatedOf(found: z.output<typeof related>): Related | undefined {
  if (!found) return undefined;
  return { id: found.id, text: `${found.display ?? ''} #${found.id}` };
}

function rangeOf(address: string): AddressRange {
  const range = parseRange(address);
  if (!isRange(range)) throw new TypeError(range.reason);
  return range;
}
