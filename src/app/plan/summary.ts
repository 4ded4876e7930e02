import { holderText } from '../../model/holder-text.ts';
import type { AddressChange, AddressChangeKind, Plan } from '../../model/plan.ts';

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
  const [only] = groups;
  if (!only) return unaddressed(plan);
  const [move] = moves;
  if (move !== undefined && moves.length === 1 && groups.length <= 2) return sentence(move);
  return groups.length === 1 ? oneSentence(only) : manySentence(groups, moves.length);
}

/** The addresses of one holder to which the same happens: a dual-stack pair is one thing. */
interface Group {
  readonly change: AddressChangeKind;
  readonly holder: string;
  readonly addresses: readonly AddressChange[];
}

function groupsOf(addresses: readonly AddressChange[]): readonly Group[] {
  const groups = new Map<string, AddressChange[]>();
  for (const address of addresses) {
    const key = `${address.change} ${holderOf(address)}`;
    const group = groups.get(key);
    if (group) group.push(address);
    else groups.set(key, [address]);
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    return first ? [{ change: first.change, holder: holderOf(first), addresses: group }] : [];
  });
}

function holderOf({ before, after }: AddressChange): string {
  return (after ?? before)?.holder ?? '';
}

function oneSentence({ change, holder, addresses }: Group): string {
  const who = holderText(holder);
  const what = addresses.map(({ address }) => address).join(' and ');
  const details = [...new Set(addresses.flatMap((address) => address.details))].join(', ');
  switch (change) {
    case 'allocated':
      return `${who} gets ${what}.`;
    case 'reclaimed':
      return `${who} comes back to ${what}.`;
    case 'updated':
      return `${who} keeps ${what}: ${details}.`;
    case 'released':
      return addresses.every(({ before }) => before === undefined)
        ? `${who} got ${what} and gave it back before it was live.`
        : `${who} loses ${what}.`;
    case 'removed':
      return `The record of ${what} goes: nobody has it any more.`;
  }
}

const phrases: Readonly<Record<AddressChangeKind, readonly [one: string, many: string]>> = {
  released: ['1 holder loses what it has', 'holders lose what they have'],
  allocated: ['1 holder gets an address', 'holders get an address'],
  reclaimed: ['1 holder comes back to its own', 'holders come back to their own'],
  updated: ['1 holder keeps its address with a change', 'holders keep their address with a change'],
  removed: ['the record of 1 former holder goes', 'records of former holders go'],
};

function manySentence(groups: readonly Group[], moves: number): string {
  const parts = (Object.keys(phrases) as AddressChangeKind[]).flatMap((change) => {
    const count = groups.filter((group) => group.change === change).length;
    const [one, many] = phrases[change];
    if (count === 0) return [];
    return [count === 1 ? one : `${count} ${many}`];
  });
  const services = moves === 1 ? '1 service goes' : `${moves} services go`;
  const moved = moves === 0 ? [] : [`${services} to another address`];
  return sentence(`${[...moved, ...parts].join(', ')}; every other address stays where it is`);
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function unaddressed({ manifests, cautions }: Told): string {
  if (manifests.length > 0) {
    const count = manifests.length === 1 ? '1 file' : `${manifests.length} files`;
    return `No address changes, but ${count} of manifests ${manifests.length === 1 ? 'does' : 'do'}.`;
  }
  if (cautions.length > 0) return 'No address changes, but the pool file does.';
  return 'No address, pool or manifest changes.';
}
