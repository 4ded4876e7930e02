import { afterAll, beforeAll, describe, inject } from 'vitest';
import { type BuiltProgram, buildProgram } from '../run/built-program.ts';
import { type Place, Story, titleOf } from './story.ts';

/**
 * Tells one story in each of some places: `tell` declares its tests. They are skipped where no cluster can be had, and
 * when told so.
 */
export function describeStories<P extends Place>(
  title: string,
  places: readonly P[],
  tell: (story: Story, place: P) => void,
  { isSkipped = false } = {},
): void {
  describe.skipIf(inject('clusterIsMissing') || isSkipped)(title, () => {
    let program: BuiltProgram;
    beforeAll(() => {
      program = buildProgram();
    });
    afterAll(() => program?.remove());

    describe.each(places.map((place) => [titleOf(place), place] as const))('%s', (_, place) => {
      const story = new Story(place);
      beforeAll(() => story.begin(program.cli));
      afterAll(() => story.end());
      tell(story, place);
    });
  });
}
