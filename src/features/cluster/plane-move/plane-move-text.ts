import { planeNames } from '../../../core/model/planes.ts';
import { type Connection, optionsFor } from '../../../lib/kubernetes/kubectl-command.ts';
import type { PlaneMove } from './plane-move-answer.ts';

const signs = { ok: 'ok', do: 'do', refused: 'no' } as const;

/** The steps of a move, and what comes after them. */
export function planeMoveText(move: PlaneMove, connection: Connection): string {
  const { steps } = move;
  const lines = steps.flatMap(({ state, text, commands }) => [
    `${signs[state]}  ${text}`,
    ...commands.map((command) => `      ${command}`),
  ]);
  return `${[...lines, ...(lines.length > 0 ? [''] : []), ...sequel(move, connection)].join('\n')}\n`;
}

function sequel(
  { cluster, to, ready, edited, after, steps: before }: PlaneMove,
  connection: Connection,
): readonly string[] {
  const chosen = ['--cluster', cluster, ...optionsFor(connection)].join(' ');
  const verify = `leasehold verify --timeout 10m ${chosen}`;
  const again = `leasehold migrate-plane ${to} ${chosen}`;
  if (!ready) {
    return [`nothing was changed: do what is marked, in this order, then run \`${again}\` again`];
  }
  if (before.length > 0 && edited.length === 0) {
    return [`nothing was changed: all is ready, so run \`${again}\` without --dry-run`];
  }
  const next = planeNames[to];
  const former = planeNames[to === 'cilium' ? 'metallb' : 'cilium'];
  const merge = [
    'With Argo CD, apply what `leasehold gitops argocd` prints now: its project allows the kinds of both.',
    'Merge it. Both planes stand still: until the end, no Service gets another or a new address.',
  ];
  const steps = [
    ...(edited.length > 0 ? merge : []),
    `Wait until all is applied: ${verify}`,
    `Start ${next}, with as many replicas as it had:`,
    `Once more: ${verify}`,
    'Give the charts of reserved addresses what `leasehold list -o values` prints now.',
    `Remove ${former}, and then movedFrom from leases/pools.yaml.`,
  ];
  const begun =
    edited.length > 0
      ? `${edited.join(', ')} names ${next} in place of ${former}.`
      : `Cluster ${cluster} takes over from ${former}.`;
  return [
    begun,
    '',
    ...steps.flatMap((step, index) => [
      `${index + 1}. ${step}`,
      ...(step.startsWith('Start ') ? after.map((one) => `      ${one}`) : []),
    ]),
  ];
}
