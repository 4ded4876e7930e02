import type { KeyName } from '../../core/declarations/key-file.ts';
import { leaseholdKeys } from '../../core/declarations/service/service-metadata.ts';
import type { Statement } from '../../core/model/ownership.ts';
import { formatAddress } from '../../core/net/address.ts';
import { columns } from '../../core/text/print/columns.ts';
import { sanitize } from '../../core/text/print/escape.ts';
import { stateColor } from '../../core/text/print/state-color.ts';
import { type Column, type TableStyle, tableText } from '../../core/text/print/table.ts';
import type { KeyedAddress, KeyRotation, KeyUsage } from './key-answer.ts';

const addressColumns: readonly Column<KeyedAddress>[] = [
  { name: 'ADDRESS', cell: ({ address }) => address },
  {
    name: 'STATE',
    cell: ({ state, freeFrom }) => (freeFrom ? [state, `free from ${freeFrom}`] : state),
    separator: ', ',
    color: ({ state }, paint) => stateColor(state, paint),
  },
  { name: 'SINCE', cell: ({ since }) => since },
  { name: 'GENERATION', cell: ({ generation }) => String(generation) },
  { name: 'HOLDER', cell: ({ holder }) => holder, omitSame: 'folder' },
];

/** A key: its public key, the declarations that name it, and its addresses by line. */
export function keyUsageText(usage: KeyUsage, style: TableStyle): string {
  const { key, publicKey, namedBy, addresses } = usage;
  const lines = [
    ['key', key],
    ['public key', publicKey],
    ...namedBy.map(({ service, file }) => ['named by', `${service} (${file})`]),
  ];
  const table = addresses.length === 0 ? '' : `\n${tableText(addressColumns, addresses, style)}`;
  return `${columns(lines.map((line) => line.map(sanitize)))}${table}`;
}

/** The next steps after a key was made. */
export function newKeyNextText({ namespace, name }: KeyName): string {
  return `
next:
  name the key in declarations of the namespace ${namespace}:
    a Service: the annotation ${leaseholdKeys.secret}: ${name}
    a Reservation: the field secret: ${name}
  npx --no -- leasehold synth
  git add -A
  git commit -m "Add the key ${namespace}/${name}"
`;
}

/** The signed statement in words, and where to put the signature. `newKey` is the key's name. */
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
export function rotatedText({ files, signed, kept }: KeyRotation): string {
  const lines = [
    ...files.map((file) => `wrote ${sanitize(file)}`),
    signed.length === 0
      ? 'no address has the key yet'
      : `signed over: ${signed.join(', ')}; run \`leasehold synth\`, and commit all of it together`,
    ...kept.map(
      (address) =>
        `${address} is released and keeps the old key: a reclaim of it needs a signature with the old secret`,
    ),
  ];
  return lines.map((line) => `${line}\n`).join('');
}
