import { columns } from '../../text/print/columns.ts';
import { plain } from '../../text/print/plain.ts';
import type { CleanedDeclaration, Cleanup } from './cleanup-answer.ts';

/** What ended and what was skipped, a line each, for a person. */
export function cleanupText({ ended, skipped }: Cleanup): string {
  return columns([...rows('ended', ended), ...rows('skipped', skipped)]);
}

/** What became of the addresses, or that there was nothing to do. */
export function cleanupNote({ cluster, ended, skipped, released }: Cleanup): string {
  const lines = [
    ...(ended.length === 0 ? [`no lease of cluster ${cluster} is to end; nothing to do`] : []),
    ...released.map(
      ({ address, holder, freeFrom }) => `released ${address} of ${holder}, free from ${freeFrom}`,
    ),
    ...(skipped.length > 0 ? [`${skipped.length} skipped: deny-external-cleanup is true`] : []),
  ];
  return lines.map((line) => `${plain(line)}\n`).join('');
}

function rows(what: string, declarations: readonly CleanedDeclaration[]): string[][] {
  return declarations.map(({ declarer, file }) => [what, declarer, file].map(plain));
}
