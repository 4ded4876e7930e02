import { columns } from '../../../text/print/columns.ts';
import { csvText } from '../../../text/print/csv.ts';
import { humanCount } from '../../../text/print/human-count.ts';
import { plain } from '../../../text/print/plain.ts';
import type { Capacity } from './capacity-answer.ts';

/** What may still be promised, as a table: a line per cluster, zone and family. */
export function capacityTable({ items }: Capacity): string {
  const header = ['CLUSTER', 'ZONE', 'FAMILY', 'FREE', 'PENDING', 'PROMISABLE', 'POOLS'];
  const rows = items.map(({ cluster, zone, family, free, pending, promisable, pools }) => {
    const counts = [free, pending, promisable].map(humanCount);
    return [cluster, zone, family, ...counts, pools.join(',') || '-'].map(plain);
  });
  return columns([header, ...rows]);
}

/** The same as CSV, with all digits. */
export function capacityCsv({ items }: Capacity): string {
  const header = ['cluster', 'zone', 'family', 'free', 'pending', 'promisable', 'pools'];
  const rows = items.map(({ cluster, zone, family, free, pending, promisable, pools }) => [
    ...[cluster, zone, family, free, pending, promisable],
    pools.join(' '),
  ]);
  return csvText([header, ...rows]);
}

/** How many refs of a kind are told one by one. */
const mostTold = 20;

/** What the counts leave out, and why, for a person: a line each. */
export function capacityNotes({ owner, quota, left, ...capacity }: Capacity): string {
  const lines: string[] = [];
  if (capacity.uncommitted && capacity.commit !== undefined) {
    lines.push(`counted with changes that are not committed, on ${capacity.commit.slice(0, 12)}`);
  }
  if (quota !== undefined && owner !== undefined) {
    lines.push(`the quota of ${owner} is ${quota}, and leaves ${left ?? 0}`);
  }
  const waiting = capacity.waiting.length;
  if (waiting > 0) {
    const who = waiting === 1 ? '1 holder waits' : `${waiting} holders wait`;
    lines.push(`${who} for an address, which counts as pending; run leasehold synth`);
  }
  const taking = capacity.pending.map(({ ref, addresses }) => `${ref} takes ${few(addresses)}`);
  const skipped = capacity.skipped.map(({ ref, reason }) => `${ref} is not counted: ${reason}`);
  lines.push(...folded(taking, 'take'), ...folded(skipped, 'are not counted'));
  if (capacity.leftOut > 0) {
    const refs = capacity.leftOut === 1 ? '1 ref is' : `${capacity.leftOut} refs are`;
    lines.push(`${refs} not looked at: there are too many, and these have the lowest numbers`);
  }
  return lines.map((line) => `${plain(line)}\n`).join('');
}

function folded(lines: readonly string[], what: string): readonly string[] {
  const more = lines.length - mostTold;
  if (more <= 1) return lines;
  return [...lines.slice(0, mostTold), `${more} more ${what}: -o json names them all`];
}

function few(addresses: readonly string[]): string {
  const more = addresses.length - mostTold;
  const shown = (more <= 1 ? addresses : addresses.slice(0, mostTold)).join(', ');
  return more <= 1 ? shown : `${shown} and ${more} more`;
}
