import { addToGroup } from '../../../../../core/model/order.ts';
import type { Pool } from '../../../../../core/model/pools.ts';
import { fewOf } from '../../../../../core/model/problem.ts';
import type { AddressRange } from '../../../../../core/net/range.ts';
import { objectsOf, unknown } from '../../../../../lib/kubernetes/doctor-checks.ts';
import type { Finding } from '../../../diagnosis-answer.ts';
import { announcedBy } from '../../../live/announced-by.ts';
import { isNoNode, type NoNode } from '../../announcing.ts';
import { announcingNodes, speakersIn } from '../speakers.ts';
import type { MetalLBCheck } from './facts.ts';

/** METALLB_NODES; nothing without pools, or when METALLB_SPEAKERS reports that no speaker runs. */
export const checkNodes: MetalLBCheck = (
  { nodes, pods, daemonSets },
  { cluster: { plane }, pools },
) => {
  const code = 'METALLB_NODES';
  for (const fact of [nodes, pods, daemonSets]) {
    if (!fact.known) return [unknown(code, fact.reason)];
  }
  const speakers = speakersIn({
    daemonSets: objectsOf(daemonSets),
    pods: objectsOf(pods),
    metallb: plane,
  });
  if (!speakers || speakers.nodes?.size === 0 || pools.length === 0) return [];
  const silent = new Map<string, { readonly none: NoNode; readonly pool: string }[]>();
  for (const pool of pools) {
    for (const { name, nodeSelectors } of pool.advertise) {
      const subject =
        pool.advertise.length > 1 ? `${pool.name} (advertisement ${name})` : pool.name;
      const none = announcingNodes(
        objectsOf(nodes),
        [{ name: `pool ${subject}`, nodeSelectors }],
        speakers,
        announcedBy(pool, undefined),
      );
      if (isNoNode(none)) addToGroup(silent, none.reason, { none, pool: subject });
    }
  }
  if (silent.size === 0) {
    return [{ level: 'ok', code, found: 'MetalLB can announce each pool from a node' }];
  }
  return [...silent.values()].map((found) => silentFinding(found));
};

function silentFinding(
  found: readonly { readonly none: NoNode; readonly pool: string }[],
): Finding {
  const { reason = '', fix = '', command } = found[0]?.none ?? {};
  const names = fewOf(found.map(({ pool }) => pool));
  return {
    level: 'problem',
    code: 'METALLB_NODES',
    found: reason,
    means: `no address of ${found.length === 1 ? 'the pool' : 'the pools'} ${names} is announced, so no traffic arrives`,
    fix,
    ...(command === undefined ? {} : { command }),
  };
}

/** METALLB_INTERFACES; nothing when no speaker reports a failure. */
export const checkInterfaces: MetalLBCheck = ({ interfaceFailures }) => {
  const code = 'METALLB_INTERFACES';
  if (!interfaceFailures.known) return [unknown(code, interfaceFailures.reason)];
  const [first] = interfaceFailures.value;
  if (first === undefined) return [];
  return [
    {
      level: 'problem',
      code,
      found: `MetalLB: ${first}`,
      means: 'the address is not announced, so no traffic arrives',
      fix: 'set advertise.l2.interfaces in leases/pools.yaml to interfaces that the nodes have, and run `leasehold synth`',
    },
  ];
};

/** The ranges of the pools that are announced on some interfaces only. */
export function limitedRanges(pools: readonly Pool[]): readonly AddressRange[] {
  return pools.flatMap(({ ranges, advertise }) =>
    advertise.some((one) => one.kind === 'l2' && one.interfaces.length > 0) ? ranges : [],
  );
}
