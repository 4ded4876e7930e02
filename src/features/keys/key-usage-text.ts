import type { Allocation } from '../../model/allocation.ts';
import { keyText } from '../../model/ownership.ts';
import { formatAddress } from '../../net/address.ts';
import { columns } from '../../text/print/columns.ts';
import { plain } from '../../text/print/plain.ts';
import type { KeyUsage } from './key-usage.ts';

/** A key for a person: its public key, who names it, and a line for each address that has it. */
export function keyUsageText({ key, namedBy, records }: KeyUsage): string {
  const lines = [
    ['key', keyText(key)],
    ['public key', key.publicKey],
    ...namedBy.map(({ service, at }) => ['named by', `${service} (${at.file})`]),
  ];
  const header = ['ADDRESS', 'STATE', 'SINCE', 'GENERATION', 'HOLDER'];
  const table = records.length === 0 ? '' : `\n${columns([header, ...records.map(row)])}`;
  return `${columns(lines.map((line) => line.map(plain)))}${table}`;
}

function row({ address, released, since, generation, holder }: Allocation): string[] {
  const state = released ? `released, free from ${released.freeFrom}` : 'held';
  return [formatAddress(address), state, since, String(generation), holder].map(plain);
}
