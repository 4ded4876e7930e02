/** Lets a bounded number of questions to git run at once, and a bounded number wait. */
export interface Turnstile {
  /** What a piece of work gives; undefined when too many wait already. */
  pass<Value>(work: () => Promise<Value>): Promise<Value | undefined>;
}

/** A turnstile for as many at once, and as many in the queue. */
export function turnstile(atOnce: number, waiting: number): Turnstile {
  const queue: (() => void)[] = [];
  let running = 0;
  return {
    async pass(work) {
      if (running >= atOnce) {
        if (queue.length >= waiting) return undefined;
        await new Promise<void>((resolve) => queue.push(resolve));
      } else {
        running += 1;
      }
      try {
        return await work();
      } finally {
        const next = queue.shift();
        // Whoever is next takes this place, so that the number stays.
        if (next) next();
        else running -= 1;
      }
    },
  };
}
