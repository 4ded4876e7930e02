import { csvText } from '../../../core/text/print/escape.ts';
import { stateColor } from '../../../core/text/print/state-color.ts';
import { type Column, type TableStyle, tableText } from '../../../core/text/print/table.ts';
import type {
  AddressHistory,
  HistoryEvent,
  HistoryPeriod,
  HostnameHistory,
} from '../../../lib/history/address-history-answer.ts';
import type { HolderHistory } from './holder-history.ts';

/** A question of a person. */
export type AnyHistory = AddressHistory | HostnameHistory | HolderHistory;

/** A line of the table: the beginning of a period, or a change of the retention within it. */
interface HistoryRow {
  readonly event: HistoryEvent;
  /** Undefined for a change within the period. */
  readonly period: HistoryPeriod | undefined;
  readonly state: HistoryPeriod['state'];
  /** The address or hostname. */
  readonly of: string;
}

const columns: readonly Column<HistoryRow>[] = [
  { name: 'FROM', cell: ({ event }) => event.at },
  { name: 'UNTIL', cell: ({ period }) => (period ? (period.until ?? '-') : ''), drop: 2 },
  {
    name: 'EVENT',
    cell: eventTexts,
    separator: ', ',
    color: ({ state }, paint) => stateColor(state, paint),
  },
  {
    name: 'HOLDER',
    cell: ({ period }) => (period ? (period.holder ?? '-') : ''),
    omitSame: 'folder',
    prose: 'name',
  },
  { name: 'COMMIT', cell: ({ event }) => event.commit.slice(0, 10), drop: 5 },
  { name: 'REQUEST', cell: ({ event }) => event.request ?? '-', drop: 1 },
  { name: 'AUTHOR', cell: ({ event }) => shortened(event.author), prose: 'cut', drop: 4 },
  { name: 'SUBJECT', cell: ({ event }) => shortened(event.subject), prose: 'cut', drop: 3 },
];

/**
 * Returns a table with a line per period and per change of retention, oldest first; of a holder, a
 * column with the addresses and hostnames.
 */
export function historyTable(history: AnyHistory, style: TableStyle): string {
  const rows = itemsOf(history).flatMap(({ of, periods }) =>
    periods.flatMap((period): HistoryRow[] => {
      const { state, begun, changes } = period;
      const later = changes.map((event) => ({ event, state, period: undefined, of }));
      return [{ event: begun, state, period, of }, ...later];
    }),
  );
  const own =
    history.kind === 'HolderHistory' ? [{ name: 'ADDRESS', cell: ({ of }: HistoryRow) => of }] : [];
  return tableText([...own, ...columns], rows, style);
}

/** True for a history without a period. */
export function isEmptyHistory(history: AnyHistory): boolean {
  return itemsOf(history).every(({ periods }) => periods.length === 0);
}

function itemsOf(history: AnyHistory) {
  if (history.kind === 'AddressHistory') return [{ of: history.address, periods: history.periods }];
  if (history.kind === 'HostnameHistory') {
    return [{ of: history.hostname, periods: history.periods }];
  }
  return history.items.map(({ address, hostname, periods }) => ({
    of: address ?? hostname ?? '',
    periods,
  }));
}

/** A change of the retention, which is below its period, is indented. */
function eventTexts({ event, period }: HistoryRow): readonly string[] {
  const name = period === undefined ? `  ${event.event}` : event.event;
  const { freeFrom } = event;
  return freeFrom === undefined ? [name] : [name, `free from ${freeFrom}`];
}

/** Truncates a free text to 60 characters. */
function shortened(text: string): string {
  const characters = [...text];
  return characters.length > 60 ? `${characters.slice(0, 59).join('')}…` : text;
}

/**
 * Returns CSV: a line per period and per change of retention. Texts are not truncated. A hostname
 * has no pool. Of a holder, the first column has addresses and hostnames.
 */
export function historyCsv(history: AnyHistory): string {
  const isHostname = history.kind === 'HostnameHistory';
  const header = `${isHostname ? 'hostname' : 'address'},from,until,event,state,holder,${isHostname ? '' : 'pool,'}freeFrom,commit,request,author,subject`;
  const rows = itemsOf(history).flatMap(({ of, periods }) =>
    periods.flatMap(({ begun, changes, ...period }) =>
      [begun, ...changes].map((event, index) => ({
        ...{ ...period, ...event, from: event.at, address: of, hostname: of },
        until: index === 0 ? period.until : undefined,
      })),
    ),
  );
  return csvText(header, rows);
}
