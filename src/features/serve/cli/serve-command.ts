import type { CommandLine } from '../../../core/cli/feature.ts';
import { serveCommand } from './serve-options.ts';

/** `leasehold serve`. The server is loaded when it runs: the help does not need it. */
export function addServeCommand(line: CommandLine): void {
  serveCommand(line).action((_, self) => {
    const serve = async () => {
      const { runServe } = await import('./serve-run.ts');
      return runServe(line, self.optsWithGlobals());
    };
    return line.exitWith(serve());
  });
}
