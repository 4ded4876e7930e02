import { keyParts } from '../../../model/claim.ts';
import { addToGroup, compareText } from '../../../model/order.ts';
import { firstMetalLB, isSince, type MetalLB } from '../../../model/planes.ts';
import { type ClusterOn, planeField } from '../../../model/pools.ts';
import { counted, type Problem, startOf } from '../../../model/problem.ts';
import { poolsPath } from '../../../model/repository-paths.ts';
import type { LiveSharer, ReplacedSharers, SharersByPath } from '../plane.ts';

/** A Service on an address, and its manifest. */
interface Sharer extends LiveSharer {
  readonly name: string;
  readonly path: string;
}

/**
 * SHARING_STRANDED for each pair of Services where one needs what the other gives up on an address
 * in the same change. A GitOps engine may apply the first one before the second. MetalLB
 * then withdraws the address or never assigns it, and does not retry until the Service changes.
 * MetalLB reprocesses all Services when one is deleted or becomes ClusterIP, and from 0.15 on when
 * one changes its sharing key or its pods for Local traffic. It does not when one gives up a port
 * or leaves for another address (MetalLB: allocator.go Assign, controller/main.go SetBalancer).
 */
export function strandedServices({ before, after }: ReplacedSharers, metallb: MetalLB): Problem[] {
  const live = byAddress(before);
  const reprocessesAll = isSince(metallb.version, firstMetalLB.reprocessesAll);
  const staying = new Map(sharersIn(after).map((sharer) => [sharer.name, sharer]));
  const pairs = [...staying.values()].flatMap((waiting) =>
    waiting.pins.flatMap((address) => {
      const there = live.get(address) ?? [];
      const isThere = there.some(({ name }) => name === waiting.name);
      const others = there.filter(({ name }) => name !== waiting.name);
      return others.map((other) => ({ waiting, other, address, isThere }));
    }),
  );
  const found = pairs.flatMap(({ waiting, other, address, isThere }): [string, Problem][] => {
    const next = staying.get(other.name);
    if (next === undefined || (reprocessesAll && !hasOneKey(other, next))) return [];
    const leaves = !next.pins.includes(address);
    const obstacle = obstacleTo(waiting, other, { isThere, leaves });
    if (obstacle === undefined) return [];
    const pair = [waiting.name, other.name].sort(compareText).join(' ');
    return [[obstacle.isOfAll ? address : pair, stranded(waiting, other, address, obstacle)]];
  });
  // The first of each.
  return [...new Map(found.reverse()).values()].reverse();
}

/**
 * ANNOTATIONS_UNREAD when the annotations of live Services get the prefix `metallb.io`, and the
 * MetalLB that runs may be one that ignores it. It is one that reads it once the version is
 * declared already and the pool file sets the prefix.
 */
export function unreadAnnotations(
  { before, after }: ReplacedSharers,
  cluster: ClusterOn<'metallb'>,
): Problem[] {
  const { name, plane } = cluster;
  const reader = firstMetalLB.metallbIoAnnotations;
  const isKnown = isSince(plane.version, reader) && plane.annotationPrefix === 'metallb.io';
  const live = sharersIn(before).filter(({ prefix }) => prefix === 'metallb.universe.tf');
  const isChanged = sharersIn(after).some(({ prefix }) => prefix === 'metallb.io');
  if (isKnown || live.length === 0 || !isChanged) return [];
  const services = `${counted(live.length, 'live Service')} of cluster ${name}, such as ${live[0]?.name},`;
  return [
    {
      code: 'ANNOTATIONS_UNREAD',
      message: `the annotations of ${services} would get the prefix metallb.io/, which MetalLB before ${reader} ignores`,
      at: startOf(poolsPath),
      hint: `set ${planeField(cluster, 'annotationPrefix')}: metallb.universe.tf in leases/pools.yaml, and run \`leasehold synth\`: every version reads that prefix`,
    },
  ];
}

interface Obstacle {
  /** The change of the live Service. */
  readonly what: string;
  readonly hint: string;
  /** True when it is one for all Services on the address. */
  readonly isOfAll?: boolean;
}

interface AddressUse {
  /** True when the waiting Service already has the address. */
  readonly isThere: boolean;
  /** True when the live Service gets another address. */
  readonly leaves: boolean;
}

/** Returns the change of the live Service on which the waiting one depends. */
function obstacleTo(waiting: Sharer, other: Sharer, how: AddressUse): Obstacle | undefined {
  const port = waiting.ports.find((one) => other.ports.includes(one));
  if (port !== undefined) {
    return {
      what: `gives up ${port} there`,
      hint: how.leaves
        ? inTwo(`let ${other.name} leave`, `give ${port} to ${waiting.name}`)
        : inTwo(`take ${port} from ${other.name}`, `give it to ${waiting.name}`),
    };
  }
  if (hasOneKey(waiting, other)) return undefined;
  const comes = how.isThere ? `change ${waiting.name}` : `let ${waiting.name} come`;
  if (how.leaves) {
    return {
      what: 'leaves it',
      hint: inTwo(`let ${other.name} leave`, comes),
    };
  }
  const hasSameKey = waiting.sharingKey === other.sharingKey;
  if (!hasSameKey && how.isThere) {
    const isOfAll = keyParts(other.sharingKey ?? '') !== undefined;
    return {
      what: 'gets another sharing key',
      isOfAll,
      hint: isOfAll
        ? `keep the key: write liveSharingKey: ${other.sharingKey} into one of the endpoints, or where all are of SDLs, ${inTwo('rename with one Service alone on the address', 'add the others')}`
        : `keep the key: write the annotation leasehold.dev/live-sharing-key: ${other.sharingKey} into one of the Services that stay`,
    };
  }
  return {
    what: hasSameKey ? 'gets another traffic policy or other pods' : 'gets another sharing key',
    hint: how.isThere
      ? inTwo(`remove ${waiting.name}`, 'declare it again')
      : inTwo(`change ${other.name}`, comes),
  };
}

function inTwo(first: string, next: string): string {
  return `${first} in one commit, and ${next} in the next, once the first is applied`;
}

/** True when both have the sharing key and the backend that Services on one address must share. */
function hasOneKey(one: LiveSharer, other: LiveSharer): boolean {
  return one.sharingKey === other.sharingKey && one.backend === other.backend;
}

function stranded(waiting: Sharer, other: Sharer, address: string, obstacle: Obstacle): Problem {
  const { what, hint } = obstacle;
  return {
    code: 'SHARING_STRANDED',
    message: `Service ${waiting.name} would wait for ${address}, since the live Service ${other.name} ${what} in the same change`,
    at: startOf(other.path),
    hint,
  };
}

function byAddress(files: SharersByPath): ReadonlyMap<string, Sharer[]> {
  const found = new Map<string, Sharer[]>();
  for (const sharer of sharersIn(files)) {
    for (const address of sharer.pins) {
      addToGroup(found, address, sharer);
    }
  }
  return found;
}

function sharersIn(files: SharersByPath): readonly Sharer[] {
  return [...files].flatMap(([path, { sharers }]) =>
    [...sharers].map(([name, sharer]) => ({ ...sharer, name, path })),
  );
}
