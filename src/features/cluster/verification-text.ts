import { counted } from '../../core/model/problem.ts';
import { judgementColor } from '../../core/text/print/state-color.ts';
import { type Column, type TableStyle, tableText } from '../../core/text/print/table.ts';
import { indentedText } from '../../core/text/print/wrap.ts';
import type { Detail, OpenPool, Verification, VerifiedState } from './verification-answer.ts';

/** A claim, an object or a finding, with the details below its row. */
interface Row {
  readonly state: VerifiedState;
  readonly addresses: readonly string[];
  readonly port: string;
  readonly object: string;
  readonly holder: string;
  readonly below: readonly string[];
}

const columns: readonly Column<Row>[] = [
  {
    name: 'STATE',
    cell: ({ state }) => state,
    color: ({ state }, paint) => judgementColor(judgements[state], paint),
  },
  { name: 'ADDRESS', cell: ({ addresses }) => addresses },
  { name: 'PORT', cell: ({ port }) => port },
  { name: 'OBJECT', cell: ({ object }) => object, prose: 'name' },
  { name: 'HOLDER', cell: ({ holder }) => holder, omitSame: 'folder', prose: 'name', drop: 1 },
];

const judgements: Readonly<Record<VerifiedState, 'good' | 'warn' | 'bad'>> = {
  ok: 'good',
  pending: 'warn',
  'not announced': 'bad',
  'not reachable': 'bad',
  'no endpoints': 'warn',
  unknown: 'warn',
  'changed by hand': 'warn',
  'wrong address': 'bad',
  'not ours': 'bad',
  'not applied': 'bad',
  'left over': 'warn',
  kept: 'good',
  'cluster problem': 'bad',
};

/**
 * A verification as a table: a row for each claim, object and finding, with its details below; then
 * the Services that need an open fence; then a line that counts the states. Kept Namespaces are
 * only counted, since their number grows over the years.
 */
export function verificationTable(verification: Verification, style: TableStyle): string {
  const rows = [...claimRows(verification), ...otherRows(verification)];
  const below = (row: Row) => row.below.map((text) => indentedText(text, 2, style.width)).join('');
  const table = rows.length === 0 ? '' : tableText(columns, rows, style, below);
  const open = verification.openPools.map((pool) => openPoolText(pool, style)).join('');
  return `${table}${open}${countsText(verification)}\n`;
}

function openPoolText({ pool, services }: OpenPool, { width }: TableStyle): string {
  if (services.length === 0) {
    return indentedText(
      `pool ${pool} has an open fence that no Service needs: remove fence: open from leases/pools.yaml in a separate commit`,
      0,
      width,
    );
  }
  const count = counted(services.length, 'Service');
  const title = `pool ${pool} has an open fence; closing it would remove the addresses of ${count}:`;
  const lines = services.map(({ object, addresses, message }) =>
    indentedText(`${object} on ${addresses.join(',')} ${message}`, 2, width),
  );
  return `${indentedText(title, 0, width)}${lines.join('')}`;
}

/** The number of lines of each state: `12 ok, 1 pending, 1 left over`. */
export function countsText({ counts }: Pick<Verification, 'counts'>): string {
  return Object.entries(counts)
    .map(([state, count]) => `${count} ${state}${plural(state as VerifiedState, count)}`)
    .join(', ');
}

function plural(state: VerifiedState, count: number): string {
  return state === 'cluster problem' && count !== 1 ? 's' : '';
}

/** A hint that several claims share is printed once. */
function claimRows({ claims }: Verification): Row[] {
  const given = new Set<string>();
  const hintOf = ({ hint }: Detail): string[] => {
    if (hint === undefined || given.has(hint)) return [];
    given.add(hint);
    return fixOf(hint);
  };
  return claims.map(({ state, addresses, externalPort, protocol, object, holder, details }) => ({
    state,
    addresses,
    port: `${externalPort}/${protocol}`,
    object,
    holder,
    below: details.flatMap((detail) => [detailText(detail, object), ...hintOf(detail)]),
  }));
}

function fixOf(hint: string | undefined): string[] {
  return hint === undefined ? [] : [`fix: ${hint}`];
}

function detailText({ state, object, message }: Detail, own: string): string {
  if (object !== own) return `${object} ${message}`;
  return aboutService.has(state) ? `the Service ${message}` : message;
}

/** States whose messages need a subject. */
const aboutService: ReadonlySet<Detail['state']> = new Set([
  'not applied',
  'wrong address',
  'not reachable',
  'no endpoints',
]);

function otherRows({ objects, findings }: Verification): Row[] {
  const without = { addresses: [], port: '-', holder: '-' };
  return [
    ...objects
      .filter(({ state }) => state !== 'kept')
      .map(({ state, object, details }) => ({
        ...without,
        state,
        object,
        below: details.flatMap((detail) => [
          detail.message,
          ...fixOf('hint' in detail ? detail.hint : undefined),
        ]),
      })),
    ...findings.map(({ object, message, hint }) => ({
      ...without,
      state: 'cluster problem' as const,
      object,
      below: [message, `fix: ${hint}`],
    })),
  ];
}
