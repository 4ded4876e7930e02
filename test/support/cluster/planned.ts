import { join } from 'node:path';
import { keyOf } from './address-watch.ts';
import type { KubeObject } from './kube.ts';
import { objectsBelow } from './manifests.ts';

/** What is committed for the cluster `default`. */
export interface Planned {
  readonly objects: readonly KubeObject[];
  /** Each Service, `namespace/name`, to its addresses, sorted, separated by commas; `none` of one without. */
  readonly addresses: ReadonlyMap<string, string>;
}

/** Reads `dist/default` of a repository. */
export function plannedIn(root: string): Planned {
  const objects = objectsBelow(join(root, 'dist/default'));
  const services = objects.filter(({ kind }) => kind === 'Service');
  return {
    objects,
    addresses: new Map(services.map((service) => [keyOf(service), pinOf(service)])),
  };
}

function pinOf({ metadata, spec }: KubeObject): string {
  const { annotations = {} } = metadata;
  const both = ['metallb.io/loadBalancerIPs', 'metallb.universe.tf/loadBalancerIPs'];
  const pins = both.flatMap((key) => annotations[key]?.split(',') ?? []);
  return (pins.length > 0 ? pins : [spec.loadBalancerIP ?? 'none']).sort().join(',');
}
