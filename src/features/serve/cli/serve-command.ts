import { command } from '../../../core/cli/feature.ts';
import { serveOptions } from './serve-options.ts';

/** `leasehold serve`. The server is loaded when it runs: the help does not need it. */
export const serveCommand = command(serveOptions, async (_, options, __, line) => {
  const { runServe } = await import('./serve-run.ts');
  return runServe(line, options);
});
