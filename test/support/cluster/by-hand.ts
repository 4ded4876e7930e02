import { ownObjects } from './convergence.ts';
import { type Kube, type KubeObject, Refused } from './kube.ts';
import { nameOf } from './manifests.ts';
import { inWaves, type Planned } from './planned.ts';
import { until } from './wait.ts';

/**
 * Applies objects in the given order, and those that were refused again, round after round, until all are
 * accepted: `kubectl apply` in a loop. Gives how many rounds it took.
 */
export async function applyInOrder(kube: Kube, objects: readonly KubeObject[]): Promise<number> {
  let rest = objects;
  for (let round = 1; ; round += 1) {
    const refused: KubeObject[] = [];
    const reasons: string[] = [];
    for (const object of rest) {
      try {
        await kube.apply(object);
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        refused.push(object);
        reasons.push(`${nameOf(object)}: ${error.message}`);
      }
    }
    if (refused.length === 0) return round;
    if (round === 20) throw new Error(`never accepted: ${reasons.join('; ')}`);
    rest = refused;
  }
}

/** Applies what is planned in the order of the waves, and then removes the objects of ours that are not planned. */
export async function applyOnly(kube: Kube, planned: Planned): Promise<void> {
  await applyInOrder(kube, inWaves(planned));
  const wanted = new Set(planned.objects.map(nameOf));
  for (const object of await ownObjects(kube)) {
    if (!wanted.has(nameOf(object))) await removed(kube, object);
  }
}

/** Applies objects at once; the error is the API server's first refusal. */
export async function applyAll(kube: Kube, objects: readonly KubeObject[]): Promise<void> {
  await Promise.all(objects.map((object) => kube.apply(object)));
}

/** Removes everything of leasehold's, namespaces only when told so, and waits until they are gone. */
export async function removeOwn(
  kube: Kube,
  what: 'but namespaces' | 'and namespaces',
): Promise<void> {
  const objects = await ownObjects(kube);
  await Promise.all(objects.map((object) => removed(kube, object)));
  if (what === 'but namespaces') return;
  const namespaces = (await kube.list('v1', 'Namespace'))
    .filter(({ metadata }) => metadata.labels?.['app.kubernetes.io/managed-by'] === 'leasehold')
    .map((object) => ({ ...object, apiVersion: 'v1', kind: 'Namespace' }));
  await Promise.all(namespaces.map((namespace) => removeWhole(kube, namespace)));
}

/** Removes an object and waits until it is gone. */
export async function removeWhole(kube: Kube, object: KubeObject): Promise<void> {
  await removed(kube, object);
  const isGone = async () => ((await kube.get(object)) ? undefined : true);
  await until(isGone, { what: `the end of ${nameOf(object)}` });
}

/** Removes an object, if it is there. */
export async function removed(kube: Kube, object: KubeObject): Promise<void> {
  try {
    await kube.remove(object);
  } catch (error) {
    if (!(error instanceof Refused && error.status === 404)) throw error;
  }
}
