import type { Plane } from '../../model/planes.ts';
import type { Cluster } from '../../model/pools.ts';
import { cilium } from './cilium/cilium.ts';
import { metalLB } from './metallb/metallb.ts';
import type { PlaneManifests } from './plane.ts';

/** The data planes by kind. */
export const planes: Readonly<Record<Plane['kind'], PlaneManifests>> = {
  cilium,
  metallb: metalLB,
};

/** The manifests and rules of the plane of a cluster. */
export function planeOf({ plane }: Pick<Cluster, 'plane'>): PlaneManifests {
  return planes[plane.kind];
}
