import fc from 'fast-check';
import { WholePlanner } from './command-planner.ts';
import { type DescribedLife, lifeArbitrary } from './life-arbitrary.ts';
import { PurePlanner } from './planner.ts';
import { type Played, playedSteps } from './played-steps.ts';
import { Reached } from './reached-outcomes.ts';
import { type Entry, entryText } from './records.ts';

/** Every so many-th life is played by all of leasehold, and the others by the planner alone. */
const wholeEvery = 200;

/** How many shorter lives are tried once one has failed: those of all of leasehold take a second each. */
const fewTries = 60;
const manyTries = 1_000;

/** One life of a failed test: what its message says. */
interface Again {
  readonly path: string;
  readonly isWhole: boolean;
}

/**
 * Plays so many lives. Throws with the seed, the shortest life that was found, its story and what it broke: to play just
 * that one, say `again`.
 */
export async function playLives(seed: number, count: number, again?: Again): Promise<Reached> {
  const reached = new Reached();
  // A life that failed shrinks as what it was.
  let failed = again?.isWhole;
  let tries = 0;
  await fc.assert(
    fc.asyncProperty(lifeArbitrary, async (life) => {
      if (failed !== undefined && again === undefined) tries += 1;
      if (tries > (failed ? fewTries : manyTries)) return;
      reached.lives += 1;
      const isWhole = failed ?? reached.lives % wholeEvery === 0;
      if (isWhole) reached.whole += 1;
      const story = await playLife(life, isWhole, reached);
      if (story === undefined) return;
      failed = isWhole;
      throw new Error(`${isWhole ? 'all of leasehold' : 'the planner'}:\n${story}`);
    }),
    { seed, numRuns: count, ...(again && { path: again.path, endOnFailure: true }) },
  );
  return reached;
}

/** What led to what it broke; undefined when it broke nothing. */
async function playLife(life: DescribedLife, isWhole: boolean, reached: Reached) {
  const planner = isWhole ? new WholePlanner() : new PurePlanner();
  const told: Played[] = [];
  for await (const played of playedSteps(life, planner)) {
    told.push(played);
    reached.note(played);
    if (played.broken.length > 0) return `${storyOf(told)}\n${played.broken.join('\n')}`;
  }
  return undefined;
}

/** What led to the last step: every step that did something, with what it changed. */
function storyOf(told: readonly Played[]): string {
  return told
    .flatMap(({ kind, today, problems, before, after }) => {
      const changed = [...after].filter(([text, now]) => isNews(before.get(text), now));
      if (changed.length + problems.length === 0) return [];
      const lines = changed.map(([text, now]) => `  ${text} ${entryText(now)}`);
      const refused = problems.map(({ code, message }) => `  refused: ${code} ${message}`);
      return [`${today} ${kind}`, ...lines, ...refused];
    })
    .join('\n');
}

function isNews(before: Entry | undefined, now: Entry): boolean {
  return !before || entryText(before) !== entryText(now);
}
