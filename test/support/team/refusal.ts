import { daysAfter } from '../allocations/naive-rules.ts';
import type { Finished } from '../run/run-in-process.ts';
import { rivalsOf } from './hostname-view.ts';
import {
  type ClaimView,
  familyOf,
  heldIn,
  type PoolView,
  type TreeView,
  wantedIn,
  zoneOf,
} from './view.ts';

/** What a run of leasehold refused, and why. */
export interface Refusal {
  /** Each code once, or `exit N` of a run that ended without one. */
  readonly codes: readonly string[];
  readonly text: string;
}

/** The refusal of a run; undefined of one that went well. */
export function refusalOf({ status, out, err }: Finished): Refusal | undefined {
  if (status === 0) return undefined;
  const text = `${out}${err}`;
  const codes = [...text.matchAll(/^\S+:\d+:\d+ ([A-Z_]+) /gm)].map(([, code = '']) => code);
  return { codes: codes.length > 0 ? [...new Set(codes)] : [`exit ${status}`], text };
}

/** The trees that tell whether a refusal is right. */
export interface Evidence {
  /** The tree that was refused. */
  readonly tree: TreeView;
  readonly main: TreeView;
  /** The branch that the run was told to start from, or the commit of main that its branch starts from. */
  readonly base: TreeView;
  /** How many addresses the run was to move. */
  readonly moving?: number;
  readonly today: string;
}

/** True when people have to decide about each code, and the files confirm it. */
export function isRight({ codes }: Refusal, evidence: Evidence): boolean {
  return codes.every((code) => reasons[code]?.(evidence) ?? false);
}

/** The codes that people decide about, each with a check of its cause that uses no code of the product. */
const reasons: Readonly<Record<string, (evidence: Evidence) => boolean>> = {
  ADDRESS_STRANDED: (evidence) => isStranded(evidence) || hasBrokenPromise(evidence),
  ZONE_FAMILY: isStranded,
  BASE_WITHHOLDS: ({ tree, main }) => {
    const reserved = main.pools.flatMap((pool) => pool.reserved ?? []);
    return reserved.some((address) => heldIn(tree).has(address) && !heldIn(main).has(address));
  },
  // Git has joined two edits of a record.
  ALLOCATION_INVALID: ({ tree: { records, hostnameRecords } }) =>
    [...records.values(), ...hostnameRecords.values()].some(
      ({ since, releasedOn = since }) => releasedOn < since,
    ),
  // Somebody's clock was a day ahead, and the change has landed.
  DATE_EARLIER: ({ tree, main, base, today }) =>
    [tree, main, base].some(({ records, hostnameRecords }) =>
      [...records.values(), ...hostnameRecords.values()].some(
        ({ since, releasedOn = since }) => releasedOn > today,
      ),
    ),
  HOSTNAME_KEPT: isKeptHostname,
  HOSTNAME_TAKEN: isTakenHostname,
  FAMILY_CHANGED: changesFamilies,
  POOL_CHANGED: movesOneOfTwo,
  HOLDER_CONFLICT: ({ tree }) =>
    groupsOf(tree, ({ holder }) => holder).some(
      (claims) =>
        new Set(claims.flatMap(({ zone }) => zone ?? [])).size > 1 ||
        new Set(claims.flatMap(({ pins }) => pins)).size > 1,
    ),
  LEASE_DUPLICATE: hasTwoFilesOfOne,
  SERVICE_DUPLICATE: hasTwoFilesOfOne,
  MASS_RELEASE: ({ tree, main, base }) => {
    const wanted = wantedIn(tree);
    const kept = heldIn(tree);
    const isGone = (address: string, key: string) => kept.get(address) !== key || !wanted.has(key);
    return [main, base].some((view) => {
      return [...heldIn(view)].filter(([address, key]) => isGone(address, key)).length > 3;
    });
  },
  PIN_MOVED: (evidence) =>
    isPin(evidence, (view, { pin, key }) => {
      const own = [...heldIn(view)].find(([, other]) => other === key)?.[0];
      return own !== undefined && own !== pin;
    }),
  PIN_OUTSIDE: (evidence) =>
    isPin(evidence, ({ pools }, { pin }) => !pools.flatMap(offeredBy).includes(pin)),
  POOL_OVERLAP: ({ tree }) =>
    tree.pools.some(({ addresses }) => {
      const all = addresses.flatMap(expanded);
      return new Set(all).size < all.length;
    }),
  RESERVED_OUTSIDE: ({ tree }) =>
    tree.pools.some(({ addresses, reserved = [] }) => {
      return reserved.some((address) => !addresses.flatMap(expanded).includes(address));
    }),
  PIN_RESERVED: (evidence) =>
    isPin(evidence, ({ pools }, { pin }) => pools.some((pool) => pool.reserved?.includes(pin))),
  PIN_RETAINED: (evidence) =>
    isPin(evidence, ({ records }, { pin, holder }) => {
      const record = records.get(pin);
      // What nobody wants any more is released by the run itself.
      const { freeFrom = '~' } = record ?? { freeFrom: '' };
      return freeFrom > evidence.today && record?.holder !== holder;
    }),
  PIN_TAKEN: (evidence) =>
    isPin(evidence, (view, { pin, key }) => {
      const rivals = pinsOf(evidence.tree).filter((other) => other.pin === pin);
      return (heldIn(view).get(pin) ?? key) !== key || rivals.some((other) => other.key !== key);
    }),
  POOL_EXHAUSTED: (evidence) =>
    evidence.tree.pools.some((pool) =>
      ['ipv4', 'ipv6'].some((family) => isFull(evidence, pool, family)),
    ),
  PORT_TAKEN: ({ tree }) =>
    groupsOf(tree, ({ holder, port }) => `${holder} ${port}`).some((claims) => claims.length > 1),
  PROMISE_TOO_LONG: ({ tree, today }) =>
    tree.promises.some(({ until = today }) => until > daysAfter(today, 30)),
  QUOTA_EXCEEDED: (evidence) => {
    const quota = Math.min(evidence.tree.quota, evidence.main.quota);
    const owners = groupsOf(evidence.tree, ({ owner }) => owner);
    return owners.some((claims) => usageOf(claims, evidence) > quota);
  },
  SHARING_STRANDED: handsOverPort,
};

/** True when two declare one hostname, or somebody a hostname that overlaps one that another holder has. */
function isTakenHostname({ tree, main, base }: Evidence): boolean {
  return tree.hostnames.some((one) => {
    const isTwice = tree.hostnames.some(
      (other) => other !== one && other.hostname === one.hostname,
    );
    const recorded = [tree, main, base].flatMap((view) => rivalsOf(view, one).recorded);
    const isHeld = recorded.some(({ freeFrom }) => freeFrom === undefined);
    return isTwice || isHeld || rivalsOf(tree, one).declared.length > 0;
  });
}

/** True when somebody declares a hostname that overlaps one that is kept for another holder, or that this run releases. */
function isKeptHostname({ tree, main, base, today }: Evidence): boolean {
  return tree.hostnames.some((one) => {
    const recorded = [tree, main, base].flatMap((view) => rivalsOf(view, one).recorded);
    const { since = today } = tree.hostnameRecords.get(one.hostname) ?? {};
    return recorded.some(({ freeFrom = '~' }) => freeFrom > today || freeFrom > since);
  });
}

/** True when a holder that has an address on main wants other families. */
function changesFamilies({ tree, main }: Evidence): boolean {
  const families = (keys: Iterable<string>, holder: string) =>
    ['ipv4', 'ipv6'].filter((family) => new Set(keys).has(`${holder} ${family}`)).join();
  const held = new Set(heldIn(main).values());
  const wanted = new Set(wantedIn(tree).keys());
  return tree.claims.some(({ holder }) => {
    const live = families(held, holder);
    return live !== '' && live !== families(wanted, holder);
  });
}

/** True when one address of a live dual-stack holder moves: MetalLB refuses an address in two pools. */
function movesOneOfTwo({ tree, main }: Evidence): boolean {
  const before = heldIn(main);
  const live = new Set(before.values());
  return tree.claims.some(({ holder }) => {
    const keys = [`${holder} ipv4`, `${holder} ipv6`];
    if (!keys.every((key) => live.has(key))) return false;
    return [...heldIn(tree)].some(
      ([address, key]) => keys.includes(key) && before.get(address) !== key,
    );
  });
}

/** True when one declaration gives up a port of an address, and another takes it. */
function handsOverPort({ tree, main }: Evidence): boolean {
  return main.claims.some((old) =>
    tree.claims.some(
      ({ holder, port, declares }) =>
        holder === old.holder && port === old.port && declares !== old.declares,
    ),
  );
}

/** True when a holder has an address that the pools of its zone do not give. */
function isStranded({ tree, main, base }: Evidence): boolean {
  const wanted = wantedIn(tree);
  return [tree, main, base].some((view) =>
    [...heldIn(view)].some(([address, key]) => {
      const [claim] = wanted.get(key) ?? [];
      if (!claim) return false;
      return !isGivenTo(tree, claim.holder, address);
    }),
  );
}

/** True when a promise has a family that the lease of its holder lacks. */
function hasBrokenPromise({ tree }: Evidence): boolean {
  const wanted = wantedIn(tree);
  return tree.promises.some(({ holder, families }) =>
    families.some((family) => !wanted.has(`${holder} ${family}`)),
  );
}

function groupsOf(
  { claims }: TreeView,
  keyOf: (claim: ClaimView) => string,
): readonly (readonly ClaimView[])[] {
  const groups = new Map<string, ClaimView[]>();
  for (const claim of claims) {
    groups.set(keyOf(claim), [...(groups.get(keyOf(claim)) ?? []), claim]);
  }
  return [...groups.values()];
}

function hasTwoFilesOfOne({ tree }: Evidence): boolean {
  const files = new Map<string, Set<string>>();
  const leases = tree.hostnames.map(({ lease, file }) => ({ declares: lease, file }));
  for (const { declares, file } of [...tree.claims, ...leases]) {
    if (declares !== undefined) {
      files.set(declares, new Set([...(files.get(declares) ?? []), file]));
    }
  }
  return [...files.values()].some(({ size }) => size > 1);
}

interface Pin {
  readonly pin: string;
  readonly holder: string;
  readonly key: string;
}

function pinsOf({ claims }: TreeView): readonly Pin[] {
  return claims.flatMap(({ pins, holder }) =>
    pins.map((pin) => ({ pin, holder, key: `${holder} ${familyOf(pin)}` })),
  );
}

/** True when something holds of a pin, by the tree that was refused, by main or by the base. */
function isPin({ tree, main, base }: Evidence, is: (view: TreeView, pin: Pin) => boolean): boolean {
  return pinsOf(tree).some((pin) => [tree, main, base].some((view) => is(view, pin)));
}

/** True when those who want an address of a pool are more than it has, without what it keeps for others. */
function isFull(
  { tree, main, today, moving = 0 }: Evidence,
  pool: PoolView,
  family: string,
): boolean {
  const offered = offeredBy(pool).filter((address) => familyOf(address) === family);
  const wanting = [...wantedIn(tree)]
    .filter(([key, [claim]]) => {
      return key.endsWith(family) && claim && zoneOf(tree, claim.holder) === pool.zone;
    })
    .map(([key]) => key);
  const isKept = (view: TreeView, address: string) => {
    const record = view.records.get(address);
    const key = `${record?.holder} ${family}`;
    const isMoved = record?.freeFrom !== undefined && [...heldIn(view).values()].includes(key);
    const isOwn = wanting.includes(key) && !isMoved;
    // What nobody wants any more is released by the run itself, and kept.
    return record !== undefined && !isOwn && (record.freeFrom ?? '~') > today;
  };
  const kept = offered.filter((address) => [tree, main].some((view) => isKept(view, address)));
  return wanting.length + moving > offered.length - kept.length;
}

/** What an owner wants, and what is still kept for it beside that. */
function usageOf(claims: readonly ClaimView[], { tree, main, base, today }: Evidence): number {
  const wanted = new Set(
    claims.flatMap(({ holder, families }) => families.map((family) => `${holder} ${family}`)),
  );
  const prefix = (claims[0]?.owner ?? '').startsWith('akash1')
    ? `default/akash/${claims[0]?.owner}-ip-`
    : `default/service/${claims[0]?.owner.slice('default/'.length)}/`;
  const held = new Set(heldIn(tree).values());
  const kept = [tree, main, base].flatMap(({ records }) =>
    [...records.values()].filter(({ address, holder, freeFrom, retain }) => {
      const key = `${holder} ${familyOf(address)}`;
      // What nobody wants any more, or a move of the branch has left, is released by the run itself.
      if (freeFrom === undefined) {
        const isLeft = held.has(key) && heldIn(tree).get(address) !== key;
        return holder.startsWith(prefix) && (!wanted.has(key) || isLeft) && retain > 0;
      }
      const returns = wanted.has(key) && !held.has(key) && isGivenTo(tree, holder, address);
      return holder.startsWith(prefix) && freeFrom > today && !returns;
    }),
  );
  return wanted.size + new Set(kept.map(({ address }) => address)).size;
}

/** True for an address that a pool of the holder's zone gives. */
function isGivenTo(tree: TreeView, holder: string, address: string): boolean {
  const pools = tree.pools.filter(({ zone }) => zone === zoneOf(tree, holder));
  return pools.some((pool) => offeredBy(pool).includes(address));
}

/** The addresses that a pool gives. */
function offeredBy({ addresses, reserved = [] }: PoolView): readonly string[] {
  return addresses.flatMap(expanded).filter((address) => !reserved.includes(address));
}

/** The addresses of a block whose last part alone counts, or of one address. */
function expanded(block: string): readonly string[] {
  const [first = '', length] = block.split('/');
  if (length === undefined) return [first];
  const isV6 = familyOf(first) === 'ipv6';
  const stem = first.slice(0, first.lastIndexOf(isV6 ? ':' : '.') + 1);
  return Array.from({ length: 2 ** ((isV6 ? 128 : 32) - Number(length)) }, (_, index) =>
    isV6 ? `${stem}${index === 0 ? '' : index.toString(16)}` : `${stem}${index}`,
  );
}
