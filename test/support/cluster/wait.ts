import type { Running } from './machines/keeper.ts';

/** What a wait goes by. */
export interface Wait {
  /** What is waited for, for the failure's text. */
  readonly what: string;
  /** Milliseconds until the wait is a failure. */
  readonly within?: number;
  /** Milliseconds between the first two questions. The pauses grow to five times that: questions cost the cluster CPU. */
  readonly every?: number;
  /** Programs whose end is the end of the wait, and whose logs tell why. */
  readonly programs?: readonly Running[];
}

/**
 * Asks until there is an answer: undefined and what is thrown mean not yet. Fails when the time is over,
 * or when one of the programs is gone, with the last lines of their logs.
 */
export async function until<Answer>(
  ask: () => Promise<Answer | undefined> | Answer | undefined,
  { what, within = 120_000, every = 100, programs = [] }: Wait,
): Promise<Answer> {
  const end = Date.now() + within;
  let pause = every;
  let last = '';
  for (;;) {
    try {
      const answer = await ask();
      if (answer !== undefined) return answer;
      last = '';
    } catch (error) {
      last = error instanceof Error ? error.message : String(error);
    }
    const lost = programs.find((program) => program.gone() !== undefined);
    if (lost || Date.now() > end) {
      const why = lost ? `${lost.name} is gone (${lost.gone()})` : `not within ${within} ms`;
      const logs = programs.map(({ name, log }) => `--- ${name}\n${log().slice(-1_500)}`);
      throw new Error(`${what}: ${why}. ${last}\n${logs.join('\n')}`);
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
    pause = Math.min(1.5 * pause, 5 * every);
  }
}
