import { holderText } from '../../model/holder.ts';
import type { AddressChange, AddressChangeKind, Plan } from './plan-answer.ts';

/** The parts of a plan that decide its verdict and its summary. */
export type PlanParts = Pick<Plan, 'addresses' | 'cautions' | 'problems' | 'manifests'>;

/**
 * The plan in one sentence, with a period. `moves` has a clause without a period for each service that
 * moves to another address.
 */
export function summaryOf(plan: PlanParts, moves: readonly string[]): string {
  const [problem] = plan.problems;
  if (problem) {
    const count = plan.problems.length;
    const which = count === 1 ? '' : `${count} problems, the first is: `;
    return `This must not be merged: ${which}${problem.message}.`;
  }
  const groups = groupsOf(plan.addresses);
  const [move] = moves;
  if (groups.length === 0) return textWithoutAddresses(plan);
  if (groups.length > mostNamed || moves.length > 1) {
    return `${countedText(groups, moves.length)}.`;
  }
  return `${move ?? groups.map(groupText).join('; ')}.`;
}

/** A summary of more changes than this counts them and names no holder. */
const mostNamed = 2;

/** An address change; `never live` is a release of what the base does not hold, which affects no holder. */
type Event = AddressChangeKind | 'never live';

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
  return [...groups.values()];
}

function groupText({ event, holder, addresses }: Group): string {
  const who = holderText(holder);
  const what = addresses.map(({ address }) => address).join(' and ');
  const details = [...new Set(addresses.flatMap((address) => address.details))].join(', ');
  switch (event) {
    case 'allocated':
      return `${who} gets ${what}`;
    case 'reclaimed':
      return `${who} reclaims ${what}`;
    case 'updated':
      return `${who} keeps ${what}: ${details}`;
    case 'released':
      return `${who} loses ${what}`;
    case 'never live':
      return `${what} allocated to ${who} and released within this change`;
    case 'removed':
      return `record of ${what} removed (not held)`;
  }
}

const phrases: Readonly<Record<Event, readonly [one: string, many: string]>> = {
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
  const services = moves === 1 ? '1 service moves' : `${moves} services move`;
  const moved = moves === 0 ? [] : [`${services} to another address`];
  return `${[...moved, ...parts].join(', ')}; no other address changes`;
}

function textWithoutAddresses({ manifests, cautions }: PlanParts): string {
  const moved = manifests.filter(({ movedFrom, diff }) => movedFrom !== undefined && diff === '');
  const changed = manifests.length - moved.length;
  if (changed > 0) {
    const files = changed === 1 ? '1 manifest file does' : `${changed} manifest files do`;
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
