import { playTeam } from './history.ts';
import { Notes } from './notes.ts';

/** The result of one history. */
interface Played {
  readonly seed: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly examples: Readonly<Record<string, string>>;
  /** Undefined when all promises were kept. */
  readonly fault: string | undefined;
}

/** A process of test/slow/play-teams.mjs: plays the seeds that it is sent, one after another. */
process.on('message', async (seed: number) => {
  const notes = new Notes();
  const fault = await playTeam(seed, notes).then(
    () => undefined,
    (error: Error) => error.message,
  );
  const played: Played = { seed, counts: notes.counts, examples: notes.examples, fault };
  process.send?.(played);
});
