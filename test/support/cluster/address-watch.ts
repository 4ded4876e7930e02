import type { Kube, KubeObject } from './kube.ts';
import type { Running } from './machines/keeper.ts';
import { until } from './wait.ts';

/** Every address that each Service ever had since it was of type LoadBalancer, as the API server told it. */
export interface AddressWatch {
  /** From here on what was is forgotten: each Service has only what it has now. */
  mark(): void;
  /** What a Service had since the mark, oldest first; `none` is no address, `gone` no Service. */
  since(service: string): readonly string[];
  /** Resolves once the watch has seen all that the API server has now. */
  settled(): Promise<void>;
  /** Goes on after the API server was away. What an address was in the moment before this call is not seen. */
  goOn(): Promise<void>;
  close(): void;
}

/** Starts watching all namespaces. */
export async function watchAddresses(kube: Kube): Promise<AddressWatch> {
  const seen = new Map<string, string[]>();
  let failure: string | undefined;
  const take = (type: string, service: KubeObject): void => {
    if (service.spec?.type !== 'LoadBalancer' && !seen.has(keyOf(service))) return;
    const list = seen.get(keyOf(service)) ?? [];
    const now = type === 'DELETED' ? 'gone' : addressesOf(service);
    if (list.at(-1) !== now) seen.set(keyOf(service), [...list, now]);
  };
  const start = () =>
    kube.watch(['v1', 'Service'], take, (reason) => {
      failure = reason;
    });
  let stop = await start();
  const check = (): void => {
    if (failure !== undefined) throw new Error(`the watch of Services ended: ${failure}`);
  };
  return {
    mark() {
      check();
      for (const [key, list] of seen) seen.set(key, list.slice(-1));
    },
    since(service) {
      check();
      return seen.get(service) ?? [];
    },
    async settled() {
      const isSettled = async (): Promise<true | undefined> => {
        const live = (await kube.list('v1', 'Service')).filter(
          (one) => one.spec.type === 'LoadBalancer' || seen.has(keyOf(one)),
        );
        const isSeen = (one: KubeObject) => seen.get(keyOf(one))?.at(-1) === addressesOf(one);
        return live.every(isSeen) ? true : undefined;
      };
      await until(isSettled, { what: 'a watch that has seen everything' });
    },
    async goOn() {
      stop();
      failure = undefined;
      stop = await start();
    },
    close: () => stop(),
  };
}

/** Waits until each planned Service has the planned addresses, and the watch has seen it. */
export async function haveAddresses(
  kube: Kube,
  watch: AddressWatch,
  addresses: ReadonlyMap<string, string>,
  programs: readonly Running[] = [],
): Promise<void> {
  const isThere = async () => {
    const services = await kube.list('v1', 'Service');
    const live = new Map(services.map((one) => [keyOf(one), addressesOf(one)]));
    const wrong = [...addresses].filter(([key, pin]) => live.get(key) !== pin);
    if (wrong.length > 0) throw new Error(`not yet: ${wrong.map(([key]) => key).join(', ')}`);
    return true;
  };
  await until(isThere, { what: 'the planned addresses', programs });
  await watch.settled();
}

/** `namespace/name`. */
export function keyOf({ metadata }: KubeObject): string {
  return `${metadata.namespace}/${metadata.name}`;
}

/** The addresses that a live Service has, sorted, separated by commas; `none` without any. */
export function addressesOf(service: KubeObject): string {
  const ingress: readonly { readonly ip: string }[] = service.status?.loadBalancer?.ingress ?? [];
  return ingress.length === 0
    ? 'none'
    : ingress
        .map(({ ip }) => ip)
        .sort()
        .join(',');
}
