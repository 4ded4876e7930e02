import type { ImportAnswer } from '../model/import.ts';
import { columns } from './columns.ts';
import { plain } from './plain.ts';

/** What was read, as a table, and then what was changed on the way or left, a line each, for a person. */
export function importText({ pools, notes, edited }: ImportAnswer): string {
  const rows = pools.map(({ name, state, addresses, advertise, file, line }) =>
    [name, state, advertise, `${file}:${line}`, addresses.join(',')].map(plain),
  );
  const end = edited.length > 0 ? `edited ${edited.join(', ')}` : 'nothing to write';
  return [
    columns([['POOL', 'STATE', 'BY', 'FROM', 'ADDRESSES'], ...rows]),
    importNotesText(notes),
    `${end}\n`,
  ].join('');
}

/** What was changed on the way or left, a line each. */
export function importNotesText(notes: ImportAnswer['notes']): string {
  return notes
    .map(
      ({ effect, subject, message, file, line, column }) =>
        `${effect}  ${file}:${line}:${column}  ${subject}: ${message}`,
    )
    .map((text) => `${plain(text)}\n`)
    .join('');
}
