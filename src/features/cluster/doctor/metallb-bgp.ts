import type { Pool } from '../../../model/pools.ts';
import { listAt, textAt } from '../../../model/unstructured.ts';
import { type Check, objectsOf } from './facts.ts';
import { containerOf, metalLBIn } from './metallb-workload.ts';

/** The variable that MetalLB takes its mode from; `native` without it. MetalLB: controller/main.go. */
const variable = 'METALLB_BGP_TYPE';

/**
 * What pools ask of BGP that MetalLB's native mode cannot do, such as `IPv6 (pool public)`, in the order of the pools.
 * MetalLB: internal/config/validation.go DiscardFRROnly.
 */
export function beyondNativeBGP(pools: readonly Pool[]): readonly string[] {
  return pools.flatMap(({ name, ranges, advertise }) => {
    if (advertise.kind !== 'bgp') return [];
    const families = ranges.some(({ from }) => from.family === 'ipv6') ? ['IPv6'] : [];
    const communities = advertise.communities.filter((text) => text.startsWith('large:'));
    return [...families, ...communities].map((need) => `${need} (pool ${name})`);
  });
}

/** METALLB_BGP: nothing unless pools ask for what native mode cannot do, and there is a controller. */
export const checkBGP: Check = ({ deployments }, { cluster, beyondNative }) => {
  const code = 'METALLB_BGP';
  const controller = metalLBIn(objectsOf(deployments), cluster.metallb.namespace, 'controller');
  if (!controller || beyondNative.length === 0) return [];
  const setting = listAt(containerOf(controller, 'controller'), 'env').find(
    (one) => textAt(one, 'name') === variable,
  );
  const mode = setting === undefined ? 'native' : textAt(setting, 'value');
  const needs = beyondNative.join(', ');
  if (mode === undefined) {
    const found = `the mode in which MetalLB speaks BGP is not to be read, and pools ask for ${needs}`;
    return [{ level: 'unknown', code, found, means: 'native mode cannot do that' }];
  }
  if (mode !== 'native') {
    return [{ level: 'ok', code, found: `MetalLB speaks BGP in ${mode} mode, as pools need it` }];
  }
  return [
    {
      level: 'problem',
      code,
      found: `MetalLB speaks BGP in native mode, and pools ask for ${needs}`,
      means:
        'its webhook refuses their BGPAdvertisements, so that nothing announces their addresses',
      fix: "run MetalLB in FRR mode (the chart's frrk8s.enabled or speaker.frr.enabled), or change the pools in leases/pools.yaml",
    },
  ];
};
