import { keyPath } from '../../declarations/key-file.ts';
import { type Allocation, addressesHeldBy } from '../../model/allocation.ts';
import type { Day } from '../../model/day.ts';
import { type Holder, holderText } from '../../model/holder.ts';
import { keyText } from '../../model/ownership.ts';
import { fewOf, startOf } from '../../model/problem.ts';
import { formatAddress } from '../../net/address.ts';
import type { Declared } from '../../tree/declared.ts';
import { type KeyChange, keyChanges } from '../review/key-changes.ts';
import { planPlace } from './address-changes.ts';
import { cautionsFor, mostNamed } from './caution-text.ts';
import type { AddressChange, Caution } from './plan-answer.ts';

/** NEVER_LIVE for each released address that the base has no record of. */
export function neverLiveCautions(addresses: readonly AddressChange[]): Caution[] {
  const neverLive = addresses.filter(({ change, before }) => change === 'released' && !before);
  return cautionsFor(neverLive, {
    one: ({ address, after, at }): Caution => ({
      code: 'NEVER_LIVE',
      message: `${address} was never live, but is not free for others until ${after?.freeFrom}`,
      at,
    }),
    many: (shown, count): Caution => ({
      code: 'NEVER_LIVE',
      message: `${count} addresses were never live, but are not yet free for others, including ${shown.map(({ address }) => address).join(', ')}`,
    }),
  });
}

/** RETENTION_SHORTENED, for addresses that are held in the base. */
export function recordCautions(base: Declared, head: Declared): Caution[] {
  const pairs = [...base.table].flatMap(([address, before]) => {
    const after = head.table.get(address);
    return after && !before.released ? [{ before, after }] : [];
  });
  const shortened = pairs.filter(
    ({ before, after }) => !after.released && after.retain < before.retain,
  );
  return [
    ...cautionsFor(shortened, {
      one: ({ before, after }): Caution => ({
        code: 'RETENTION_SHORTENED',
        message: `${formatAddress(after.address)} would be kept ${after.retain} days after its release instead of ${before.retain}`,
        at: planPlace('head', after.at ?? startOf('leases')),
      }),
      many: (shown, count): Caution => ({
        code: 'RETENTION_SHORTENED',
        message: `${count} addresses would be kept for a shorter time after their release, including ${shown.map(({ after }) => formatAddress(after.address)).join(', ')}`,
      }),
    }),
  ];
}

/**
 * NAME_CHANGED for each new Service that gets another address than one of its namespace or name
 * that is gone, and has the same ports.
 */
export function nameCautions(base: Declared, head: Declared): Caution[] {
  const before = new Map((base.holders ?? []).map((holder) => [holder.id, holder]));
  const after = new Map((head.holders ?? []).map((holder) => [holder.id, holder]));
  const removed = [...before.values()].filter(({ id }) => !after.has(id));
  const added = [...after.values()].filter(
    ({ id, formerly }) => !before.has(id) && formerly.length === 0,
  );
  const pairs = added.flatMap((now) => {
    const was = removed.find((one) => mayBeRenamed(one, now));
    const [from, to] = [
      was && addressesHeldBy(base.table, was.id),
      addressesHeldBy(head.table, now.id),
    ];
    return was && from && from.length > 0 && to.length > 0 ? [{ was, now, from, to }] : [];
  });
  return cautionsFor(pairs, {
    one: ({ was, now, from, to }): Caution => ({
      code: 'NAME_CHANGED',
      message: `${holderText(now.id)} gets ${to.map(formatAddress).join(' and ')}, and ${holderText(was.id)} with the same ports is no longer declared; if it has only another name, \`leasehold rename ${was.id} ${now.id}\` keeps ${from.map(formatAddress).join(' and ')}`,
      at: planPlace('head', now.at),
    }),
    many: (shown, count): Caution => ({
      code: 'NAME_CHANGED',
      message: `${count} new Services have the ports of Services that are no longer declared, including ${shown.map(({ now }) => holderText(now.id)).join(', ')}`,
    }),
  });
}

/** True for two Services in one cluster with the same ports, in one namespace or of one name. */
function mayBeRenamed(was: Holder, now: Holder): boolean {
  const [[cluster, kind, namespace, name], other] = [was.id.split('/'), now.id.split('/')];
  const isNear = other[2] === namespace || other[3] === name;
  if (kind !== 'service' || other[1] !== kind || other[0] !== cluster || !isNear) return false;
  const portsOf = ({ claims }: Holder) =>
    claims.map(({ externalPort, protocol }) => `${externalPort}/${protocol}`).sort();
  return portsOf(was).join() === portsOf(now).join();
}

/** KEY_CHANGED for each removed or changed key that held or retained addresses have. */
export function keyCautions(base: Declared, head: Declared, day: Day): Caution[] {
  return cautionsFor(keyChanges(base, head, day), {
    one: (change): Caution => ({
      code: 'KEY_CHANGED',
      message: [keyChangeText(change), ...affectedTexts(change)].join('; '),
      at: change.after
        ? planPlace('head', change.after.at)
        : planPlace('base', startOf(keyPath(change.before))),
    }),
    many: (shown, count): Caution => ({
      code: 'KEY_CHANGED',
      message: `${count} keys of addresses change, including ${shown.map(({ before }) => keyText(before)).join(', ')}`,
    }),
  });
}

function keyChangeText({ before, after }: KeyChange): string {
  const name = `the key ${keyText(before)}`;
  if (!after) return `${name} is deleted`;
  if (keyText(after) !== keyText(before)) return `${name} is renamed to ${keyText(after)}`;
  const changed = [
    ...(after.publicKey === before.publicKey ? [] : ['public key']),
    ...(after.salt === before.salt ? [] : ['salt']),
  ];
  return `${name} gets a new ${changed.join(' and ')}`;
}

function affectedTexts({ rotated, under }: KeyChange): readonly string[] {
  const named = (records: readonly Allocation[]) =>
    fewOf(
      records.map(({ address }) => formatAddress(address)),
      mostNamed,
    );
  return [
    ...(rotated.length > 0 ? [`rotated with a signature of the old key: ${named(rotated)}`] : []),
    ...(under.length > 0 ? [`still under the old key: ${named(under)}`] : []),
  ];
}
