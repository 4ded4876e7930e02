import { columns } from '../../text/print/columns.ts';
import { csvLine } from '../../text/print/csv.ts';
import { plain } from '../../text/print/plain.ts';
import type { List, ListClaim, ListItem } from './list-answer.ts';

/** The list as a table for a person: a line per holder; of a terminal's width, if there is one. */
export function listTable(list: List, width?: number): string {
  const header = ['ADDRESS', 'STATE', 'POOL', 'ZONE', 'PORTS', 'HOLDER'];
  return columns([header, ...list.items.map(row)], { width, order: [5, 4, 0, 1, 3, 2] });
}

/** The list as JSON, two spaces deep, ending in a line break. */
export function listJson(list: List): string {
  return `${JSON.stringify(list, null, 2)}\n`;
}

const csvHeader =
  'holder,cluster,pool,zone,addresses,state,freeFrom,lease,namespace,service,port,externalPort,protocol,file';

/** The list as CSV (RFC 4180 with line feeds): a line per claim; several addresses stand in one cell. */
export function listCsv(list: List): string {
  const lines = list.items.flatMap((item) => {
    const claims: readonly (ListClaim | undefined)[] =
      item.claims.length > 0 ? item.claims : [undefined];
    return claims.map((claim) => claimLine(item, claim));
  });
  return [csvHeader, ...lines].map((line) => `${line}\n`).join('');
}

function row(item: ListItem): string[] {
  const state =
    item.freeFrom === undefined ? item.state : `${item.state}, free from ${item.freeFrom}`;
  const ports = item.claims.map((claim) => `${claim.externalPort}/${claim.protocol}`);
  const cells = [
    item.addresses.join(','),
    state,
    item.pool,
    item.zone,
    [...new Set(ports)].join(',') || '-',
    item.holder,
  ];
  return cells.map(plain);
}

function claimLine(item: ListItem, claim: ListClaim | undefined): string {
  const own = [item.holder, item.cluster, item.pool, item.zone, item.addresses.join(' ')];
  const claimed = claim
    ? [
        claim.lease ?? '',
        claim.namespace,
        claim.service,
        String(claim.port ?? ''),
        String(claim.externalPort),
        claim.protocol,
        claim.file,
      ]
    : ['', '', '', '', '', '', ''];
  return csvLine([...own, item.state, item.freeFrom ?? '', ...claimed]);
}
