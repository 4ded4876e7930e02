import { columns } from '../../text/print/columns.ts';
import { csvText } from '../../text/print/csv.ts';
import { plain } from '../../text/print/plain.ts';
import type { ListClaim } from './list-answer.ts';
import type { Who, WhoItem } from './who-answer.ts';

/** The answer as a table: a line per address, and below it one per claim that stands on it; of a terminal's width, if there is one. */
export function whoTable({ items }: Who, width?: number): string {
  const header = ['ADDRESS', 'STATE', 'POOL', 'ZONE', 'HOLDER'];
  const [first = '', ...lines] = columns([header, ...items.map(row)], {
    width,
    order: [4, 1, 3, 2],
  }).split(/(?<=\n)/);
  const claims = items.map((item) => claimLines(item.claims, width));
  return [first, ...lines.map((line, index) => `${line}${claims[index] ?? ''}`)].join('');
}

function row({ address, pool, zone, holder, ...rest }: WhoItem): string[] {
  return [address, stateText(rest), pool ?? '-', zone ?? '-', holder ?? '-'].map(plain);
}

function stateText({
  state,
  since,
  released,
}: Pick<WhoItem, 'state' | 'since' | 'released'>): string {
  if (released) return `released ${released.on}, free from ${released.freeFrom}`;
  return since === undefined ? state : `${state} since ${since}`;
}

function claimLines(claims: readonly ListClaim[], width: number | undefined): string {
  const rows = claims.map(
    ({ cluster, namespace, service, externalPort, protocol, lease, file }) => {
      const whose = cluster === undefined ? namespace : `${cluster}/${namespace}`;
      return [`  ${service}`, `${externalPort}/${protocol}`, lease ?? whose, file].map(plain);
    },
  );
  return columns(rows, { width, order: [2, 3, 0] });
}

const csvHeader =
  'address,state,pool,zone,holder,since,releasedOn,freeFrom,record,lease,namespace,service,port,externalPort,protocol,file';

/** The answer as CSV: a line per claim, and one for an address without claims. */
export function whoCsv({ items }: Who): string {
  const rows = items.flatMap((item) => {
    const { address, state, pool = '', zone = '', holder = '', since = '', file = '' } = item;
    const { on = '', freeFrom = '' } = item.released ?? {};
    const own = [address, state, pool, zone, holder, since, on, freeFrom, file];
    return item.claims.length === 0
      ? [[...own, '', '', '', '', '', '', '']]
      : item.claims.map((claim) => [...own, ...claimCells(claim)]);
  });
  return csvText([csvHeader.split(','), ...rows]);
}

function claimCells(claim: ListClaim): string[] {
  const { lease = '', namespace, service, port = '', externalPort, protocol, file } = claim;
  return [lease, namespace, service, String(port), String(externalPort), protocol, file];
}
