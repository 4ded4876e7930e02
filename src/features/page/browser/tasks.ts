import type { Picture } from '../picture-answer.ts';

/** The most records of a picture that is shown in one task of the browser. */
const mostAtOnce = 2000;

/** True for a picture whose views are added one by one, so that no task is long. */
export function isLarge({ records }: Pick<Picture, 'records'>): boolean {
  return records.length > mostAtOnce;
}

/** Runs steps in their order, each in a task of its own when `isSplit`. Resolves after the last one. */
export async function inTasks(steps: readonly (() => void)[], isSplit: boolean): Promise<void> {
  for (const step of steps) {
    if (isSplit) await new Promise((resolve) => setTimeout(resolve, 0));
    step();
  }
}
