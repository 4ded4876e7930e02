import { type LiveObject, listAt, textAt } from '../../core/model/live.ts';
import type { Pool } from '../../core/model/pools.ts';

/** The two parts of MetalLB: a Deployment and a DaemonSet. */
export type Part = 'controller' | 'speaker';

/**
 * True for MetalLB's own Deployment or DaemonSet, whatever its name: it has the labels of MetalLB's
 * manifests (config/controllers) or of its chart, or MetalLB's image.
 */
export function isMetalLB(workload: LiveObject, part: Part): boolean {
  const { labels = {} } = workload.metadata;
  if (labels.app === 'metallb' && labels.component === part) return true;
  const isCharts = labels['app.kubernetes.io/name'] === 'metallb';
  if (isCharts && labels['app.kubernetes.io/component'] === part) return true;
  return containersOf(workload).some((container) => isImageOf(textAt(container, 'image'), part));
}

/** MetalLB's workload in its namespace, where the name is enough. */
export function metalLBIn(
  workloads: readonly LiveObject[],
  namespace: string,
  part: Part,
): LiveObject | undefined {
  const here = workloads.filter(({ metadata }) => metadata.namespace === namespace);
  const names = [part, `metallb-${part}`];
  return (
    here.find((workload) => isMetalLB(workload, part)) ??
    here.find(({ metadata }) => names.includes(metadata.name))
  );
}

/** The container of a part. The pod may also have proxies. */
export function containerOf(workload: LiveObject, part: Part): unknown {
  const containers = containersOf(workload);
  return (
    containers.find((container) => isImageOf(textAt(container, 'image'), part)) ??
    containers.find((container) => textAt(container, 'name') === part) ??
    containers[0]
  );
}

/** The containers of a workload's pods. */
export function containersOf(workload: LiveObject): readonly unknown[] {
  return listAt(workload, 'spec', 'template', 'spec', 'containers');
}

/** `quay.io/metallb/controller:v0.14.9`, and other builds such as `bitnami/metallb-controller`. */
function isImageOf(image: string | undefined, part: Part): boolean {
  const [name = ''] = /[^/]*(?:\/[^/]*)?$/.exec((image ?? '').split('@')[0] ?? '') ?? [];
  return name.includes('metallb') && name.replace(/:.*$/, '').endsWith(part);
}

/** MetalLB's version in a namespace, from its controller's image; undefined when unknown. */
export function runningRelease(
  deployments: readonly LiveObject[],
  namespace: string,
): string | undefined {
  return releaseIn(runningImage(deployments, namespace) ?? '');
}

/** The image of the MetalLB controller in a namespace; empty when the container names none. */
export function runningImage(
  deployments: readonly LiveObject[],
  namespace: string,
): string | undefined {
  const controller = metalLBIn(deployments, namespace, 'controller');
  return controller && (textAt(containerOf(controller, 'controller'), 'image') ?? '');
}

/** `0.14.9` for a tag such as `v0.14.9` or `0.14.9-debian-12`; undefined for a digest or `main`. */
export function releaseIn(image: string): string | undefined {
  const [name = ''] = image.split('@');
  return /:v?(\d{1,4}\.\d{1,4}\.\d{1,4})(?:[-.][\w.-]*)?$/.exec(name)?.[1];
}

/** The loadBalancerClass that MetalLB serves; undefined for none, or when it does not run. */
export function runningClass(
  deployments: readonly LiveObject[],
  namespace: string,
): string | undefined {
  const controller = metalLBIn(deployments, namespace, 'controller');
  return controller && classOf(controller);
}

export function classOf(controller: LiveObject): string | undefined {
  return listAt(containerOf(controller, 'controller'), 'args')
    .filter((arg) => typeof arg === 'string')
    .map((arg) => /^--?lb-class=(.+)$/.exec(arg)?.[1])
    .find((found) => found !== undefined);
}

/**
 * The BGP features that pools need and MetalLB's native mode does not support, such as
 * `IPv6 (pool public)`, in the order of the pools. MetalLB: internal/config/validation.go
 * DiscardFRROnly.
 */
export function beyondNativeBGP(pools: readonly Pool[]): readonly string[] {
  return pools.flatMap(({ name, ranges, advertise }) => {
    const bgp = advertise.filter((one) => one.kind === 'bgp');
    if (bgp.length === 0) return [];
    const families = ranges.some(({ from }) => from.family === 'ipv6') ? ['IPv6'] : [];
    const communities = new Set(bgp.flatMap((one) => one.communities));
    const large = [...communities].filter((text) => text.startsWith('large:'));
    return [...families, ...large].map((need) => `${need} (pool ${name})`);
  });
}
