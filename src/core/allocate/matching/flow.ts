/** A number of units, and the indexes of the rooms that they may go to. */
export interface FlowSource {
  readonly count: number;
  readonly rooms: readonly number[];
}

/** Sources that may go to these rooms only, which together take fewer than the sources have. */
export interface Overflow {
  readonly sources: readonly number[];
  readonly rooms: readonly number[];
}

/**
 * Puts all sources into rooms, which take that many units each. Returns undefined when all fit,
 * else a proof that they do not (Hall's theorem). A maximum flow by shortest augmenting paths: its
 * cost depends on the number of sources and rooms, not on the counts.
 */
export function overflowOf(
  sources: readonly FlowSource[],
  rooms: readonly number[],
): Overflow | undefined {
  const placing: Placing = { sources, open: [...rooms], inside: rooms.map(() => new Map()) };
  for (const [first, { count }] of sources.entries()) {
    let remaining = count;
    while (remaining > 0) {
      const search = pathFrom(first, placing);
      const { reached, from, end } = search;
      if (end === undefined) return { sources: reached, rooms: [...from.keys()] };
      remaining -= moveAlong(stepsTo(end, search), remaining, placing);
    }
  }
  return undefined;
}

interface Placing {
  readonly sources: readonly FlowSource[];
  /** How many more units each room takes. */
  readonly open: number[];
  /** For each room, how many units of each source are in it. */
  readonly inside: readonly Map<number, number>[];
}

interface Search {
  readonly reached: readonly number[];
  /** The source from which each room was reached. */
  readonly from: ReadonlyMap<number, number>;
  /** The room from which each later source was reached. Some of its units can leave that room. */
  readonly leaves: ReadonlyMap<number, number>;
  /** A room that is not full. */
  readonly end: number | undefined;
}

function pathFrom(first: number, { sources, open, inside }: Placing): Search {
  const reached = [first];
  const from = new Map<number, number>();
  const leaves = new Map<number, number>();
  for (const source of reached) {
    const fresh = (sources[source]?.rooms ?? []).filter((room) => !from.has(room));
    for (const room of fresh) from.set(room, source);
    const end = fresh.find((room) => (open[room] ?? 0) > 0);
    if (end !== undefined) return { reached, from, leaves, end };
    const leavers = fresh.flatMap((room) =>
      [...(inside[room]?.keys() ?? [])].map((other) => ({ other, room })),
    );
    for (const { other, room } of leavers) {
      if (other === first || leaves.has(other)) continue;
      leaves.set(other, room);
      reached.push(other);
    }
  }
  return { reached, from, leaves, end: undefined };
}

/** Units of a source go to a room, and away from another one except in the first step. */
interface Step {
  readonly source: number;
  readonly to: number;
  readonly away: number | undefined;
}

function stepsTo(end: number, { from, leaves }: Search): readonly Step[] {
  const steps: Step[] = [];
  let to: number | undefined = end;
  while (to !== undefined) {
    const source: number = from.get(to) ?? 0;
    const away = leaves.get(source);
    steps.push({ source, to, away });
    to = away;
  }
  return steps;
}

/** Moves as many units as possible, at most `remaining`, and returns their number. */
function moveAlong(steps: readonly Step[], remaining: number, { open, inside }: Placing): number {
  const end = steps[0]?.to ?? 0;
  let moved = Math.min(remaining, open[end] ?? 0);
  for (const { source, away } of steps) {
    if (away !== undefined) moved = Math.min(moved, inside[away]?.get(source) ?? 0);
  }
  for (const { source, to, away } of steps) {
    change(inside[to], source, moved);
    if (away !== undefined) change(inside[away], source, -moved);
  }
  open[end] = (open[end] ?? 0) - moved;
  return moved;
}

function change(room: Map<number, number> | undefined, source: number, by: number): void {
  const count = (room?.get(source) ?? 0) + by;
  if (count > 0) room?.set(source, count);
  else room?.delete(source);
}
