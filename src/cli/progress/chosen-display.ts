import { Option } from '@commander-js/extra-typings';
import type { ProcessContext } from '../cli-context.ts';
import {
  noDisplay,
  type ProgressDisplay,
  plainDisplay,
  terminalDisplay,
} from './progress-display.ts';

/** `--progress`. */
export function progressOption() {
  return new Option(
    '--progress <how>',
    'plain: a line for each phase; auto: a line at a terminal, and plain in CI for a long run',
  )
    .choices(['auto', 'plain', 'none'])
    .default('auto');
}

/** The display that the options and the process ask for. */
export function displayFor(
  { err: write, env, elapsed, errColumns }: ProcessContext,
  { progress, quiet }: { readonly progress: string; readonly quiet: boolean },
): ProgressDisplay {
  if (quiet || progress === 'none' || elapsed === undefined) return noDisplay;
  if (progress === 'plain') return plainDisplay({ write, elapsed }, true);
  if (env.CI) return plainDisplay({ write, elapsed }, false);
  return errColumns === undefined ? noDisplay : terminalDisplay({ write, elapsed }, errColumns);
}
