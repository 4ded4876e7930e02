import { freePhrases } from '../../core/model/allocation.ts';
import { groupBy } from '../../core/model/order.ts';
import { portRanges } from '../../core/text/print/columns.ts';
import { csvText } from '../../core/text/print/escape.ts';
import { stateColor } from '../../core/text/print/state-color.ts';
import { type Column, type TableStyle, tableText } from '../../core/text/print/table.ts';
import { announcedTexts } from '../../lib/list/announced-text.ts';
import { hostnamesCsv, hostnamesTable } from '../../lib/list/hostnames.ts';
import type { ListClaim } from '../../lib/list/list-answer.ts';
import type { Who, WhoItem } from '../../lib/list/who.ts';

const addressColumn: Column<WhoItem> = { name: 'ADDRESS', cell: ({ address }) => address };

/** Only when an address has another public one. */
const publicColumn: Column<WhoItem> = {
  name: 'PUBLIC',
  cell: ({ publicAddress, address }) => publicAddress ?? address,
};

function stateColumn(day: string): Column<WhoItem> {
  return {
    name: 'STATE',
    cell: (item) => stateTexts(item, day),
    separator: ', ',
    color: ({ state }, paint) => stateColor(state, paint),
  };
}

const otherColumns: readonly Column<WhoItem>[] = [
  { name: 'POOL', cell: ({ pool }) => pool ?? '-', omitSame: 'column', drop: 2 },
  { name: 'ZONE', cell: ({ zone }) => zone ?? '-', omitSame: 'column', drop: 1 },
  { name: 'HOLDER', cell: ({ holder }) => holder ?? '-', prose: 'name' },
  { name: 'RECORD', cell: ({ file }) => file ?? '-', wide: true },
  { name: 'ANNOUNCED', cell: ({ announced }) => announcedTexts(announced), wide: true },
];

/** Claims on one line: at a terminal all of a Service, or of an endpoint's pods, in one file. */
type ClaimRow = readonly [ListClaim, ...ListClaim[]];

const claimColumns: readonly Column<ClaimRow>[] = [
  { name: 'SERVICE', cell: ([{ service }]) => service, prose: 'name' },
  { name: 'PORT', cell: portRanges },
  { name: 'LEASE', cell: ([claim]) => claimantOf(claim), prose: 'name', drop: 1 },
  { name: 'FILE', cell: ([{ file }]) => file, prose: 'name' },
];

function claimRows(claims: readonly ListClaim[], { width, wide }: TableStyle): readonly ClaimRow[] {
  if (width === undefined || wide === true) return claims.map((claim): ClaimRow => [claim]);
  const key = (claim: ListClaim) =>
    JSON.stringify([claim.service, claimantOf(claim), claim.file.replace(/:\d+$/, '')]);
  return [...groupBy(claims, key).values()];
}

/**
 * Returns a table with a line per address, each followed by a line per claim, and a table of the
 * hostnames.
 */
export function whoTable({ day, items, hostnames = [] }: Who, style: TableStyle): string {
  const tables = [
    ...(items.length > 0 ? [addressTable(items, day, style)] : []),
    ...(hostnames.length > 0 ? [hostnamesTable({ items: hostnames }, style)] : []),
  ];
  return tables.join('\n');
}

function addressTable(items: readonly WhoItem[], day: string, style: TableStyle): string {
  const { width } = style;
  const narrow = width === undefined ? {} : { width: Math.max(0, width - 2) };
  const claimStyle = { ...style, ...narrow, untitled: true };
  const hasPublic = items.some(({ publicAddress }) => publicAddress !== undefined);
  const state = stateColumn(day);
  const columns = [addressColumn, ...(hasPublic ? [publicColumn] : []), state, ...otherColumns];
  return tableText(columns, items, style, ({ claims }) =>
    tableText(claimColumns, claimRows(claims, style), claimStyle).replaceAll(/^(?=.)/gm, '  '),
  );
}

function stateTexts(
  { state, since, released, withheld, promisedUntil }: WhoItem,
  day: string,
): readonly string[] {
  if (released) return [`released ${released.on}`, ...freePhrases(released.freeFrom, withheld)];
  if (promisedUntil !== undefined) {
    const promise = promisedUntil < day ? 'promise ended' : 'promised until';
    return [`${promise} ${promisedUntil}`, `since ${since}`];
  }
  return [since === undefined ? state : `${state} since ${since}`];
}

/** The lease of a claim; for a Service its namespace, in an anycast group with the cluster. */
function claimantOf({ lease, cluster, namespace }: ListClaim): string {
  return lease ?? (cluster === undefined ? namespace : `${cluster}/${namespace}`);
}

const csvHeader =
  'address,state,pool,zone,holder,since,releasedOn,freeFrom,record,lease,namespace,service,port,externalPort,protocol,file,publicAddress';

/**
 * Returns CSV: a line per claim, and one line for an address without claims. A name that only
 * hostnames have gives the CSV of hostnames.
 */
export function whoCsv({ items, hostnames = [] }: Who): string {
  if (items.length === 0) return hostnamesCsv({ items: hostnames });
  const rows = items.flatMap(({ claims, released, ...item }): object[] => {
    const own = {
      ...item,
      record: item.file,
      releasedOn: released?.on,
      freeFrom: released?.freeFrom,
    };
    const none = { ...own, file: undefined };
    return claims.length === 0 ? [none] : claims.map((claim) => ({ ...own, ...claim }));
  });
  return csvText(csvHeader, rows);
}
