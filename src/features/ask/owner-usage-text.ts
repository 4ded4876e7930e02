import { columns } from '../../text/print/columns.ts';
import { csvText } from '../../text/print/csv.ts';
import { plain } from '../../text/print/plain.ts';
import type { OwnerPart, OwnerUsages } from './owner-usage-answer.ts';

/** What every owner has, as a table: a line per owner, with where it has it at the end. */
export function ownerUsageTable({ items }: OwnerUsages): string {
  const header = ['OWNER', 'HELD', 'RETAINED', 'QUOTA', 'LEFT', 'WHERE'];
  const rows = items.map(({ owner, held, retained, quota = '-', left = '-', parts }) =>
    [owner, held, retained, quota, left, parts.map(partText).join(', ')].map((cell) =>
      plain(String(cell)),
    ),
  );
  return columns([header, ...rows]);
}

/** `2 of inet ipv4`, and `1 + 1 retained of inet ipv4`. */
function partText({ zone = 'no zone', family, held, retained }: OwnerPart): string {
  return `${held}${retained > 0 ? ` + ${retained} retained` : ''} of ${zone} ${family}`;
}

/** The same as CSV: a line per owner, zone and family; quota and what is left are those of the whole owner. */
export function ownerUsageCsv({ items }: OwnerUsages): string {
  const header = 'owner,zone,family,held,retained,ownerHeld,ownerRetained,ownerQuota,ownerLeft';
  const rows = items.flatMap(({ owner, held, retained, quota = '', left = '', parts }) => {
    const whole = [held, retained, quota, left].map(String);
    return parts.length === 0
      ? [[owner, '', '', '0', '0', ...whole]]
      : parts.map((part) => [
          owner,
          part.zone ?? '',
          part.family,
          String(part.held),
          String(part.retained),
          ...whole,
        ]);
  });
  return csvText([header.split(','), ...rows]);
}
