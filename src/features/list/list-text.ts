import { freePhrases } from '../../core/model/allocation.ts';
import { portRanges } from '../../core/text/print/columns.ts';
import { csvText } from '../../core/text/print/escape.ts';
import { stateColor } from '../../core/text/print/state-color.ts';
import { type Column, type TableStyle, tableText } from '../../core/text/print/table.ts';
import { announcedTexts } from '../../lib/list/announced-text.ts';
import type { List, ListClaim, ListItem } from '../../lib/list/list-answer.ts';

const addressColumn: Column<ListItem> = { name: 'ADDRESS', cell: ({ addresses }) => addresses };

/** Only when an address has another public one. */
const publicColumn: Column<ListItem> = {
  name: 'PUBLIC',
  cell: ({ publicAddresses, addresses }) => publicAddresses ?? addresses,
};

function stateColumn(day: string): Column<ListItem> {
  return {
    name: 'STATE',
    cell: (item) => stateTexts(item, day),
    separator: ', ',
    color: ({ state }, paint) => stateColor(state, paint),
    omitSame: 'column',
  };
}

const otherColumns: readonly Column<ListItem>[] = [
  { name: 'SINCE', cell: ({ since }) => since, wide: true },
  { name: 'POOL', cell: ({ pool }) => pool, omitSame: 'column', drop: 2 },
  { name: 'ZONE', cell: ({ zone }) => zone || '-', omitSame: 'column', drop: 1 },
  { name: 'CLUSTER', cell: ({ cluster }) => cluster || '-', wide: true },
  {
    name: 'PORTS',
    cell: ({ claims }) => distinct(claims, portText),
    fitted: ({ claims }) => portRanges(claims),
    drop: 3,
  },
  { name: 'HOLDER', cell: ({ holder }) => holder, omitSame: 'folder', prose: 'name' },
  { name: 'NAMESPACE', cell: ({ claims }) => distinct(claims, namespaceOf), wide: true },
  { name: 'LEASE', cell: ({ claims }) => distinct(claims, leaseOf), wide: true },
  { name: 'FILE', cell: ({ claims }) => distinct(claims, ({ file }) => file), wide: true },
  { name: 'ANNOUNCED', cell: ({ announced }) => announcedTexts(announced), wide: true },
];

function stateTexts(
  { state, freeFrom, withheld, promisedUntil }: ListItem,
  day: string,
): readonly string[] {
  if (promisedUntil !== undefined) {
    return promisedUntil < day
      ? [`promise ended ${promisedUntil}`]
      : ['promised', `until ${promisedUntil}`];
  }
  return freeFrom === undefined ? [state] : [state, ...freePhrases(freeFrom, withheld)];
}

/** Printed in place of a table of no holders. `waiting` holders are declared without an address. */
export function nothingLeasedText(waiting: number): string {
  return waiting > 0
    ? 'nothing is leased yet\n'
    : 'nothing is leased yet; `leasehold add` declares a lease, Service or reservation\n';
}

/** Returns a table with a line per holder. */
export function listTable({ day, items }: List, style: TableStyle): string {
  const hasPublic = items.some(({ publicAddresses }) => publicAddresses !== undefined);
  const state = stateColumn(day);
  const columns = [addressColumn, ...(hasPublic ? [publicColumn] : []), state, ...otherColumns];
  return tableText(columns, items, style);
}

function portText({ externalPort, protocol }: ListClaim): string {
  return `${externalPort}/${protocol}`;
}

function namespaceOf({ namespace }: ListClaim): string {
  return namespace;
}

function leaseOf({ lease }: ListClaim): string {
  return lease ?? '-';
}

function distinct(
  claims: readonly ListClaim[],
  textOf: (claim: ListClaim) => string,
): readonly string[] {
  return [...new Set(claims.map(textOf))];
}

const csvHeader =
  'holder,cluster,pool,zone,addresses,state,freeFrom,lease,namespace,service,port,externalPort,protocol,file,publicAddresses,announced';

/** Returns CSV: a line per claim, with all addresses in one cell. */
export function listCsv({ items }: List): string {
  const rows = items.flatMap(({ claims, announced, ...own }): object[] => {
    const item = { ...own, announced: announcedTexts(announced).join('; ') };
    return claims.length === 0 ? [item] : claims.map((claim) => ({ ...claim, ...item }));
  });
  return csvText(csvHeader, rows);
}
