import { planeNames } from '../../../core/model/planes.ts';
import type { PlaneMove } from './plane-move-answer.ts';

const signs = { ok: 'ok', do: 'do', refused: 'no' } as const;

/** The steps of a move, and what comes after them. */
export function planeMoveText(move: PlaneMove): string {
  const { steps } = move;
  const lines = steps.flatMap(({ state, text, commands }) => [
    `${signs[state]}  ${text}`,
    ...commands.map((command) => `      ${command}`),
  ]);
  return `${[...lines, ...(lines.length > 0 ? [''] : []), ...sequel(move)].join('\n')}\n`;
}

function sequel({ cluster, to, ready, edited, after }: PlaneMove): readonly string[] {
  const verify = `leasehold verify --timeout 10m --cluster ${cluster}`;
  if (!ready) {
    return [
      `nothing was changed: do what is marked, in this order, then run \`leasehold migrate-plane ${to} --cluster ${cluster}\` again`,
    ];
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
    `Remove ${former}, and then movedFrom from leases/pools.yaml.`,
  ];
  const begun =
    edited.length > 0
      ? `${edited.join(', ')} names ${next} in place of ${former}.`
      : `Cluster ${cluster} takes over from ${former}, or is ready to.`;
  return [
    begun,
    '',
    ...steps.flatMap((step, index) => [
      `${index + 1}. ${step}`,
      ...(step.startsWith('Start ') ? after.map((one) => `      ${one}`) : []),
    ]),
  ];
}
