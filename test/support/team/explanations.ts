import type {
  AddressHistory,
  HostnameHistory,
} from '../../../src/lib/history/address-history-answer.ts';
import type { Forge } from './forge.ts';
import { isOn } from './situations.ts';

type Period = AddressHistory['periods'][number];

/** What `leasehold history` says of an address or hostname otherwise than what happened to it on main: `states` is by landing, oldest first. */
export async function unexplained(
  { ci, main }: Pick<Forge, 'ci' | 'main'>,
  name: string,
  states: ReadonlyMap<string, string>,
): Promise<readonly string[]> {
  const { status, out, err } = await ci.run('history', name, '--ref', main, '-o', 'json');
  const line = ci.git('rev-list', '--first-parent', '--reverse', main).trim().split('\n');
  if (status !== 0) {
    const isKnown = [...states].some(
      ([commit, state]) => state !== 'free' && line.includes(commit),
    );
    return isKnown ? [`exit ${status}: ${out}${err}`] : [];
  }
  const { periods }: AddressHistory | HostnameHistory = JSON.parse(out);
  const begins = periods.flatMap((period) =>
    [period.begun, ...period.changes].map((event) => ({
      place: line.indexOf(event.commit),
      state: stateOf(period, event),
    })),
  );
  // A rebase puts several commits into main at once: what counts is the state that each landing has left.
  return [...states].flatMap(([commit, state]) => {
    const place = line.indexOf(commit);
    // A branch that had merged main was fast-forwarded to: main is not on the first-parent line any more.
    if (place < 0) return [];
    const said = begins.filter((begin) => begin.place <= place).at(-1)?.state ?? 'free';
    return told(said) === told(state)
      ? []
      : [`at ${commit} it is ${state}, and history says ${said}`];
  });
}

/** What is compared of a state. */
function told(state: string): string {
  return isOn('renewals') ? state : state.replace(/ until .*/, '');
}

function stateOf({ state, holder }: Period, { freeFrom }: Period['begun']): string {
  if (state === 'held') return `held by ${holder}`;
  return state === 'released' ? `kept for ${holder} until ${freeFrom}` : 'free';
}
