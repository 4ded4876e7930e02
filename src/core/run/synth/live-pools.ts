import type { TreeEntry } from '../../interfaces/tree.ts';
import type { LiveFacts } from '../../manifests/live-facts.ts';
import { isAddressPoolName } from '../../manifests/names.ts';
import { shardOf } from '../../manifests/paths.ts';
import { planes } from '../../manifests/planes/planes.ts';
import { type Plane, planeNames } from '../../model/planes.ts';
import { type Cluster, type Shards, shardFolders } from '../../model/pools.ts';
import { moveHint, type Problem, startOf } from '../../model/problem.ts';
import { distFolder, poolsPath } from '../../model/repository-paths.ts';
import { formatAddress } from '../../net/address.ts';
import {
  type AddressRange,
  compareRanges,
  firstReaching,
  formatRange,
  isRange,
  parseRange,
  rangesOverlap,
} from '../../net/range.ts';

/** A range of an IPAddressPool, and its manifest. */
export interface LivePool {
  readonly range: AddressRange;
  readonly name: string;
  readonly path: string;
}

/** Returns the pool ranges of a manifest. */
export function livePoolsIn(path: string, { pools }: LiveFacts): LivePool[] {
  return [...pools].flatMap(([text, name]) => {
    const range = parseRange(text);
    return isRange(range) ? [{ range, name, path }] : [];
  });
}

/** Orders by range, as {@link poolMoves} requires. */
export function compareLivePools(left: LivePool, right: LivePool): number {
  return compareRanges(left.range, right.range);
}

/**
 * POOL_CHANGED for every live pool of another name that a new pool overlaps: MetalLB refuses the
 * new pool while the old one has the address (config.go poolsFor), and Cilium disables it (lbipam.go
 * settleConflicts). `live` is sorted and has no
 * overlaps.
 */
export function poolMoves(
  live: readonly LivePool[],
  { range, name }: LivePool,
  plane: Plane['kind'],
): Problem[] {
  const moves: Problem[] = [];
  for (let index = firstReaching(live, (pool) => pool.range, range.from); ; index += 1) {
    const other = live[index];
    if (!other || !rangesOverlap(other.range, range)) return moves;
    if (other.name !== name) {
      moves.push({
        code: 'POOL_CHANGED',
        message: `${formatRange(range)} would be in the ${planes[plane].poolKind} ${name}, but is in the live pool ${other.name}, and ${planeNames[plane]} ${refusals[plane]}`,
        at: startOf(other.path),
        ...(isAddressPoolName(other.name)
          ? moveHint({
              before: 'undo the change; or move this address of the holder too: ',
              moved: formatAddress(other.range.from),
              after: '; or end its lease first',
            })
          : {
              hint: plane === 'metallb' ? withHolders : withoutHolders,
            }),
      });
    }
  }
}

const refusals = {
  metallb: 'refuses an address in two pools',
  cilium: 'disables the newer of two pools with one address',
} as const;

const inTwoCommits =
  'take the addresses from the one pool in one commit and add them to the other in the next, once the first is applied';
const withHolders = `undo the change; with holders, make it after \`leasehold migrate-layout lease\`, and then run \`leasehold migrate-layout pool\`; without, ${inTwoCommits}`;
const withoutHolders = `undo the change; without holders, ${inTwoCommits}`;

/**
 * SHARDS_CHANGED when the committed manifests of a cluster use another number of shards. An object
 * that goes from one Application to another is pruned by the first one, before or after the second
 * one has applied it. No problem for a cluster that has only the files that keep its folders.
 */
export function shardsChanged(dist: readonly TreeEntry[], { name, shards }: Cluster): Problem[] {
  const own = dist
    .map(({ path }) => path)
    .filter((path) => path.startsWith(`${distFolder}/${name}/`));
  const kept = own.map(shardsOfKeepFile).filter((committed) => committed !== undefined);
  const committed = kept.find((one) => one !== shards);
  if (committed === undefined || own.length === kept.length) return [];
  return [
    {
      code: 'SHARDS_CHANGED',
      message: `the shards of the cluster ${name} would change from ${committed} to ${shards}, and engines would prune what is live`,
      at: startOf(poolsPath),
      hint: `set shards: ${committed}; \`leasehold explain SHARDS_CHANGED\` shows how to change them anyway`,
    },
  ];
}

/** The number of shards if the file keeps the folder of a shard, else undefined. */
function shardsOfKeepFile(path: string): Shards | undefined {
  const [, , shard, file] = path.split('/');
  if (shard === 'leasehold.yaml') return 1;
  if (file !== 'leasehold.yaml') return undefined;
  return shard?.length === 1 ? 16 : 256;
}

/**
 * SHARD_LEFT for every Service and IPAddressPool that goes to a file of another shard, because it
 * has another holder. Both maps go from path to facts. `before` has the files that change.
 */
export function shardsLeft(
  before: ReadonlyMap<string, LiveFacts>,
  after: ReadonlyMap<string, LiveFacts>,
  { shards }: Cluster,
): Problem[] {
  if (shards === 1) return [];
  const live = new Map(
    [...before].flatMap(([path, facts]) =>
      objectsOf(facts).map((object) => [object, path] as const),
    ),
  );
  const reported = new Set<string>();
  return [...after].flatMap(([path, facts]) =>
    objectsOf(facts).flatMap((object): Problem[] => {
      const from = live.get(object);
      if (from === undefined || shardOf(from, shards) === shardOf(path, shards)) return [];
      // The pool of a Service that has been reported.
      if (reported.has(from) && !object.startsWith('Service ')) return [];
      reported.add(from);
      return [
        {
          code: 'SHARD_LEFT',
          message: `the live ${object} would move from ${shardText(from, shards)} to ${shardText(path, shards)}, and an engine would prune it`,
          at: startOf(from),
          hint: 'keep its holder; or remove it in one commit and declare it again in the next, after the first is applied: with a retention the address is kept',
        },
      ];
    }),
  );
}

/** The objects of a file that stay live when their holder changes. */
function objectsOf({ families, pools }: LiveFacts): readonly string[] {
  const services = [...families.keys()].map((service) => `Service ${service}`);
  return [...services, ...new Set([...pools.values()].map((pool) => `IPAddressPool ${pool}`))];
}

function shardText(path: string, shards: Shards): string {
  const shard = shardOf(path, shards);
  return shardFolders(shards).includes(shard) ? `the shard ${shard}` : 'no shard';
}
