import { isMassLoss } from '../../../core/model/allocation.ts';
import type { Pools } from '../../../core/model/pools.ts';
import type { AddressExport } from '../address-export.ts';
import type { NetBox } from './netbox.ts';
import { type NetBoxDifference, netBoxDifference, type PlannedChange } from './netbox-changes.ts';
import type { NetBoxChange, NetBoxExport, NetBoxProblem } from './netbox-export-answer.ts';
import {
  addressesText,
  addressObject,
  type FoundObject,
  foundObjects,
  type NetBoxKind,
  type NetBoxPlace,
  netBoxKinds,
  netBoxLists,
  poolObjects,
  publicObjects,
  type Related,
  relatedOf,
  type WantedObject,
} from './netbox-objects.ts';
import { type NetBoxSetup, readSetup } from './netbox-setup.ts';
import { type Write, writeAll } from './netbox-writes.ts';

/** The options of an export to NetBox. */
export interface NetBoxChoice {
  /** The slug of the tag that marks the objects. */
  readonly tag: string;
  /** The name of the VRF; undefined for the global table. */
  readonly vrf: string | undefined;
  /** The slug of the tenant; undefined to leave tenants as they are. */
  readonly tenant: string | undefined;
  /** The exact number of deletions that are let through, however many they are. */
  readonly allowDelete?: number | undefined;
}

/** The changes of an export, before they are made. */
interface PlannedExport {
  readonly answer: NetBoxExport;
  readonly setup: NetBoxSetup['missing'];
  readonly changes: readonly PlannedChange[];
}

/** Compares the addresses and the pools of a commit with NetBox. Only reads. */
export async function planNetBoxExport(
  netbox: NetBox,
  {
    answer: { day, commit, items },
    pools,
  }: { readonly answer: AddressExport; readonly pools: Pools },
  { tag, vrf, tenant, allowDelete }: NetBoxChoice,
): Promise<PlannedExport> {
  const setup = await readSetup(netbox, tag);
  const inVrf = await relatedObject(netbox, 'ipam/vrfs', ['name', vrf]);
  const ofTenant = await relatedObject(netbox, 'tenancy/tenants', ['slug', tenant]);
  const place = { tag, vrf: inVrf.found, tenant: ofTenant.found };
  const wanted = wantedObjects(items, pools, place);
  const isTagged = setup.missing.every(({ object }) => object !== 'tag');
  const found = await objectsIn(netbox, wanted, isTagged ? tag : undefined);
  const difference = netBoxDifference(wanted, found, place);
  const { changes, unchanged, kept, problems } = difference;
  const answer: NetBoxExport = {
    ...{ apiVersion: 'leasehold.dev/v1', kind: 'NetBoxExport', day, commit },
    ...{ netbox: netbox.address, tag, dryRun: true },
    missing: setup.missing.map(({ object, name }) => ({ object, name, done: false })),
    changes: changes.map(({ change }) => change),
    unchanged,
    kept,
    problems: [
      ...setup.problems,
      ...inVrf.problems,
      ...ofTenant.problems,
      ...massDeletion(difference, allowDelete),
      ...problems,
    ],
  };
  return { answer, setup: setup.missing, changes };
}

/** Another repository with the same tag, or an old commit, would delete most objects. */
function massDeletion(
  { changes, exported }: NetBoxDifference,
  allowed: number | undefined,
): readonly NetBoxProblem[] {
  const count = changes.filter(({ change }) => change.action === 'delete').length;
  if (count === allowed || !isMassLoss(count, exported)) return [];
  const reason = `${count} of ${exported} exported objects would be deleted: when another repository exports with this tag, choose another --tag; when it is intended, export with --allow-delete ${count}`;
  return [{ reason }];
}

/** The public addresses come after the addresses that they refer to. */
function wantedObjects(
  items: AddressExport['items'],
  pools: Pools,
  place: NetBoxPlace,
): readonly WantedObject[] {
  const beyond = publicObjects(items, pools, place);
  const taken = new Set(beyond.map(addressesText));
  // An address that was in a pool may be retained, and be a public address by now.
  const own = items.filter(({ address }) => !taken.has(address));
  return [
    ...poolObjects(pools.pools, place),
    ...own.map((item) => addressObject(item, place)),
    ...beyond,
  ];
}

/** The VRF or the tenant that an option names. */
async function relatedObject(
  netbox: NetBox,
  list: string,
  [field, value]: readonly [string, string | undefined],
): Promise<{ readonly found: Related | undefined; readonly problems: readonly NetBoxProblem[] }> {
  if (value === undefined) return { found: undefined, problems: [] };
  const found = await netbox.list(list, [[field, value]]);
  const [first] = found.map(({ id, display }) =>
    typeof id === 'number' ? relatedOf({ id, display: String(display ?? value) }) : undefined,
  );
  if (found.length === 1 && first) return { found: first, problems: [] };
  const reason = `NetBox has ${found.length === 0 ? 'nothing' : `${found.length} objects`} with the ${field} ${value} in ${list}, and one is needed`;
  return { found: undefined, problems: [{ reason }] };
}

/** Values of one filter in a request, whose line a server limits to about 4,000 characters. */
const filtersPerRequest = 50;

/** The objects with the tag, and those that have the addresses of a wanted one. */
async function objectsIn(
  netbox: NetBox,
  wanted: readonly WantedObject[],
  tag: string | undefined,
): Promise<readonly FoundObject[]> {
  const found = new Map<string, FoundObject>();
  const add = async (kind: NetBoxKind, filters: readonly (readonly [string, string])[]) => {
    for (const one of await foundObjects(netbox, kind, filters))
      found.set(`${kind} ${one.id}`, one);
  };
  for (const kind of netBoxKinds) {
    if (tag !== undefined) await add(kind, [['tag', tag]]);
    const known = new Set(
      [...found.values()].filter((one) => one.kind === kind).map(addressesText),
    );
    const others = wanted.filter((one) => one.kind === kind && !known.has(addressesText(one)));
    if (kind === 'ip-range') {
      // Also a range that overlaps is in the way, and no filter finds it.
      if (others.length > 0) await add(kind, []);
      continue;
    }
    const field = kind === 'prefix' ? 'prefix' : 'address';
    for (const some of chunksOf(others, filtersPerRequest)) {
      await add(
        kind,
        some.map((one) => [field, addressesText(one)]),
      );
    }
  }
  return [...found.values()];
}

function chunksOf<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_, index) => items.slice(index * size, (index + 1) * size));
}

/**
 * Makes the changes of a plan, and creates the missing tag and fields when told to. Writes nothing
 * when the plan has a problem. Stops at the first object that NetBox refuses, and when NetBox
 * cannot be reached any more: the answer marks each change that is done.
 */
export async function applyNetBoxExport(
  netbox: NetBox,
  { answer, setup, changes }: PlannedExport,
  createMissing: boolean,
): Promise<NetBoxExport> {
  const applied = { ...answer, dryRun: false };
  if (answer.problems.length > 0) return applied;
  if (setup.length > 0 && !createMissing) {
    const reason =
      'NetBox lacks the tag or custom fields above: create them, or export with --create-missing';
    return { ...applied, problems: [{ reason }] };
  }
  const setupWrites = setup.map(({ list, body, name }): Write => {
    return { name, method: 'POST', list, object: body };
  });
  const writeOf = new Map<PlannedChange, Write>();
  const writes = changes.map((planned): Write => {
    const { addresses, action, object } = planned.change;
    const inside = planned.inside && writeOf.get(planned.inside);
    const write = {
      ...{ name: addresses, method: methods[action], list: netBoxLists[object] },
      object: planned.body,
      ...(inside ? { inside } : {}),
    };
    writeOf.set(planned, write);
    return write;
  });
  const { done, problems, failure } = await writeAll(netbox, [...setupWrites, ...writes]);
  const isDone = (write: Write | undefined) => write !== undefined && done.has(write);
  return {
    ...applied,
    missing: answer.missing.map((one, index) => ({ ...one, done: isDone(setupWrites[index]) })),
    changes: answer.changes.map((one, index) => ({ ...one, done: isDone(writes[index]) })),
    problems,
    ...(failure === undefined ? {} : { failure }),
  };
}

const methods = { add: 'POST', change: 'PATCH', delete: 'DELETE' } as const satisfies Record<
  NetBoxChange['action'],
  Write['method']
>;
