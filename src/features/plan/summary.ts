import { holderText } from '../../model/holder-text.ts';
import type { AddressChange, AddressChangeKind, Plan } from './plan-answer.ts';

type Told = Pick<Plan, 'addresses' | 'cautions' | 'problems' | 'manifests'>;

/**
 * The sentence that a reviewer must be able to say of a plan, with a period. `moves` are the services that
 * go to another address, as sentences say it.
 */
export function summaryOf(plan: Told, moves: readonly string[]): string {
  const [problem] = plan.problems;
  if (problem) {
    const count = plan.problems.length;
    const which = count === 1 ? '' : `${count} problems, the first of them: `;
    return `This must not be merged: ${which}${problem.message}.`;
  }
  const groups = groupsOf(plan.addresses);
  const [move] = moves;
  if (groups.length === 0) return unaddressed(plan);
  if (groups.length > mostNamed || moves.length > 1) {
    return `${countedText(groups, moves.length)}.`;
  }
  return `${move ?? groups.map(groupText).join('; ')}.`;
}

/** A sentence that names more holders than this is not read to its end. */
const mostNamed = 2;

/** What happens; giving back what the base does not have is of no consequence to anybody. */
type Event = AddressChangeKind | 'unlived';

/** The addresses of one holder to which the same happens: a dual-stack pair is one thing. */
interface Group {
  readonly event: Event;
  readonly holder: string;
  readonly addresses: readonly AddressChange[];
}

function groupsOf(addresses: readonly AddressChange[]): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const address of addresses) {
    const { change, before, after } = address;
    const event = change === 'released' && before?.state !== 'held' ? 'unlived' : change;
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
      return `${who} comes back to ${what}`;
    case 'updated':
      return `${who} keeps ${what}: ${details}`;
    case 'released':
      return `${who} loses ${what}`;
    case 'unlived':
      return `${who} got ${what} and gave it back before it was live`;
    case 'removed':
      return `the record of ${what} goes: nobody has it any more`;
  }
}

const phrases: Readonly<Record<Event, readonly [one: string, many: string]>> = {
  released: ['1 holder loses what it has', 'holders lose what they have'],
  allocated: ['1 holder gets an address', 'holders get an address'],
  reclaimed: ['1 holder comes back to its own', 'holders come back to their own'],
  updated: ['1 holder keeps its address with a change', 'holders keep their address with a change'],
  unlived: ['1 holder gave back what was never live', 'holders gave back what was never live'],
  removed: ['the record of 1 former holder goes', 'records of former holders go'],
};

function countedText(groups: readonly Group[], moves: number): string {
  const parts = (Object.keys(phrases) as Event[]).flatMap((event) => {
    const count = groups.filter((group) => group.event === event).length;
    const [one, many] = phrases[event];
    if (count === 0) return [];
    return [count === 1 ? one : `${count} ${many}`];
  });
  const services = moves === 1 ? '1 service goes' : `${moves} services go`;
  const moved = moves === 0 ? [] : [`${services} to another address`];
  return `${[...moved, ...parts].join(', ')}; every other address stays where it is`;
}

function unaddressed({ manifests, cautions }: Told): string {
  if (manifests.length > 0) {
    const count = manifests.length === 1 ? '1 file' : `${manifests.length} files`;
    return `No address changes, but ${count} of manifests ${manifests.length === 1 ? 'does' : 'do'}.`;
  }
  if (cautions.some(({ code }) => code === 'POOLS_CHANGED'))
    return 'No address changes, but the pool file does.';
  if (cautions.some(({ code }) => code === 'POLICY_CHANGED'))
    return 'No address changes, but the policy does.';
  return 'No address, pool or manifest changes.';
}
