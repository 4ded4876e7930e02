import type { Fence, Pools } from '../../model/pools.ts';
import { startOf } from '../../model/problem.ts';
import { poolsPath } from '../../model/repository-paths.ts';
import type { ImportNote } from '../../text/source-reader.ts';
import type { Imported } from './imported.ts';
import type { PlacedPools, PresentPool } from './placed-pools.ts';

/** Defaults for a new pool file when neither the source nor an option has a value. */
export const noteDefaults = { namespace: 'metallb-system', version: '0.14.9', zone: 'default' };

/** Warns that added pools affect live Services that are not declared. */
function servesNote(fence: Fence): ImportNote {
  const message = {
    open: 'fence: open keeps every live Service on its address once they are applied: declare what has addresses of them, apply it, and take fence: open out in a commit of its own when leasehold verify says that it can go',
    closed:
      'once they are applied they serve only what is declared here: declare first what has addresses of them',
  }[fence];
  return { effect: 'changed', subject: 'the pools', message, at: startOf(poolsPath) };
}

/**
 * Settings of the pool file that do not fit the added pools: a pool for each address cannot exist
 * beside the live pool that contains it, and MetalLB reads only its own namespace.
 */
export function poolFileNotes(
  { added, present }: PlacedPools,
  { namespace }: Imported,
  { clusters }: Pools,
  { fence, isLive }: { readonly fence: Fence; readonly isLive: boolean },
): readonly ImportNote[] {
  const overLive = isLive && present.some(({ pool }) => !pool.isFenced);
  if (added.length === 0 && !overLive) return [];
  const at = startOf(poolsPath);
  const notes: ImportNote[] = added.length === 0 ? [] : [servesNote(fence)];
  const message =
    'layout: lease writes a pool for each address, which MetalLB refuses while a live pool has the same address, and whatever has addresses of the live one loses them when it is removed: set layout: pool and import again';
  if (clusters.some(({ metallb }) => metallb.layout === 'lease')) {
    notes.push({ effect: 'changed', subject: 'the layout', message, at });
  }
  const own = [...new Set(clusters.map(({ metallb }) => metallb.namespace))];
  if (namespace !== undefined && !own.includes(namespace)) {
    const other = `MetalLB runs in ${namespace} in the source; the pool file says ${own.join(', ')}`;
    notes.push({ effect: 'changed', subject: 'the namespace', message: other, at });
  }
  return notes;
}

/**
 * Effects of applying pools that replace live ones: a new pool with only the addresses in use has
 * none left, a declared pool with a closed fence stops serving other Services, and a pool that had
 * to be requested becomes open to every holder of its zone.
 */
export function useNotes(
  { added }: PlacedPools,
  /** The result of {@link closedLivePools}. */
  closed: readonly PresentPool[],
): readonly ImportNote[] {
  const few = added.filter(({ isInUse }) => isInUse);
  const shared = added.filter(({ zone }) => zone === undefined);
  const asked = shared.some(({ isAsked }) => !isAsked)
    ? shared.filter(({ isAsked }) => isAsked)
    : [];
  return [
    ...asked.map(({ name, at }): ImportNote => {
      const message =
        'MetalLB gives its addresses only to a Service that asks for it (autoAssign: false); here it is in one zone with a pool for everybody, and any new holder may get one: give it a zone of its own in leases/pools.yaml, and the file a defaultZone';
      return { effect: 'changed', subject: `pool ${name}`, message, at };
    }),
    ...few.map(({ name, at }): ImportNote => {
      const message =
        'it has the addresses in use only, as ipam-operator keeps it: add the prefixes of the zone to its addresses, of which nothing else gives any';
      return { effect: 'changed', subject: `pool ${name}`, message, at };
    }),
    ...closed.map(({ pool, declared: { name } }): ImportNote => {
      const message =
        'it is declared with a closed fence: once it is applied, what is not declared here loses its address; write fence: open until leasehold verify is content';
      return { effect: 'left', subject: `pool ${name}`, message, at: pool.at };
    }),
  ];
}

/** The values of a new pool file that are not in the source. */
export function newFileNotes(
  imported: Imported,
  version: string | undefined,
  fence: Fence,
): readonly ImportNote[] {
  const at = startOf(poolsPath);
  const said = (subject: string, message: string): ImportNote => {
    return { effect: 'changed', subject, message, at };
  };
  return [
    servesNote(fence),
    ...(version === undefined && imported.version === undefined
      ? [
          said(
            'MetalLB',
            `its version is not in the source; ${noteDefaults.version} is written: correct it`,
          ),
        ]
      : []),
    ...(imported.namespace === undefined
      ? [
          said(
            'MetalLB',
            `its namespace is not in the source; ${noteDefaults.namespace} is written`,
          ),
        ]
      : []),
  ];
}
