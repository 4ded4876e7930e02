import { claimNamespace, serviceName } from '../../manifests/names.ts';
import { type Allocation, isHeld, recordsByHolder, vacatedIn } from '../../model/allocation.ts';
import { type Claim, claimText, wantsFamily } from '../../model/claim.ts';
import { holderText } from '../../model/holder.ts';
import { addToGroup, groupBy } from '../../model/order.ts';
import { counted, fewOf } from '../../model/problem.ts';
import { serviceIdText } from '../../model/service.ts';
import { bothFamilies, byAddress, type Family, formatAddress } from '../../net/address.ts';
import type { Declared } from '../../tree/declared.ts';
import { planPlace } from './address-changes.ts';
import { cautionsFor, mostNamed } from './caution-text.ts';
import { claimKey } from './claim-details.ts';
import type { AddressChange, Caution } from './plan-answer.ts';
import { PublicAddresses } from './public-addresses.ts';

/**
 * LEASE_CUT for each held address that is released, except by a move or the end of a promise, and
 * except one whose ports all move: {@link moveCautions} tells them.
 */
export function cutCautions(
  addresses: readonly AddressChange[],
  { table }: Declared,
  moved: readonly MovedClaim[] = [],
): Caution[] {
  const vacated = vacatedIn(table);
  const leaving = groupBy(moved, ({ before, from }) => `${before.holder} ${from}`);
  const cut = addresses.filter(
    ({ change, before, address }) =>
      change === 'released' &&
      before?.state === 'held' &&
      before.promisedUntil === undefined &&
      (leaving.get(`${before.holder} ${address}`)?.length ?? 0) < before.claims.length &&
      !vacated.has(`${before.holder} ${address}`),
  );
  return cautionsFor(cut, {
    one: ({ address, before, at }) => ({
      code: 'LEASE_CUT',
      message: `${holderText(before?.holder ?? '')} loses ${address}: ${before?.claims.join(', ')}`,
      at,
    }),
    many: (shown, count) => ({
      code: 'LEASE_CUT',
      message: `${count} addresses are released, including ${shown.map(({ address }) => address).join(', ')}`,
    }),
  });
}

/** LEASE_MOVED, or SHARING_KEY_CHANGED when the holder changes too. */
export function moveCautions(moved: readonly MovedClaim[]): Caution[] {
  return (['SHARING_KEY_CHANGED', 'LEASE_MOVED'] as const).flatMap((code) => {
    const isRenamed = ({ before, after }: MovedClaim) => before.holder !== after.holder;
    const selected = moved.filter((move) => isRenamed(move) === (code === 'SHARING_KEY_CHANGED'));
    return cautionsFor(selected, {
      one: (move): Caution => ({
        code,
        message: movedClaimText(move),
        at: planPlace('head', move.after.at),
      }),
      many: (shown, count): Caution => ({
        code,
        message: `${count} services move to another address, including ${shown.map(movedClaimText).join('; ')}`,
      }),
    });
  });
}

/** `web 80/TCP of shop of akash1… moves from 203.0.113.7 to 203.0.113.9`. */
export function movedClaimText({ before, after, from, to }: MovedClaim): string {
  const whose =
    before.holder === after.holder
      ? holderText(after.holder)
      : `${holderText(before.holder)}, now ${holderText(after.holder)},`;
  return `${claimText(after)} of ${whose} moves from ${from} to ${to}`;
}

/** OBJECTS_REPLACED when the Services of remaining leases change names. */
export function replacedCautions(base: Declared, head: Declared): Caution[] {
  const isSameNaming = namingText(base) === namingText(head);
  const [removed, added] = isSameNaming ? differentClaims(base, head) : [base.claims, head.claims];
  const before = serviceNames(removed, base);
  const replaced = [...serviceNames(added, head)].filter(([key, name]) => {
    const old = before.get(key);
    return old !== undefined && old !== name;
  });
  const [first] = replaced;
  if (!first) return [];
  const count = counted(replaced.length, 'Service');
  const [key, name] = first;
  return [
    {
      code: 'OBJECTS_REPLACED',
      message: `${count} of remaining leases will be deleted and recreated under another name, such as ${before.get(key)} as ${name}`,
    },
  ];
}

/** The Service of each claim, by a key that does not depend on the provider. */
function serviceNames(
  claims: readonly Claim[],
  { pools }: Pick<Declared, 'pools'>,
): ReadonlyMap<string, string> {
  const clusters = new Map((pools?.clusters ?? []).map((cluster) => [cluster.name, cluster]));
  return new Map(
    claims.flatMap((claim) => {
      const naming = clusters.get(claim.cluster)?.naming;
      if (naming === undefined) return [];
      const name = `${claimNamespace(naming, claim)}/${serviceName(naming, claim)}`;
      return [[anyProviderKey(claim), name] as const];
    }),
  );
}

/** The naming of each cluster. */
function namingText({ pools }: Declared): string {
  return JSON.stringify((pools?.clusters ?? []).map(({ name, naming }) => [name, naming]));
}

/** The claims of each side without those of files that both sides have. */
function differentClaims(base: Declared, head: Declared): [readonly Claim[], readonly Claim[]] {
  const [old, now] = [new Set(base.claims), new Set(head.claims)];
  return [
    base.claims.filter((claim) => !now.has(claim)),
    head.claims.filter((claim) => !old.has(claim)),
  ];
}

function anyProviderKey(claim: Claim): string {
  return `${claim.cluster} ${anyProviderText(claim)} ${claimText(claim)}`;
}

function anyProviderText(claim: Claim): string {
  if (claim.kind === 'Service') return serviceIdText(claim.declared);
  const { owner, dseq, gseq, oseq } = claim.lease;
  return `${owner}/${dseq}/${gseq}/${oseq}`;
}

/** A claim that both sides declare, with a different address afterwards. */
export interface MovedClaim {
  readonly before: Claim;
  readonly after: Claim;
  readonly from: string;
  readonly to: string;
}

/** The claims that change addresses, in the head's order, once for each family of both sides. */
export function movedClaims(base: Declared, head: Declared): readonly MovedClaim[] {
  const [removed, added] = differentClaims(base, head);
  const old = new Map(removed.map((claim) => [claimKey(claim), claim]));
  const isNew = new Set(added);
  const had = recordsByHolder(base.table, isHeld);
  const has = recordsByHolder(head.table, isHeld);
  return head.claims.flatMap((after) => {
    const before = isNew.has(after) ? old.get(claimKey(after)) : after;
    if (!before) return [];
    return bothFamilies.flatMap((family) => {
      const from = addressOf(had.get(before.holder), before, family);
      const to = addressOf(has.get(after.holder), after, family);
      return from === undefined || to === undefined || from === to
        ? []
        : [{ before, after, from, to }];
    });
  });
}

function addressOf(
  records: readonly Allocation[] | undefined,
  claim: Claim,
  family: Family,
): string | undefined {
  if (!wantsFamily(claim, family)) return undefined;
  const record = records?.find(({ address }) => address.family === family);
  return record && formatAddress(record.address);
}

/** A port of an address that has a public one. */
interface PublicPort {
  readonly address: string;
  /** The first claim of the port. */
  readonly claim: Claim;
}

/**
 * PUBLIC_PORT_SHARED for each port that a change gives to one more address behind a public address:
 * without another public port for one of them, a NAT forwards it to one only.
 */
export function publicPortCautions(base: Declared, head: Declared): Caution[] {
  const known = publicPorts(base);
  const shared = [...publicPorts(head)].flatMap(([port, all]) => {
    if (all.length < 2) return [];
    const before = new Set(known.get(port)?.map(({ address }) => address));
    const added = all.filter(({ address }) => !before.has(address)).at(-1);
    return added ? [{ port, added, others: all.filter((one) => one !== added) }] : [];
  });
  return cautionsFor(shared, {
    one: ({ port, added, others }): Caution => {
      const { address, claim } = added;
      const texts = others.map(
        (other) =>
          `${other.address} (${holderText(other.claim.holder)}, ${other.claim.at.file}:${other.claim.at.line})`,
      );
      return {
        code: 'PUBLIC_PORT_SHARED',
        message: `${address} (${holderText(claim.holder)}) has ${port}, and so has ${fewOf(texts, mostNamed)}`,
        at: planPlace('head', claim.at),
      };
    },
    many: (shown, count): Caution => ({
      code: 'PUBLIC_PORT_SHARED',
      message: `${count} ports are those of several addresses, including ${shown.map(({ port }) => port).join(', ')}`,
    }),
  });
}

/** The addresses that have each port behind a public address, `80/TCP behind 198.51.100.1`. */
function publicPorts({
  pools,
  claims,
  table,
}: Declared): ReadonlyMap<string, readonly PublicPort[]> {
  const publicAddresses = new PublicAddresses(pools);
  const behind = [...table.values()].filter((record) => publicAddresses.of(record) !== undefined);
  if (behind.length === 0) return new Map();
  const byHolder = groupBy(claims, ({ holder }) => holder);
  const ports = new Map<string, PublicPort[]>();
  for (const record of behind.sort(byAddress)) {
    const own = (byHolder.get(record.holder) ?? []).filter((claim) =>
      wantsFamily(claim, record.address.family),
    );
    const first = groupBy(own, (claim) => `${claim.externalPort}/${claim.protocol}`);
    for (const [port, [claim]] of first) {
      const address = formatAddress(record.address);
      addToGroup(ports, `${port} behind ${publicAddresses.of(record)}`, { address, claim });
    }
  }
  return ports;
}
