import { columns } from '../../../text/print/columns.ts';
import { csvText } from '../../../text/print/csv.ts';
import { plain } from '../../../text/print/plain.ts';
import type { AddressHistory, HistoryEvent, HistoryPeriod } from './address-history-answer.ts';

/** The history as a table: a line per period, and one per change of a promise in between, the oldest first. */
export function historyTable({ periods }: AddressHistory): string {
  const header = ['FROM', 'UNTIL', 'EVENT', 'HOLDER', 'COMMIT', 'REQUEST', 'AUTHOR', 'SUBJECT'];
  return columns([header, ...periods.flatMap(rows)]);
}

function rows(period: HistoryPeriod): string[][] {
  const { begun, until, holder, freeFrom, changes } = period;
  const kept = freeFrom === undefined || changes.length > 0 ? '' : `, free from ${freeFrom}`;
  const first = [begun.at, until ?? '-', `${begun.event}${kept}`, holder ?? '-', ...by(begun)];
  const later = changes.map((change) => [change.at, '', `  ${change.event}`, '', ...by(change)]);
  return [first, ...later].map((cells) => cells.map(plain));
}

function by({ commit, request, author, subject }: HistoryEvent): string[] {
  return [commit.slice(0, 10), request ?? '-', shortened(author), shortened(subject)];
}

/** A text of somebody's in a table: what is longer than a line takes is cut. */
function shortened(text: string): string {
  const characters = [...text];
  return characters.length > 60 ? `${characters.slice(0, 59).join('')}…` : text;
}

/** The same as CSV, with whole texts; a change of a promise is a line of its own. */
export function historyCsv({ address, periods }: AddressHistory): string {
  const header =
    'address,from,until,event,state,holder,pool,freeFrom,commit,request,author,subject';
  const lines = periods.flatMap((period) => {
    const { state, holder = '', pool = '', freeFrom = '', until = '', begun, changes } = period;
    return [begun, ...changes].map((event, index) => {
      const times = [event.at, index === 0 ? until : ''];
      const { commit, request = '', author, subject } = event;
      const recorded = [event.event, state, holder, pool, freeFrom];
      return [address, ...times, ...recorded, commit, request, author, subject];
    });
  });
  return csvText([header.split(','), ...lines]);
}
