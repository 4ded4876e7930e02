import { type Problem, placeText } from '../../model/problem.ts';
import type { DeclaredService, NodePort, Reservation } from '../../model/service.ts';

/**
 * NODE_PORT_TAKEN for each node port that an earlier Service of the cluster names too; the earlier one is in `also`. One
 * space holds them all, whatever their protocol, and health checks too. What the API server picked by itself is not known.
 * Kubernetes: pkg/registry/core/service/storage/alloc.go, allocNodePort.
 */
export function nodePortProblems(
  services: readonly (DeclaredService | Reservation)[],
): readonly Problem[] {
  const taken = new Map<
    string,
    { readonly declared: DeclaredService; readonly at: NodePort['at'] }
  >();
  return services.flatMap((declared): Problem[] => {
    if (declared.kind !== 'Service') return [];
    return declared.nodePorts.flatMap(({ port, at }): Problem[] => {
      const key = `${declared.cluster} ${port}`;
      const first = taken.get(key);
      if (!first) {
        taken.set(key, { declared, at });
        return [];
      }
      return [
        {
          code: 'NODE_PORT_TAKEN',
          message: `the node port ${port} is also that of Service '${first.declared.namespace}/${first.declared.name}' in ${placeText(first.at)}`,
          at,
          also: [first.at],
          hint: 'give one of them another, or leave it out: the API server then picks one',
        },
      ];
    });
  });
}
