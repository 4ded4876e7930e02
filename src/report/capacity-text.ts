import type { Capacity } from '../model/capacity.ts';
import { columns } from './columns.ts';
import { csvText } from './csv.ts';
import { humanCount } from './human-count.ts';
import { plain } from './plain.ts';

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

/** What the counts leave out, and why, for a person: a line each. */
export function capacityNotes({ owner, quota, left, ...capacity }: Capacity): string {
  const lines: string[] = [];
  if (quota !== undefined && owner !== undefined) {
    lines.push(`the quota of ${owner} is ${quota}, and leaves ${left ?? 0}`);
  }
  const waiting = capacity.waiting.length;
  if (waiting > 0) {
    const who = waiting === 1 ? '1 holder waits' : `${waiting} holders wait`;
    lines.push(`${who} for an address, which counts as pending; run leasehold synth`);
  }
  for (const { ref, addresses } of capacity.pending) {
    lines.push(`${ref} takes ${addresses.join(', ')}`);
  }
  for (const { ref, reason } of capacity.skipped) lines.push(`${ref} is not counted: ${reason}`);
  return lines.map((line) => `${plain(line)}\n`).join('');
}
