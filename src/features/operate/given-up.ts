import { isHeld } from '../../model/allocation.ts';
import type { Day } from '../../model/day.ts';
import { formatAddress } from '../../net/address.ts';
import type { PlannedRun } from '../synth/planned-run.ts';
import type { GivenUpAddress } from './operation-answer.ts';

/** The addresses that a run has taken from some holders, IPv4 first. One that the target never had is free at once. */
export function givenUpIn(
  { changes, table }: PlannedRun,
  holders: ReadonlySet<string>,
  today: Day,
): readonly GivenUpAddress[] {
  return changes
    .filter(
      ({ kind, holder }) => (kind === 'released' || kind === 'removed') && holders.has(holder),
    )
    .flatMap(({ address, holder }) => {
      const record = table.get(formatAddress(address));
      if (record && isHeld(record)) return [];
      const freeFrom = record?.released?.freeFrom ?? today;
      return [{ address: formatAddress(address), holder: record?.holder ?? holder, freeFrom }];
    });
}
