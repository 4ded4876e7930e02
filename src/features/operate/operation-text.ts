import type { Problem } from '../../model/problem.ts';
import { columns } from '../../text/print/columns.ts';
import { plain } from '../../text/print/plain.ts';
import type {
  CleanedDeclaration,
  Cleanup,
  CutClaim,
  MoveAnswer,
  PinAnswer,
  ReleaseAnswer,
} from './operation-answer.ts';

/** What a move cuts, for a person: from where to where, what stands on it, and when the old address is free. */
export function moveText({ moved }: MoveAnswer): string {
  return lines(
    moved.flatMap(({ holder, from, to, freeFrom, claims }) => [
      `${from} -> ${to}  ${holder}`,
      ...claims.map((claim) => `  cut: ${claimText(claim)}`),
      `  ${from} is free for others from ${freeFrom}`,
    ]),
  );
}

/** What a policy asks of the pull request that moves, for a person. */
export function movesAskedText(unasked: readonly Problem[]): string {
  return lines(
    unasked.map(({ hint }) => `under leases/policy.yaml, a move has to be asked for: ${hint}`),
  );
}

/** What a release cuts, for a person. */
export function releaseText({ claims, released, edited, removed }: ReleaseAnswer): string {
  return lines([
    ...claims.map((claim) => `cut: ${claimText(claim)}`),
    ...released.map(
      ({ address, holder, freeFrom }) =>
        `${address} of ${holder} is free for others from ${freeFrom}`,
    ),
    ...(released.length === 0 ? ['no address is released: other claims stand on it'] : []),
    ...edited.map((file) => `edited ${file}`),
    ...removed.map((file) => `removed ${file}`),
  ]);
}

/** What is pinned where, for a person. */
export function pinText({ pinned, edited }: PinAnswer): string {
  return lines([
    ...pinned.map(({ address, holder, places }) =>
      places.length > 0
        ? `${address} of ${holder} is pinned in ${places.join(', ')}`
        : `${address} of ${holder} is not pinned: its declarations have no field left for it`,
    ),
    edited.length === 0 ? 'nothing to write' : `edited ${edited.join(', ')}`,
  ]);
}

function claimText({ declarer, service, externalPort, protocol, file }: CutClaim): string {
  return `${service} ${externalPort}/${protocol} of ${declarer} (${file})`;
}

function lines(texts: readonly string[]): string {
  return texts.map((text) => `${plain(text)}\n`).join('');
}

/** What ended and what was skipped, a line each, for a person. */
export function cleanupText({ ended, skipped }: Cleanup): string {
  return columns([...rows('ended', ended), ...rows('skipped', skipped)]);
}

/** What became of the addresses, or that there was nothing to do. */
export function cleanupNote({ cluster, ended, skipped, released }: Cleanup): string {
  const lines = [
    ...(ended.length === 0 ? [`no lease of cluster ${cluster} is to end; nothing to do`] : []),
    ...released.map(
      ({ address, holder, freeFrom }) => `released ${address} of ${holder}, free from ${freeFrom}`,
    ),
    ...(skipped.length > 0 ? [`${skipped.length} skipped: deny-external-cleanup is true`] : []),
  ];
  return lines.map((line) => `${plain(line)}\n`).join('');
}

function rows(what: string, declarations: readonly CleanedDeclaration[]): string[][] {
  return declarations.map(({ declarer, file }) => [what, declarer, file].map(plain));
}
