import type { LiveFacts, LiveSharer } from '../../manifests/manifest-file.ts';
import { isSince } from '../../model/metallb-version.ts';
import { compareText } from '../../model/order.ts';
import type { MetalLB } from '../../model/pools.ts';
import { type Problem, startOf } from '../../model/problem.ts';

/** Manifests by their paths: those that would be replaced, and those that would be written. */
export interface ReplacedFacts {
  readonly before: ReadonlyMap<string, LiveFacts>;
  readonly after: ReadonlyMap<string, LiveFacts>;
}

/** A Service on an address, and its manifest. */
interface Sharer extends LiveSharer {
  readonly name: string;
  readonly path: string;
}

/**
 * SHARING_STRANDED for each Service that needs of an address what another live Service gives up there in the same
 * change, once for each two of them. An engine may apply the one before the other, and MetalLB then takes the address
 * from the one, or never gives it, and does not look at it again until something of it changes. It looks at all
 * again when a Service goes, or turns ClusterIP: such a one leaves nobody behind; and from 0.15 on when one gets
 * another sharing key or other pods for Local traffic; but not for a port that one gives up, or an address that it
 * leaves for another (MetalLB: allocator.go Assign, controller/main.go SetBalancer).
 */
export function strandedServices({ before, after }: ReplacedFacts, metallb: MetalLB): Problem[] {
  const live = byAddress(before);
  const staying = new Map(sharersIn(after).map((sharer) => [sharer.name, sharer]));
  const told = new Set<string>();
  return [...staying.values()].flatMap((comer) =>
    comer.pins.flatMap((address) => {
      const there = live.get(address) ?? [];
      const isThere = there.some(({ name }) => name === comer.name);
      return there.flatMap((other): Problem[] => {
        const next = staying.get(other.name);
        const pair = [comer.name, other.name].sort(compareText).join(' ');
        if (other.name === comer.name || next === undefined || told.has(pair)) return [];
        if (looksAgain(metallb) && !hasOneKey(other, next)) return [];
        const leaves = !next.pins.includes(address);
        const obstacle = obstacleTo(comer, other, { isThere, leaves });
        if (obstacle === undefined) return [];
        told.add(pair);
        return [stranded(comer, other, address, obstacle)];
      });
    }),
  );
}

interface Obstacle {
  /** What the live Service does in the same change. */
  readonly what: string;
  /** What to do in one commit, and what in the next. */
  readonly hint: string;
}

interface Circumstances {
  /** True when the comer has the address already, and changes on it. */
  readonly isThere: boolean;
  /** True when the other one gets another address. */
  readonly leaves: boolean;
}

/** What of the live Service keeps another one from its address. */
function obstacleTo(comer: Sharer, other: Sharer, how: Circumstances): Obstacle | undefined {
  const port = comer.ports.find((one) => other.ports.includes(one));
  if (port !== undefined) {
    return {
      what: `gives up ${port} there`,
      hint: how.leaves
        ? `let ${other.name} leave in one commit, and give ${port} to ${comer.name} in the next`
        : `take ${port} from ${other.name} in one commit, and give it to ${comer.name} in the next`,
    };
  }
  if (hasOneKey(comer, other)) return undefined;
  const comes = how.isThere ? `change ${comer.name}` : `let ${comer.name} come`;
  if (how.leaves) {
    return {
      what: 'leaves it',
      hint: `let ${other.name} leave in one commit, and ${comes} in the next`,
    };
  }
  return {
    what:
      comer.sharingKey === other.sharingKey
        ? 'gets another traffic policy or other pods'
        : 'gets another sharing key',
    hint: how.isThere
      ? `remove ${comer.name} in one commit, and declare it again in the next`
      : `change ${other.name} in one commit, and ${comes} in the next`,
  };
}

/** What must be the same of all on one address. */
function hasOneKey(one: LiveSharer, other: LiveSharer): boolean {
  return one.sharingKey === other.sharingKey && one.backend === other.backend;
}

/** True from 0.15 on, where a change of a sharing key or of pods makes MetalLB look at all Services again. */
function looksAgain({ version }: MetalLB): boolean {
  return isSince(version, '0.15.0');
}

function stranded(comer: Sharer, other: Sharer, address: string, obstacle: Obstacle): Problem {
  const { what, hint } = obstacle;
  return {
    code: 'SHARING_STRANDED',
    message: `Service ${comer.name} would wait for ${address}, since the live Service ${other.name} ${what} in the same change`,
    at: startOf(other.path),
    hint: `${hint}, once the first is applied`,
  };
}

function byAddress(files: ReadonlyMap<string, LiveFacts>): ReadonlyMap<string, Sharer[]> {
  const found = new Map<string, Sharer[]>();
  for (const sharer of sharersIn(files)) {
    for (const address of sharer.pins) {
      found.set(address, [...(found.get(address) ?? []), sharer]);
    }
  }
  return found;
}

function sharersIn(files: ReadonlyMap<string, LiveFacts>): readonly Sharer[] {
  return [...files].flatMap(([path, { sharers }]) =>
    [...sharers].map(([name, sharer]) => ({ ...sharer, name, path })),
  );
}
