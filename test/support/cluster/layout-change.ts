import { expect } from 'vitest';
import type { Kube, KubeObject } from './kube.ts';
import type { Running } from './machines/keeper.ts';
import { until } from './wait.ts';

/** Does what a printed `kubectl patch validatingwebhookconfiguration` does: it sends a strategic merge patch. */
export async function patchWebhooks(kube: Kube, command: string): Promise<void> {
  const [, name, patch = ''] =
    /^kubectl patch validatingwebhookconfiguration (\S+) -p '(.*)'$/.exec(command) ?? [];
  const path = `/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/${name}`;
  await kube.send('PATCH', path, JSON.parse(patch), 'application/strategic-merge-patch+json');
}

/** Waits until MetalLB's webhooks refuse a pool: the API server reads their configuration a moment later. */
export async function expectRefused(kube: Kube, pool: KubeObject): Promise<void> {
  const isRefused = async (): Promise<true> => {
    await expect(kube.apply(pool, { dryRun: true })).rejects.toThrow(/overlaps/);
    return true;
  };
  await until(isRefused, { what: `the refusal of ${pool.metadata.name}` });
}

/** Waits until MetalLB's controller has each Service's addresses from pools whose names match. */
export async function expectPools(
  kube: Kube,
  services: readonly string[],
  pool: RegExp,
  programs: readonly Running[],
): Promise<void> {
  const isSo = async (): Promise<true> => {
    const live = await kube.list('v1', 'Service');
    const found = live
      .filter(({ metadata }) => services.includes(`${metadata.namespace}/${metadata.name}`))
      .map(({ metadata: { annotations = {} } }) =>
        ['metallb.io', 'metallb.universe.tf'].flatMap(
          (prefix) => annotations[`${prefix}/ip-allocated-from-pool`] ?? [],
        ),
      );
    expect(found).toHaveLength(services.length);
    for (const pools of found) expect(pools.join()).toMatch(pool);
    return true;
  };
  await until(isSo, { what: `addresses from the pools ${pool}`, programs });
}
