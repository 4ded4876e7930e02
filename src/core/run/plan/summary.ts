import { holderText } from '../../model/holder.ts';
import { groupBy } from '../../model/order.ts';
import { counted, fewOf } from '../../model/problem.ts';
import { changedObjectsText, noChangedObjects } from './objects/object-groups.ts';
import type { AddressChange, AddressChangeKind, ChangedHostname, Plan } from './plan-answer.ts';

/** The parts of a plan that decide its verdict and its summary. */
export type PlanParts = Pick<
  Plan,
  'addresses' | 'hostnames' | 'cautions' | 'problems' | 'manifests'
>;

/**
 * The plan in one sentence, with a period. `moves` has a clause without a period for each service
 * that moves to another address.
 */
export function summaryOf(
  plan: PlanParts,
  moves: readonly string[],
  changed = noChangedObjects,
): string {
  const [problem] = plan.problems;
  if (problem) {
    const count = plan.problems.length;
    const which = count === 1 ? '' : `${count} problems, the first is: `;
    return `This must not be merged: ${which}${problem.message}.`;
  }
  const hostnames = hostnamesText(plan.hostnames ?? []);
  if (plan.addresses.length === 0 && hostnames === '') {
    const objects = changedObjectsText(changed, 'does');
    return objects === '' ? textWithoutAddresses(plan) : `No address changes, but ${objects}.`;
  }
  const addresses = plan.addresses.length === 0 ? '' : addressSummary(plan.addresses, moves);
  const objects = changedObjectsText({ ...changed, cosmetic: [] }, 'changes');
  const sentence = objects && `${objects.charAt(0).toUpperCase()}${objects.slice(1)}.`;
  return [addresses, hostnames, sentence].filter((text) => text !== '').join(' ');
}

/** The changed hostnames in one sentence; empty without any. */
function hostnamesText(changes: readonly ChangedHostname[]): string {
  const [first] = changes;
  if (!first) return '';
  if (changes.length === 1) return `${hostnameText(first)}.`;
  const moved = changes.filter(changesInDns);
  const all = `${changes.length} hostnames`;
  if (moved.length === 0) return `${all} change.`;
  const named = fewOf(
    moved.map(({ hostname }) => hostname),
    3,
  );
  if (moved.length === changes.length) return `${all} change their addresses in DNS: ${named}.`;
  const some = counted(moved.length, 'of them changes its', 'of them change their');
  return `${all} change, ${some} addresses in DNS: ${named}.`;
}

/** True for a hostname that stays held, and has other addresses in DNS. */
function changesInDns({ before, after }: ChangedHostname): boolean {
  if (before?.state !== 'held' || after?.state !== 'held') return false;
  return before.dns?.join() !== after.dns?.join();
}

function hostnameText({ hostname, change, before, after, details }: ChangedHostname): string {
  const who = holderText((after ?? before)?.holder ?? '');
  const what = `the hostname ${hostname}`;
  switch (change) {
    case 'allocated':
      return `${who} gets ${what}`;
    case 'reclaimed':
      return `${who} reclaims ${what}`;
    case 'updated':
      return `${who} keeps ${what}: ${details.join(', ')}`;
    case 'released':
      return before?.state === 'held'
        ? `${who} loses ${what}`
        : `${what} given to ${who} and released within this change`;
    case 'removed':
      return `record of ${what} removed (not held)`;
  }
}

function addressSummary(addresses: readonly AddressChange[], moves: readonly string[]): string {
  const groups = groupsOf(addresses);
  const [move] = moves;
  const hasMoved = groups.some(({ event }) => event === 'moved');
  const alike = alikeText(groups);
  if (alike !== undefined) return `${alike}.`;
  if (groups.length > mostNamed || (moves.length > 1 && !hasMoved)) {
    return `${countedText(groups, moves.length)}.`;
  }
  // Two groups without a move are a release and an allocation under another name.
  const isAll = moves.length === 1 && (groups.length === 1 || !hasMoved);
  return `${isAll ? move : groups.map(groupText).join('; ')}.`;
}

/** Of several holders that keep their addresses with the same change. */
function alikeText(groups: readonly Group[]): string | undefined {
  const [first, ...others] = groups.map(({ event, addresses }) => {
    const details = addresses.flatMap((address) => address.details);
    return event === 'updated' ? [...new Set(details)].join(', ') : '';
  });
  if (!first || others.length === 0 || others.some((text) => text !== first)) return undefined;
  return `${groups.length} holders keep their addresses: ${first}`;
}

/** A summary of more changes than this counts them and names no holder. */
const mostNamed = 2;

/**
 * An address change. `never live` is a release of what the base does not hold, which affects no
 * holder; `moved` is a release and an allocation, or a reclaim, of one holder.
 */
type Event = AddressChangeKind | 'never live' | 'moved';

/** The addresses of one holder with the same event: a dual-stack pair counts once. */
interface Group {
  readonly event: Event;
  readonly holder: string;
  readonly addresses: readonly AddressChange[];
}

function groupsOf(addresses: readonly AddressChange[]): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const address of addresses) {
    const { change, before, after } = address;
    const event = change === 'released' && before?.state !== 'held' ? 'never live' : change;
    const holder = (after ?? before)?.holder ?? '';
    const key = `${event} ${holder}`;
    const group = groups.get(key);
    groups.set(key, { event, holder, addresses: [...(group?.addresses ?? []), address] });
  }
  return withMoves([...groups.values()]);
}

/**
 * The groups, with the release and the allocation of one holder as one group. A holder can also
 * reclaim the address that it moves to, such as after the revert of a move.
 */
function withMoves(groups: readonly Group[]): readonly Group[] {
  const parts = groupBy(groups.filter(isOfMove), ({ holder }) => holder);
  return groups.flatMap((group): Group[] => {
    const { holder, event } = group;
    const own = isOfMove(group) ? (parts.get(holder) ?? []) : [];
    const isMoved = own.length > 1 && own.some((part) => part.event === 'released');
    if (!isMoved) return [group];
    const addresses = own.flatMap((part) => part.addresses);
    return event === 'released' ? [{ event: 'moved', holder, addresses }] : [];
  });
}

function isOfMove({ event }: Group): boolean {
  return event === 'released' || event === 'allocated' || event === 'reclaimed';
}

function groupText({ event, holder, addresses }: Group): string {
  const who = holderText(holder);
  const what = addressesText(addresses);
  const details = [...new Set(addresses.flatMap((address) => address.details))].join(', ');
  const promised = addresses[0]?.after?.promisedUntil;
  const isPromise = addresses[0]?.before?.promisedUntil !== undefined;
  switch (event) {
    case 'allocated':
      return promised === undefined
        ? `${who} gets ${what}`
        : `${what} is promised to ${who} until ${promised}`;
    case 'moved': {
      const isLeft = ({ change }: AddressChange) => change === 'released';
      const to = addresses.filter((address) => !isLeft(address));
      return `${who} moves from ${addressesText(addresses.filter(isLeft))} to ${addressesText(to)}`;
    }
    case 'reclaimed':
      return `${who} reclaims ${what}`;
    case 'updated':
      return `${who} keeps ${what}: ${details}`;
    case 'released':
      return isPromise ? `the promise of ${what} to ${who} ends` : `${who} loses ${what}`;
    case 'never live':
      return `${what} allocated to ${who} and released within this change`;
    case 'removed':
      return `record of ${what} removed (not held)`;
  }
}

function addressesText(addresses: readonly AddressChange[]): string {
  return addresses.map(({ address }) => address).join(' and ');
}

const phrases: Readonly<Record<Event, readonly [one: string, many: string]>> = {
  moved: ['1 holder moves to another address', 'holders move to another address'],
  released: ['1 holder loses its address', 'holders lose their addresses'],
  allocated: ['1 holder gets an address', 'holders get an address'],
  reclaimed: ['1 holder reclaims its address', 'holders reclaim their addresses'],
  updated: ['1 holder keeps its address with a change', 'holders keep their address with a change'],
  'never live': [
    '1 holder is assigned an address and releases it within this change',
    'holders are assigned an address and release it within this change',
  ],
  removed: ['1 record of a former holder is removed', 'records of former holders are removed'],
};

function countedText(groups: readonly Group[], moves: number): string {
  const parts = (Object.keys(phrases) as Event[]).flatMap((event) => {
    const count = groups.filter((group) => group.event === event).length;
    const [one, many] = phrases[event];
    if (count === 0) return [];
    return [count === 1 ? one : `${count} ${many}`];
  });
  const services = counted(moves, 'service moves', 'services move');
  const isTold = moves === 0 || groups.some(({ event }) => event === 'moved');
  const moved = isTold ? [] : [`${services} to another address`];
  return `${[...moved, ...parts].join(', ')}; no other address changes`;
}

function textWithoutAddresses({ manifests, cautions }: PlanParts): string {
  const moved = manifests.filter(({ movedFrom, diff }) => movedFrom !== undefined && diff === '');
  const changed = manifests.length - moved.length;
  if (changed > 0) {
    const files = counted(changed, 'manifest file does', 'manifest files do');
    const others = moved.length === 0 ? '' : `; ${movedText(moved.length)}`;
    return `No address changes, but ${files}${others}.`;
  }
  if (moved.length > 0) return `No address or object changes; ${movedText(moved.length)}.`;
  if (cautions.some(({ code }) => code === 'POOLS_CHANGED'))
    return 'No address changes, but the pool file does.';
  if (cautions.some(({ code }) => code === 'POLICY_CHANGED'))
    return 'No address changes, but the policy does.';
  return 'No address, pool or manifest changes.';
}

function movedText(files: number): string {
  return files === 1
    ? '1 manifest file moves and keeps its objects'
    : `${files} manifest files move and keep their objects`;
}
