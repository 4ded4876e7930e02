import { type CliContext, type ProcessContext, placeOf } from './cli-context.ts';
import type { GlobalOptions } from './command-line.ts';
import { displayFor } from './progress/chosen-display.ts';

/** A command's context, and what to do when it has ended. */
interface Started {
  readonly context: CliContext;
  end(): void;
}

/** The context of a command, once its global options are read. */
export function startedContext(context: ProcessContext, options: GlobalOptions): Started {
  const display = displayFor(context, options);
  const { out, err, ask } = context;
  const cleared = (write: (text: string) => void) => (text: string) => {
    display.clear();
    write(text);
  };
  const question = ask && {
    ask: (text: string) => {
      display.clear();
      return ask(text);
    },
  };
  const place = placeOf(context, options);
  const { quiet } = options;
  const own: CliContext = {
    ...context,
    ...question,
    out: cleared(out),
    err: cleared(err),
    place,
    progress: display,
    quiet,
    // The options of the command are read later than those of the program.
    get output() {
      return context.output;
    },
  };
  return { context: own, end: display.end };
}
