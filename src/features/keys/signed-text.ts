import type { Statement } from '../../model/ownership.ts';
import { formatAddress } from '../../net/address.ts';
import { plain } from '../../text/print/plain.ts';

/** What was signed, for who signed it. `newKey` is the name of the key, undefined for none. */
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
  return `${plain(what)}, once, from generation ${generation} of its record; put this into ${where}:\n`;
}

function keyName(key: string | undefined): string {
  return key === undefined ? 'no key' : `the key ${key}`;
}

/** What a rotation wrote, and what comes of it. */
export function rotatedText(
  files: readonly string[],
  { addresses, kept }: { readonly addresses: readonly string[]; readonly kept: readonly string[] },
): string {
  const lines = [
    ...files.map((file) => `wrote ${plain(file)}`),
    addresses.length === 0
      ? 'no address has the key yet'
      : `signed over: ${addresses.join(', ')}; run leasehold synth, and commit all of it together`,
    ...kept.map(
      (address) =>
        `${address} is released and stays with the old key: who wants it back has it signed with the old secret`,
    ),
  ];
  return lines.map((line) => `${line}\n`).join('');
}
