import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { addressesOf } from '../address-watch.ts';
import { removeWhole } from '../by-hand.ts';
import { type Kube, type KubeObject, Refused } from '../kube.ts';
import { nameOf } from '../manifests.ts';
import { until } from '../wait.ts';
import { poolFile, type Site } from './site.ts';

/** Undoes what was broken. */
type Mend = () => Promise<unknown>;

/** Breaks something, waits until the cluster has made of it what it does, and gives how to undo it. */
export type Break = (site: Site) => Promise<Mend>;

/**
 * One thing that is told: how it stands, the code or the object, what a text about it says, and the
 * first version of MetalLB of which it is told.
 */
export type Line = readonly [state: string, of: string, says: RegExp, since?: string];

/** How a command answers. */
export interface Answer {
  readonly status: number;
  /** What it tells that it does not tell while all is well, in its order. */
  readonly lines: readonly Line[];
  /** What goes to stderr; nothing when left out. */
  readonly err?: RegExp;
}

/** Something that is broken, and what is told of it; a command that is left out finds nothing wrong. */
export interface Sabotage {
  readonly title: string;
  /** The first version of MetalLB that it is played with. */
  readonly since?: string;
  readonly break: Break;
  readonly doctor?: Answer;
  readonly verify?: Answer;
  /** Why its own end is what it is told to do, and nothing else is done before that. */
  readonly ends?: string;
}

/** An answer that ends in exit status 1. */
export function fails(...lines: readonly Line[]): Answer {
  return { status: 1, lines };
}

/** An answer that ends in exit status 0, and yet tells something. */
export function passes(...lines: readonly Line[]): Answer {
  return { status: 0, lines };
}

/** Breaks several things, and mends the last one first; when one does not break, those before it are mended. */
export function all(...breaks: readonly Break[]): Break {
  return async (site) => {
    const mends: Mend[] = [];
    const mendAll = async (): Promise<void> => {
      for (const mend of mends) await mend();
    };
    try {
      for (const one of breaks) mends.unshift(await one(site));
    } catch (error) {
      await mendAll();
      throw error;
    }
    return mendAll;
  };
}

type Question = (kube: Kube) => Promise<boolean>;

/** Breaks nothing: waits until something is so. */
export function once(what: string, isSo: Question): Break {
  return async (site) => {
    await wait(site, what, isSo);
    return async () => {};
  };
}

/** Waits in the end, when all that is broken after it is mended. */
export function atLast(what: string, isSo: Question): Break {
  return async (site) => () => wait(site, what, isSo);
}

async function wait({ machine: { plane, metallb } }: Site, what: string, isSo: Question) {
  const ask = async () => ((await isSo(plane.kube)) ? true : undefined);
  await until(ask, { what, programs: [...plane.programs, ...metallb.programs] });
}

/** Waits until a Service has these addresses. */
export function onceOn(addresses: string, service: KubeObject): Break {
  return once(`${nameOf(service)} on ${addresses}`, async (kube) => {
    const found = await kube.get(service);
    return found !== undefined && addressesOf(found) === addresses;
  });
}

/** Waits until the API server does not serve a kind. */
export function onceUnserved(path: string): Break {
  return once(`an end of ${path}`, async (kube) => !(await isServed(kube, path)));
}

/** Waits in the end until the API server serves a kind again. */
export function servedAtLast(path: string): Break {
  return atLast(path, (kube) => isServed(kube, path));
}

async function isServed(kube: Kube, path: string): Promise<boolean> {
  try {
    await kube.send('GET', path);
    return true;
  } catch (error) {
    if (error instanceof Refused && error.status === 404) return false;
    throw error;
  }
}

/** What a JSON merge patch says, perhaps of what is live. */
type Patch = object | ((live: KubeObject) => object);

/** Changes an object, or a part of it such as `/status`, and changes back what was changed. */
export function changed(object: KubeObject, patch: Patch, part = ''): Break {
  return async ({ machine }) => {
    const { kube } = machine.plane;
    const live = await liveOf(kube, object);
    const change = typeof patch === 'function' ? patch(live) : patch;
    await kube.merge(object, change, part);
    return () => kube.merge(object, inverse(change, live), part);
  };
}

/** The merge patch that takes another one back. */
function inverse(patch: object, live: unknown): object {
  const old = Object(live);
  return Object.fromEntries(
    Object.entries(patch).map(([key, value]) => {
      const isDeep = isMap(value) && isMap(old[key]);
      return [key, isDeep ? inverse(value, old[key]) : (old[key] ?? null)];
    }),
  );
}

function isMap(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Deletes objects, and applies them again as they were. */
export function without(...objects: readonly KubeObject[]): Break {
  return all(
    ...objects.map(
      (object): Break =>
        async ({ machine: { plane } }) => {
          const live = await liveOf(plane.kube, object);
          await removeWhole(plane.kube, object);
          return async () => {
            if (!(await plane.kube.get(object))) await plane.kube.apply(bare(live));
          };
        },
    ),
  );
}

/** Deletes an object and applies it again at once: what was made of it is gone. */
export function remade(object: KubeObject): Break {
  return async (site) => {
    const mend = await without(object)(site);
    await mend();
    return async () => {};
  };
}

/** Deletes an object that a finalizer holds: it stays, and is going. */
export function going(object: KubeObject): Break {
  return async (site) => {
    const { kube } = site.machine.plane;
    const live = await liveOf(kube, object);
    await kube.merge(object, { metadata: { finalizers: [finalizer] } });
    await kube.remove(object);
    return async () => {
      await kube.merge(object, { metadata: { finalizers: null } });
      await removeWhole(kube, object);
      await kube.apply(bare(live));
    };
  };
}

/** Nobody takes it away. */
const finalizer = 'example.com/hold';

/** Deletes a DaemonSet, leaves its pods, and applies it again: it takes them back. */
export function orphaned(daemonSet: KubeObject): Break {
  return async ({ machine: { plane } }) => {
    const { kube } = plane;
    const live = await liveOf(kube, daemonSet);
    const { namespace, name } = daemonSet.metadata;
    const path = `/apis/apps/v1/namespaces/${namespace}/daemonsets/${name}`;
    await kube.send('DELETE', `${path}?propagationPolicy=Orphan`);
    await until(async () => ((await kube.get(daemonSet)) ? undefined : true), {
      what: `the end of ${nameOf(daemonSet)}`,
      programs: plane.programs,
    });
    return () => kube.apply(bare(live));
  };
}

/** Applies objects beside what is there, and deletes them. */
export function beside(...objects: readonly KubeObject[]): Break {
  return all(
    ...objects.map(
      (object): Break =>
        async ({ machine: { plane } }) => {
          await plane.kube.apply(object);
          return () => removeWhole(plane.kube, object);
        },
    ),
  );
}

/** An object as somebody would write it. */
function bare({ metadata, status: _, ...rest }: KubeObject): KubeObject {
  const { name, namespace, labels, annotations } = metadata;
  const written = { name, namespace, labels, annotations };
  return { ...rest, metadata: written } as KubeObject;
}

async function liveOf(kube: Kube, object: KubeObject): Promise<KubeObject> {
  const live = await kube.get(object);
  if (!live) throw new Error(`${nameOf(object)} is not there`);
  return live;
}

/** leases/pools.yaml says something else, and nobody has run synth. */
export function pools(edit: (text: string) => string): Break {
  return async (site) => {
    const path = join(site.repository.root, 'leases/pools.yaml');
    writeFileSync(path, edit(poolFile(site)));
    return async () => writeFileSync(path, poolFile(site));
  };
}

/** leases/inventory.yaml is declared, and nobody has run synth. */
export function inventory(text: string): Break {
  return async ({ repository }) => {
    const path = join(repository.root, 'leases/inventory.yaml');
    writeFileSync(path, text);
    return async () => rmSync(path);
  };
}

/** The tree is not as synth leaves it: verify asks no cluster. */
export const stale: Answer = { status: 1, lines: [], err: /STALE/ };
