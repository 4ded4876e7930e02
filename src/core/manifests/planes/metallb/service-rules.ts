import type { Holder } from '../../../model/holder.ts';
import { annotationPrefixes } from '../../../model/planes.ts';
import { isBuggyIP } from '../../../net/address.ts';
import { type EmittedService, type PinnedService, pinnedServiceOf } from '../pinned-services.ts';
import type { EmittedPool, EmittedSelector } from './pool-rules.ts';

/**
 * Returns the facts of a Service, or the rule that it breaks. It is pinned in one way only, which
 * its MetalLB reads. MetalLB: controller/service.go.
 */
export function pinnedService(
  service: EmittedService,
  prefix: string,
  holder: Holder | undefined,
): PinnedService | string {
  const { annotations } = service.metadata;
  const { loadBalancerIP } = service.spec;
  const others = annotationPrefixes.filter((other) => other !== prefix);
  const unread = Object.keys(annotations).find((key) =>
    others.some((other) => key.startsWith(`${other}/`)),
  );
  if (unread !== undefined) return `has ${unread}, but its MetalLB reads ${prefix}/`;
  const annotation = annotations[`${prefix}/loadBalancerIPs`];
  if ((annotation === undefined) === (loadBalancerIP === undefined)) {
    return 'must have spec.loadBalancerIP or the loadBalancerIPs annotation, and not both';
  }
  const text = annotation ?? loadBalancerIP ?? '';
  return pinnedServiceOf(service, {
    text,
    sharingKey: annotations[`${prefix}/allow-shared-ip`],
    holder,
  });
}

/** Explains why a pool does not give a Service its pin; undefined when it does. */
export function pinFault(
  { metadata, pins }: PinnedService,
  pool: EmittedPool | undefined,
  namespaceLabels: ReadonlyMap<string, Labels>,
): string | undefined {
  if (!pool) return 'is pinned to an address outside of all pools';
  const { name } = pool.metadata;
  const { namespaces, namespaceSelectors, serviceSelectors } = pool.spec.serviceAllocation ?? {};
  const { namespace = '', labels } = metadata;
  const listed = namespaces?.includes(namespace) ?? false;
  const selected =
    namespaceSelectors?.some((one) => matches(one, namespaceLabels.get(namespace) ?? {})) ?? false;
  if ((namespaces || namespaceSelectors) && !listed && !selected) {
    return `is in a namespace that pool ${name} is not open to`;
  }
  if (serviceSelectors && !serviceSelectors.some((one) => matches(one, labels))) {
    return `does not have the labels that pool ${name} requires`;
  }
  return pool.spec.avoidBuggyIPs && pins.some(isBuggyIP)
    ? `is pinned to an address that pool ${name} avoids`
    : undefined;
}

type Labels = { readonly [key: string]: string };

function matches({ matchLabels = {} }: EmittedSelector, labels: Labels): boolean {
  return Object.entries(matchLabels).every(([key, value]) => labels[key] === value);
}
