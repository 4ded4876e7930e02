import type { Change } from '../../model/change.ts';
import { formatAddress } from '../../net/address.ts';
import { plain } from '../../text/print/plain.ts';

/** More addresses than these of one commit are in its message. */
const mostLines = 20;

/** What was pushed, a line for the commit and one for each address. */
export function pushedText(head: string, branch: string, changes: readonly Change[]): string {
  const lines = changes
    .slice(0, mostLines)
    .map(({ kind, address, holder }) => `${kind} ${formatAddress(address)} for ${holder}`);
  const left = changes.length - lines.length;
  const more = left > 0 ? [`and ${left} more`] : [];
  return [`pushed ${head.slice(0, 12)} to ${branch}`, ...lines, ...more]
    .map((line) => `${plain(line)}\n`)
    .join('');
}
