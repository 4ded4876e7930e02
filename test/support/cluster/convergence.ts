import { expect } from 'vitest';
import { type AddressWatch, addressesOf, keyOf } from './address-watch.ts';
import type { Kube, KubeObject } from './kube.ts';
import type { Metallb } from './machines/metallb.ts';
import { nameOf } from './manifests.ts';
import type { Planned } from './planned.ts';
import { until } from './wait.ts';

const label = 'app.kubernetes.io/managed-by';

/** Every kind that leasehold writes, but namespaces: those stay when their lease has ended. */
const ownKinds = [
  ['v1', 'Service'],
  ['v1', 'ConfigMap'],
  ['networking.k8s.io/v1', 'NetworkPolicy'],
  ['networking.k8s.io/v1', 'Ingress'],
  ['discovery.k8s.io/v1', 'EndpointSlice'],
  ['admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicy'],
  ['admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicyBinding'],
] as const;

/** More of them, whose definitions are not in every cluster. */
const addedKinds = [
  ['metallb.io/v1beta1', 'IPAddressPool'],
  ['metallb.io/v1beta1', 'L2Advertisement'],
  ['metallb.io/v1beta1', 'BGPAdvertisement'],
  ['cilium.io/v2', 'CiliumLoadBalancerIPPool'],
  ['cilium.io/v2alpha1', 'CiliumL2AnnouncementPolicy'],
  ['cilium.io/v2', 'CiliumBGPAdvertisement'],
  ['akash.network/v2beta2', 'ProviderLeasedIP'],
  ['akash.network/v2beta2', 'ProviderHost'],
  ['gateway.networking.k8s.io/v1', 'HTTPRoute'],
  ['externaldns.k8s.io/v1alpha1', 'DNSEndpoint'],
] as const;

/** Live objects that carry leasehold's label. */
export async function ownObjects(kube: Kube): Promise<readonly KubeObject[]> {
  const served = await Promise.all(
    addedKinds.map(([apiVersion, kind]) => kube.serves(apiVersion, kind)),
  );
  const all = [...ownKinds, ...addedKinds.filter((_, index) => served[index])];
  const kinds = await Promise.all(all.map(([apiVersion, kind]) => kube.list(apiVersion, kind)));
  return kinds.flatMap((items, index) =>
    items
      .filter(
        ({ metadata }) => metadata.labels?.[label] === 'leasehold' && !isOfController(metadata),
      )
      .map((item) => ({ ...item, apiVersion: all[index]?.[0] ?? '', kind: all[index]?.[1] ?? '' })),
  );
}

/** The names of all live objects of leasehold's, each with the id that it has from its making to its end. */
export async function liveIds(kube: Kube): Promise<ReadonlyMap<string, unknown>> {
  const own = await ownObjects(kube);
  return new Map(own.map((object) => [nameOf(object), object.metadata.uid]));
}

/** Waits until MetalLB has given a Service an address, and tells it. */
export async function givenAddress(
  kube: Kube,
  { programs }: Pick<Metallb, 'programs'>,
  service: KubeObject,
): Promise<string> {
  const ask = async (): Promise<string | undefined> => {
    const live = await kube.get(service);
    const address = live ? addressesOf(live) : 'none';
    return address === 'none' ? undefined : address;
  };
  return until(ask, { what: `an address of ${keyOf(service)}`, programs });
}

/** Nothing but its address was seen of any of these Services since the watch began. */
export async function expectKept(
  watch: AddressWatch,
  addresses: Iterable<readonly [service: string, address: string]>,
): Promise<void> {
  await watch.settled();
  for (const [key, address] of addresses) {
    expect([key, ...watch.since(key)]).toEqual([key, address]);
  }
}

/** The EndpointSlices that Kubernetes makes have the labels of their Services. */
function isOfController({ labels }: KubeObject['metadata']): boolean {
  const manager = labels?.['endpointslice.kubernetes.io/managed-by'];
  return manager === 'endpointslice-controller.k8s.io';
}

/** Waits until every Service of a plan has exactly its addresses, and nothing of ours is live that is not planned. */
export async function expectConverged(
  kube: Kube,
  metallb: Pick<Metallb, 'programs'>,
  { objects, addresses }: Planned,
): Promise<void> {
  const wanted = new Set(objects.map(nameOf));
  const ask = async (): Promise<true> => {
    const [live, services] = await Promise.all([ownObjects(kube), kube.list('v1', 'Service')]);
    const found = new Map(services.map((service) => [keyOf(service), addressesOf(service)]));
    const wrong = [...addresses].filter(([key, address]) => found.get(key) !== address);
    const tell = wrong.map(
      ([key, address]) => `${key}: ${found.get(key) ?? 'no Service'} instead of ${address}`,
    );
    const more = live.map(nameOf).filter((name) => !wanted.has(name));
    if (tell.length + more.length > 0)
      throw new Error([...tell, ...more.map((name) => `left over: ${name}`)].join('; '));
    return true;
  };
  await until(ask, { what: 'the planned addresses', programs: metallb.programs });
}

/** Every planned object is live with what was written; the API server may add to it, but not to Akash's kind. */
export async function expectWritten(kube: Kube, { objects }: Planned): Promise<void> {
  for (const object of objects) {
    const live = await kube.get(object);
    expect(live).toMatchObject(object);
    if (object.kind === 'ProviderLeasedIP') expect(live?.spec).toEqual(object.spec);
  }
}
