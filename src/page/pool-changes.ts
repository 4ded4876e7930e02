import type { PicturePool } from '../features/picture/picture-answer.ts';
import type { PictureIndex } from './picture-index.ts';

/** What became of the pools between two states, each in a sentence without trailing period. */
export function poolChanges(before: PictureIndex, after: PictureIndex): readonly string[] {
  const [was, is] = [before.picture.pools, after.picture.pools];
  const gone = was.filter(({ pool }) => !poolOf(is, pool));
  const come = is.filter(({ pool }) => !poolOf(was, pool));
  const names = new Map(
    gone.flatMap((old) => {
      const next = come.find((pool) => rangesText(pool) === rangesText(old));
      return next ? [[old, next] as const] : [];
    }),
  );
  const renamed = new Set(names.values());
  return [
    ...gone.map((old) => {
      const next = names.get(old);
      return next
        ? `Pool ${old.pool} is called ${next.pool} now (${rangesText(old)})`
        : `Pool ${old.pool} is removed (${rangesText(old)})`;
    }),
    ...come
      .filter((pool) => !renamed.has(pool))
      .map((pool) => `Pool ${pool.pool} is new (${rangesText(pool)})`),
    ...[...names].flatMap(([old, next]) => differences(old, next)),
    ...is.flatMap((pool) => {
      const old = poolOf(was, pool.pool);
      return old ? differences(old, pool) : [];
    }),
  ];
}

function poolOf(pools: readonly PicturePool[], name: string): PicturePool | undefined {
  return pools.find(({ pool }) => pool === name);
}

function rangesOf({ families }: PicturePool): readonly string[] {
  return families.flatMap(({ ranges }) => ranges);
}

function rangesText(pool: PicturePool): string {
  return rangesOf(pool).join(', ');
}

/** `Pool lab: no longer 192.0.2.0/28; newly reserved 192.0.2.1`. */
function differences(was: PicturePool, is: PicturePool): readonly string[] {
  const parts = [
    ...listed('no longer', without(rangesOf(was), rangesOf(is))),
    ...listed('newly', without(rangesOf(is), rangesOf(was))),
    ...listed('newly reserved', without(is.reservedRanges, was.reservedRanges)),
    ...listed('no longer reserved', without(was.reservedRanges, is.reservedRanges)),
    ...changed('zone', was.zone, is.zone),
    ...changed('state', was.state, is.state),
    ...changed('avoidBuggyIPs', String(was.avoidBuggyIPs), String(is.avoidBuggyIPs)),
  ];
  return parts.length === 0 ? [] : [`Pool ${is.pool}: ${parts.join('; ')}`];
}

function without(all: readonly string[], others: readonly string[]): readonly string[] {
  return all.filter((text) => !others.includes(text));
}

function listed(word: string, texts: readonly string[]): readonly string[] {
  return texts.length === 0 ? [] : [`${word} ${texts.join(', ')}`];
}

function changed(name: string, was: string, is: string): readonly string[] {
  return was === is ? [] : [`${name} ${was} before, ${is} now`];
}
