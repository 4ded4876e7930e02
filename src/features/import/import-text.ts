import { columns } from '../../text/print/columns.ts';
import { sanitize } from '../../text/print/escape.ts';
import type { ImportAnswer } from './import-answer.ts';

/** The answer for a person: pools and declarations as tables, then one line per note. */
export function importText({ pools, declarations, notes, edited }: ImportAnswer): string {
  const rows = pools.map(({ name, state, addresses, advertise, file, line }) =>
    [name, state, advertise, `${file}:${line}`, addresses.join(',')].map(sanitize),
  );
  const declared = declarations.map(({ kind, name, state, addresses, file, line, path }) =>
    [kind, name, state, `${file}:${line}`, addresses.join(','), path].map(sanitize),
  );
  const heads = ['KIND', 'NAME', 'STATE', 'FROM', 'ADDRESSES', 'IN'];
  return [
    rows.length > 0 ? columns([['POOL', 'STATE', 'BY', 'FROM', 'ADDRESSES'], ...rows]) : '',
    declared.length > 0 ? columns([heads, ...declared]) : '',
    importNotesText(notes),
    `${editedText(edited)}\n`,
  ].join('');
}

/** Names the edited files if there are few. */
function editedText(edited: ImportAnswer['edited']): string {
  if (edited.length === 0) return 'nothing to write';
  if (edited.length <= mostNamed) return `edited ${edited.join(', ')}`;
  return `edited ${edited.length} files`;
}

const mostNamed = 5;

/** The notes, one line each. */
export function importNotesText(notes: ImportAnswer['notes']): string {
  return notes
    .map(
      ({ effect, subject, message, file, line, column }) =>
        `${effect}  ${file}:${line}:${column}  ${subject}: ${message}`,
    )
    .map((text) => `${sanitize(text)}\n`)
    .join('');
}
