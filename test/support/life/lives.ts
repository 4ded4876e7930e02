import fc from 'fast-check';
import { type DescribedLife, lifeArbitrary } from './life-arbitrary.ts';
import { PurePlanner } from './planner.ts';
import { type Played, playedSteps } from './play.ts';
import { Reached } from './reached.ts';
import { WholePlanner } from './whole-planner.ts';

/** Every so many-th life is played by all of leasehold, and the others by the planner alone. */
const wholeEvery = 200;

/**
 * Plays so many lives. Throws with the seed, the shortest life that was found, and what it broke: to play just that
 * one again, give `seed` and `path` of the message to fast-check.
 */
export async function playLives(seed: number, count: number): Promise<Reached> {
  const reached = new Reached();
  await fc.assert(
    fc.asyncProperty(lifeArbitrary, async (life) => {
      reached.lives += 1;
      const isWhole = reached.lives % wholeEvery === 0;
      if (isWhole) reached.whole += 1;
      await playLife(life, isWhole, reached);
    }),
    { seed, numRuns: count },
  );
  return reached;
}

async function playLife(life: DescribedLife, isWhole: boolean, reached: Reached): Promise<void> {
  const planner = isWhole ? new WholePlanner() : new PurePlanner();
  const told: Played[] = [];
  for await (const played of playedSteps(life, planner)) {
    told.push(played);
    reached.note(played);
    if (played.broken.length > 0) throw new Error(`${storyOf(told)}\n${played.broken.join('\n')}`);
  }
}

/** What led to the last step: every step that did something, with what it changed. */
function storyOf(told: readonly Played[]): string {
  return told
    .flatMap(({ kind, today, problems, before, after }) => {
      const changed = [...after].filter(([text, now]) => before.get(text) !== now);
      if (changed.length + problems.length === 0) return [];
      const lines = changed.map(([text, now]) => `  ${text} ${JSON.stringify(now)}`);
      const refused = problems.map(({ code, message }) => `  refused: ${code} ${message}`);
      return [`${today} ${kind}`, ...lines, ...refused];
    })
    .join('\n');
}
