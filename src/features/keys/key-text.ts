import type { Allocation } from '../../model/allocation.ts';
import { keyText, type Statement } from '../../model/ownership.ts';
import { formatAddress } from '../../net/address.ts';
import { columns } from '../../text/print/columns.ts';
import { sanitize } from '../../text/print/escape.ts';
import { stateColor } from '../../text/print/state-color.ts';
import { type Column, type TableStyle, tableText } from '../../text/print/table.ts';
import type { KeyUsage } from './keys.ts';

const recordColumns: readonly Column<Allocation>[] = [
  { name: 'ADDRESS', cell: ({ address }) => formatAddress(address) },
  {
    name: 'STATE',
    cell: ({ released }) => (released ? ['released', `free from ${released.freeFrom}`] : 'held'),
    separator: ', ',
    color: ({ released }, paint) => stateColor(released ? 'released' : 'held', paint),
  },
  { name: 'SINCE', cell: ({ since }) => since },
  { name: 'GENERATION', cell: ({ generation }) => String(generation) },
  { name: 'HOLDER', cell: ({ holder }) => holder, omitSame: 'folder' },
];

/** A key: its public key, the declarations that name it, and a line for each address that has it. */
export function keyUsageText({ key, namedBy, records }: KeyUsage, style: TableStyle): string {
  const lines = [
    ['key', keyText(key)],
    ['public key', key.publicKey],
    ...namedBy.map(({ service, at }) => ['named by', `${service} (${at.file})`]),
  ];
  const table = records.length === 0 ? '' : `\n${tableText(recordColumns, records, style)}`;
  return `${columns(lines.map((line) => line.map(sanitize)))}${table}`;
}

/** The signed statement in words, and where to put the signature. `newKey` is the name of the key, if any. */
export function signedText(statement: Statement, newKey: string | undefined): string {
  const { action, address, holder, generation } = statement;
  const what =
    action === 'rotate'
      ? `${formatAddress(address)} of ${holder} gets ${keyName(newKey)}`
      : `${holder} gets ${formatAddress(address)}, under ${keyName(newKey)}`;
  const where =
    action === 'rotate'
      ? 'leasehold.dev/signature of its Service'
      : `leasehold.dev/signature of its Service, which pins ${formatAddress(address)}`;
  return `${sanitize(what)}, once, from generation ${generation} of its record; set this as ${where}:\n`;
}

function keyName(key: string | undefined): string {
  return key === undefined ? 'no key' : `the key ${key}`;
}

/** The files that a rotation wrote, and the next steps. */
export function rotatedText(
  files: readonly string[],
  { addresses, kept }: { readonly addresses: readonly string[]; readonly kept: readonly string[] },
): string {
  const lines = [
    ...files.map((file) => `wrote ${sanitize(file)}`),
    addresses.length === 0
      ? 'no address has the key yet'
      : `signed over: ${addresses.join(', ')}; run leasehold synth, and commit all of it together`,
    ...kept.map(
      (address) =>
        `${address} is released and keeps the old key: a reclaim of it needs a signature with the old secret`,
    ),
  ];
  return lines.map((line) => `${line}\n`).join('');
}
