import { addressesOf } from './address-watch.ts';
import { removeWhole } from './by-hand.ts';
import { service } from './declared.ts';
import type { Machine } from './machines/machine.ts';
import { areJudged } from './strangers.ts';
import { until } from './wait.ts';

/** Waits until MetalLB gives a Service nothing that asks for nothing: then it works by `autoAssign: false`. */
export async function noneByItself({ plane, metallb }: Machine): Promise<void> {
  const { kube } = plane;
  let round = 0;
  const ask = async (): Promise<true | undefined> => {
    round += 1;
    const probe = service('default', `probe-${round}-${Date.now()}`);
    await kube.apply(probe);
    const isJudged = async () => ((await areJudged(kube, [probe])) ? true : undefined);
    await until(isJudged, { what: "MetalLB's answer to a probe", programs: metallb.programs });
    const found = await kube.get(probe);
    await removeWhole(kube, probe);
    return found && addressesOf(found) === 'none' ? true : undefined;
  };
  await until(ask, { what: 'autoAssign: false at work', programs: metallb.programs });
}
