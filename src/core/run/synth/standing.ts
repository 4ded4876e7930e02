import type { SourceTree } from '../../interfaces/tree.ts';
import type { History } from '../../interfaces/work-tree.ts';
import { liveFacts } from '../../manifests/live-facts.ts';
import { claimNamespace, serviceName } from '../../manifests/names.ts';
import { type Allocation, isHeld, recordsByHolder } from '../../model/allocation.ts';
import { type Claim, declarerText, isLeaseClaim } from '../../model/claim.ts';
import { hostnameFields } from '../../model/hostname.ts';
import { leaseIdText } from '../../model/lease.ts';
import { groupBy } from '../../model/order.ts';
import {
  type Outcome,
  type Position,
  type Problem,
  placeText,
  type Standing,
} from '../../model/problem.ts';
import { distFolder } from '../../model/repository-paths.ts';
import { type DeclaredService, type Reservation, serviceIdText } from '../../model/service.ts';
import { formatAddress } from '../../net/address.ts';
import { type Declared, readDeclared } from '../../tree/declared.ts';
import { textIn } from '../../tree/tree-reader.ts';
import { readWorkspace, type Workspace } from '../../tree/workspace.ts';

/** The codes of problems whose place depends on {@link standingIn}. */
const clashes: ReadonlySet<Problem['code']> = new Set([
  'DNS_TAKEN',
  'HOLDER_CONFLICT',
  'HOLDER_SPLIT',
  'HOSTNAME_TAKEN',
  'LEASE_DUPLICATE',
  'NAME_TAKEN',
  'NODE_PORT_TAKEN',
  'PIN_TAKEN',
  'PORT_TAKEN',
  'PROMISE_DUPLICATE',
  'SERVICE_CONFLICT',
  'SERVICE_DUPLICATE',
  'SHARING_CONFLICT',
]);

/** True for a problem between two declarations or records; one of them may be live. */
export function isClash({ code }: Problem): boolean {
  return clashes.has(code);
}

/** Reads a workspace. The places of clashes follow from the declarations of `before`. */
export async function readRanked(
  tree: SourceTree,
  history: History,
  before: SourceTree,
): Promise<Outcome<Workspace>> {
  const read = await readWorkspace(tree, history);
  if (read.ok || !read.problems.some(isClash)) return read;
  return readWorkspace(tree, history, standingIn(tree, before));
}

/**
 * Returns the standing of declarations and records in a clash. With a base, what the base has in
 * the same words is better than what it has in others, and that is better than what it lacks.
 * Without a base, and of what is equal in it, what has a record, a live port and the recorded values
 * is better. Of equal ones, the one with the older record is better.
 */
export function standingIn(tree: SourceTree, before: SourceTree | undefined): Standing {
  const declared = readDeclared(tree);
  const heldBy = recordsByHolder(declared.table, isHeld);
  const items = itemsOf(declared);
  const live = liveIn(tree, declared, heldBy);
  const byBase = before && ranksByBase(items, itemsOf(readDeclared(before)));
  const ranks = items.map(({ rank }, index) => `${byBase?.[index] ?? ''}${rank?.(live) ?? 0}`);
  const texts = new Map<string, string>();
  for (const [index, { key, holder = '', since }] of items.entries()) {
    texts.set(key, `${ranks[index]} ${since ?? heldBy.get(holder)?.[0]?.since ?? '~'}`);
  }
  return (item) => texts.get(keyOf(item)) ?? '';
}

/** The claims of a Service have one place. */
function keyOf({ at, externalPort, protocol }: Parameters<Standing>[0]): string {
  const place = placeText(at);
  return externalPort === undefined ? place : `${place} ${externalPort}/${protocol}`;
}

/** A problem whose message fits both places, at the one with the worse standing. */
export function placed(problem: Problem, standing: Standing): Problem {
  const [other, ...more] = problem.also ?? [];
  // A pin of an address that is held names a record.
  const isEither =
    problem.code === 'HOLDER_SPLIT' ||
    (problem.code === 'PIN_TAKEN' && other !== undefined && more.length === 0);
  if (!isEither || !other || standing({ at: other }) <= standing({ at: problem.at })) {
    return problem;
  }
  return { ...problem, at: other, also: [problem.at, ...more] };
}

/** A declaration, a part of one, or a record. */
interface Item {
  readonly key: string;
  readonly file: string;
  readonly holder?: string;
  readonly since?: string;
  /** Equal for what is declared in the same words. */
  readonly exact: string;
  /** Equal for what is the same object, port or name. */
  readonly loose: string;
  /** Without a base. The lower one is better. */
  readonly rank?: (live: Live) => number;
}

/** An item that is the same in all words when it has the same identity. */
function item(at: Position, identity: readonly unknown[], more: Partial<Item> = {}): Item {
  const text = JSON.stringify(identity);
  return { key: placeText(at), file: at.file, exact: text, loose: text, ...more };
}

function itemsOf(declared: Declared): readonly Item[] {
  const { claims, leases, services, promises, hostnames, table } = declared;
  const byLease = groupBy(claims.filter(isLeaseClaim), ({ lease }) => lease);
  return [
    ...claims.flatMap(ofClaim),
    ...leases.map(({ cluster, id, at }) => {
      const own = byLease.get(id) ?? [];
      const rank = (live: Live) => Math.max(0, ...own.map((claim) => rankOf(claim, live)));
      return item(at, [cluster, leaseIdText(id)], { rank });
    }),
    ...services.flatMap(ofService),
    ...promises.map(({ at, holder }) => item(at, [holder], { holder })),
    ...hostnames.map((one) => {
      return item(one.at, [one.holder, one.hostname], { exact: hostnameFields(one) });
    }),
    ...[...table.values()].flatMap(({ at, address, holder, since }) =>
      at ? [item(at, [formatAddress(address), holder], { since })] : [],
    ),
  ];
}

function ofClaim(claim: Claim): Item[] {
  const { holder, cluster, service, externalPort, protocol, dns, at } = claim;
  const { zone, pool, advertisement, ipFamily, pins } = claim;
  const port = [cluster, declarerText(claim), externalPort, protocol];
  const terms = claim.kind === 'Service' ? claim.declared.secret?.name : claim.selector;
  const addresses = pins.map(({ address }) => formatAddress(address));
  const rank = (live: Live) => rankOf(claim, live);
  const words = [holder, service, zone, pool, advertisement, ipFamily, addresses, terms];
  return [
    item(at, port, { key: keyOf(claim), holder, exact: JSON.stringify([...port, ...words]), rank }),
    ...pins.map((pin) => item(pin.at, [holder, formatAddress(pin.address)], { holder, rank })),
    ...dns.map((one) => item(one.at, [holder, 'dns', one.name], { holder, rank })),
  ];
}

function ofService(service: DeclaredService | Reservation): Item[] {
  const { at, cluster, ports } = service;
  const id = [cluster, serviceIdText(service)];
  const name = liveName(service);
  const { written, nodePorts = [] } = service.kind === 'Service' ? service : {};
  const texts = ports.map(({ port, protocol }) => `${port}/${protocol}`);
  return [
    item(at, id, {
      exact: JSON.stringify([...id, written, ports]),
      rank: ({ ports: live, names }) => {
        if (live.get(name)?.join() === texts.join()) return 0;
        return names.has(name) ? 1 : 3;
      },
    }),
    ...nodePorts.map((one) =>
      item(one.at, [...id, one.port], {
        rank: (live) => (live.nodePorts.has(`${name} ${one.port}`) ? 0 : 1),
      }),
    ),
  ];
}

function liveName({ cluster, namespace, name }: DeclaredService | Reservation): string {
  return `${cluster} ${namespace}/${name}`;
}

function ranksByBase(items: readonly Item[], before: readonly Item[]): readonly number[] {
  const inFile = new Set(before.map(({ file, exact }) => `${file} ${exact}`));
  const exactly = new Set(before.map(({ exact }) => exact));
  const loosely = new Set(before.map(({ loose }) => loose));
  return items.map(({ file, exact, loose }) => {
    const known = [inFile.has(`${file} ${exact}`), exactly.has(exact), loosely.has(loose)];
    return known.includes(true) ? known.indexOf(true) : known.length;
  });
}

/** The committed manifests and records. */
interface Live {
  readonly pools: Declared['pools'];
  readonly heldBy: ReadonlyMap<string, readonly Allocation[]>;
  /** The ports of each Service with an address, such as `80/TCP`: by `cluster namespace/name`. */
  readonly ports: ReadonlyMap<string, readonly string[]>;
  /** `cluster namespace/name` of each Service that is not headless. */
  readonly names: ReadonlySet<string>;
  /** `cluster namespace/name port`. */
  readonly nodePorts: ReadonlySet<string>;
}

function liveIn(tree: SourceTree, { pools }: Declared, heldBy: Live['heldBy']): Live {
  const ports = new Map<string, readonly string[]>();
  const names = new Set<string>();
  const nodePorts = new Set<string>();
  for (const { path, kind } of tree.list(distFolder)) {
    if (kind !== 'file') continue;
    const [, cluster = ''] = path.split('/');
    const facts = liveFacts(textIn(tree, path));
    for (const name of facts.families.keys()) names.add(`${cluster} ${name}`);
    for (const [name, sharer] of facts.sharers) ports.set(`${cluster} ${name}`, sharer.ports);
    for (const [port, name] of facts.nodePorts) nodePorts.add(`${cluster} ${name} ${port}`);
  }
  return { pools, heldBy, ports, names, nodePorts };
}

/**
 * 0 for a claim whose holder has a record with its values, and whose port is live. 4 or more without
 * a record.
 */
function rankOf(claim: Claim, { pools, heldBy, ports }: Live): number {
  const records = heldBy.get(claim.holder) ?? [];
  const cluster = pools?.clusters.find(({ name }) => name === claim.cluster);
  const { naming = 'akash' } = cluster ?? {};
  const name = `${claim.cluster} ${claimNamespace(naming, claim)}/${serviceName(naming, claim)}`;
  const isLive = ports.get(name)?.includes(`${claim.externalPort}/${claim.protocol}`) ?? false;
  const differs = records.some(
    ({ address, pool }) =>
      (claim.pool !== undefined && claim.pool !== pool) ||
      claim.pins.some((pin) => {
        return (
          pin.address.family === address.family &&
          formatAddress(pin.address) !== formatAddress(address)
        );
      }),
  );
  return (records.length > 0 ? 0 : 4) + (isLive ? 0 : 2) + (differs ? 1 : 0);
}
