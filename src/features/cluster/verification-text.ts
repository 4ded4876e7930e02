import { columns } from '../../text/print/columns.ts';
import { sanitize } from '../../text/print/escape.ts';
import type { Detail, OpenPool, Verification, VerifiedState } from './verification-answer.ts';

/**
 * A verification as a table: one line for each claim, object and finding, followed by lines with
 * its details; then the Services that need an open fence; then a line that counts the states. Kept
 * Namespaces are only counted, since their number grows over the years.
 */
export function verificationTable(verification: Verification): string {
  const lines = [...claimLines(verification), ...otherLines(verification)];
  const header = ['STATE', 'ADDRESS', 'PORT', 'OBJECT', 'HOLDER'];
  const rows = columns([header, ...lines.map(({ cells }) => cells.map(sanitize))]).split('\n');
  const body = lines.flatMap(({ below }, index) => [
    rows[index + 1] ?? '',
    ...below.map((text) => `  ${sanitize(text)}`),
  ]);
  const table = lines.length === 0 ? [] : [rows[0] ?? '', ...body];
  const open = verification.openPools.flatMap(openPoolLines).map(sanitize);
  return [...table, ...open, countsText(verification)].map((line) => `${line}\n`).join('');
}

function openPoolLines({ pool, services }: OpenPool): readonly string[] {
  if (services.length === 0) {
    return [
      `pool ${pool} has an open fence that no Service needs: remove fence: open from leases/pools.yaml in a separate commit`,
    ];
  }
  const count = services.length === 1 ? '1 Service' : `${services.length} Services`;
  return [
    `pool ${pool} has an open fence; closing it would remove the addresses of ${count}:`,
    ...services.map(
      ({ object, addresses, message }) => `  ${object} on ${addresses.join(',')} ${message}`,
    ),
  ];
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

interface Line {
  readonly cells: readonly string[];
  readonly below: readonly string[];
}

function claimLines({ claims }: Verification): Line[] {
  return claims.map((claim) => ({
    cells: [
      claim.state,
      claim.addresses.join(','),
      `${claim.externalPort}/${claim.protocol}`,
      claim.object,
      claim.holder,
    ],
    below: claim.details.map((detail) => detailText(detail, claim.object)),
  }));
}

function detailText({ state, object, message }: Detail, own: string): string {
  if (object !== own) return `${object} ${message}`;
  return aboutService.has(state) ? `the Service ${message}` : message;
}

/** States whose messages need a subject. */
const aboutService: ReadonlySet<Detail['state']> = new Set(['not applied', 'wrong address']);

function otherLines({ objects, findings }: Verification): Line[] {
  return [
    ...objects
      .filter(({ state }) => state !== 'kept')
      .map(({ state, object, details }) => ({
        cells: [state, '-', '-', object, '-'],
        below: details.map(({ message }) => message),
      })),
    ...findings.map(({ object, message, hint }) => ({
      cells: ['cluster problem', '-', '-', object, '-'],
      below: [message, `fix: ${hint}`],
    })),
  ];
}
