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

function sequel({ cluster, ready, edited, start }: PlaneMove): readonly string[] {
  const verify = `leasehold verify --timeout 10m --cluster ${cluster}`;
  if (!ready) {
    return [
      `nothing was changed: do what is marked, in this order, then run \`leasehold migrate-plane --cluster ${cluster}\` again`,
    ];
  }
  const merge = [
    'With Argo CD, apply what `leasehold gitops argocd` prints now: its project allows the kinds of both.',
    'Merge it. Both planes stand still: until the end, no Service gets another or a new address.',
  ];
  const steps = [
    ...(edited.length > 0 ? merge : []),
    `Wait until all is applied: ${verify}`,
    `Start Cilium's operator, with as many replicas as it had: ${start ?? 'as it was'}`,
    `Once more: ${verify}`,
    'Remove MetalLB, then movedFrom from leases/pools.yaml.',
  ];
  const begun =
    edited.length > 0
      ? `${edited.join(', ')} names Cilium in place of MetalLB.`
      : `Cluster ${cluster} takes over from MetalLB, or is ready to.`;
  return [begun, '', ...steps.map((step, index) => `${index + 1}. ${step}`)];
}
