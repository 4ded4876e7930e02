import { type Kube, type KubeObject, Refused } from './kube.ts';
import type { Layout } from './lease-repository.ts';
import { until } from './wait.ts';

/** A namespace that nothing is leased in. */
export const strangers: KubeObject = {
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: 'strangers' },
};

/** Applies a stranger's Service; with `layout: pool` the admission policy denies it. */
export async function askFor(kube: Kube, layout: Layout, request: KubeObject): Promise<void> {
  if (layout === 'lease') {
    await kube.apply(request);
    return;
  }
  // A policy works a moment after it was made.
  const denied = async (): Promise<true | undefined> => {
    try {
      await kube.apply(request);
    } catch (error) {
      if (error instanceof Refused && error.message.includes('leasehold.dev/leases')) return true;
      throw error;
    }
    await kube.remove(request);
    return undefined;
  };
  await until(denied, { what: `a denial of ${request.metadata.name}` });
}

/** True when MetalLB has answered each Service that there is. */
export async function areJudged(kube: Kube, requests: readonly KubeObject[]): Promise<boolean> {
  const events = await kube.list('v1', 'Event');
  const answered = new Set(
    events
      .filter(({ reason }) => /AllocationFailed|IPAllocated/.test(reason))
      .map(({ involvedObject }) => involvedObject.name),
  );
  const live = await Promise.all(requests.map((request) => kube.get(request)));
  return live.every((service) => service === undefined || answered.has(service.metadata.name));
}
