import { type Column, type TableStyle, tableText } from '../../core/text/print/table.ts';
import type {
  ImportAnswer,
  ImportAnswerDeclaration,
  ImportAnswerNote,
  ImportAnswerPool,
} from './import-answer.ts';

const poolColumns: readonly Column<ImportAnswerPool>[] = [
  { name: 'POOL', cell: ({ name }) => name },
  { name: 'STATE', cell: ({ state }) => state },
  { name: 'BY', cell: ({ advertise }) => advertise },
  { name: 'FROM', cell: ({ file, line }) => `${file}:${line}`, drop: 1 },
  { name: 'ADDRESSES', cell: ({ addresses }) => addresses },
];

const declarationColumns: readonly Column<ImportAnswerDeclaration>[] = [
  { name: 'KIND', cell: ({ kind }) => kind },
  { name: 'NAME', cell: ({ name }) => name },
  { name: 'STATE', cell: ({ state }) => state },
  { name: 'FROM', cell: ({ file, line }) => `${file}:${line}`, drop: 1 },
  { name: 'ADDRESSES', cell: ({ addresses }) => addresses },
  { name: 'HOSTNAMES', cell: ({ hostnames }) => hostnames },
  { name: 'IN', cell: ({ path }) => path },
];

const noteColumns: readonly Column<ImportAnswerNote>[] = [
  { name: 'EFFECT', cell: ({ effect }) => effect },
  { name: 'FROM', cell: ({ file, line, column }) => `${file}:${line}:${column}` },
  { name: 'NOTE', cell: ({ subject, message }) => `${subject}: ${message}`, prose: 'wrap' },
];

/** The answer for a person: tables of pools, declarations and notes, then the written files. */
export function importText(
  { pools, declarations, notes, edited }: ImportAnswer,
  style: TableStyle,
): string {
  const tables = [
    pools.length > 0 ? tableText(poolColumns, pools, style) : '',
    declarations.length > 0 ? tableText(columnsOf(declarations), declarations, style) : '',
    importNotesText(notes, style),
    `${writtenText(edited)}\n`,
  ];
  return tables.filter((table) => table !== '').join('\n');
}

/** The columns of declarations, without that of hostnames when there are none. */
function columnsOf(
  declarations: ImportAnswer['declarations'],
): readonly Column<ImportAnswerDeclaration>[] {
  const hasNames = declarations.some(({ hostnames }) => hostnames.length > 0);
  return declarationColumns.filter(({ name }) => hasNames || name !== 'HOSTNAMES');
}

/** Names the written files if there are few. */
function writtenText(edited: ImportAnswer['edited']): string {
  if (edited.length === 0) return 'nothing to write';
  return `wrote ${edited.length <= mostNamed ? edited.join(', ') : `${edited.length} files`}`;
}

const mostNamed = 5;

/** A line for each note, without the names of the columns. */
export function importNotesText(notes: ImportAnswer['notes'], style: TableStyle): string {
  return tableText(noteColumns, notes, { ...style, untitled: true });
}
