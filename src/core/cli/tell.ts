import { type Paint, paintOf } from '../text/print/problems-text.ts';
import { type ProcessContext, takesColors } from './cli-context.ts';

/**
 * What is printed where. Standard output has the result of a command: its answer, the summary of a
 * run, or the problems that prevent them. Standard error has progress, prompts, remarks beside an
 * answer, wrong usage, failures of the machine, bugs, and the log of `serve` and `reconcile`.
 *
 * In a format for programs, and with a command without `-o`, standard output has one document and
 * nothing else: problems go to standard error, and so does a summary that the document does not
 * have. With JSON and YAML, a document of the kind Failure is then in place of the answer.
 */
type Streams = Pick<ProcessContext, 'out' | 'err' | 'output' | 'color' | 'terminal' | 'env'>;

/** Prints the summary or the problems of a run, on the stream for them. */
export function tell(context: Streams, text: string): void {
  if (isForPeople(context)) context.out(text);
  else context.err(text);
}

/** The colours of the stream that {@link tell} writes to. */
export function toldPaint(context: Streams): Paint {
  return isForPeople(context) ? outPaint(context) : paintOf(context.color);
}

/** The colours of standard output. */
export function outPaint({ terminal, env }: Pick<Streams, 'terminal' | 'env'>): Paint {
  return paintOf(takesColors(terminal, env));
}

/** The formats of `-o` that people read; all others are for programs. */
const readByPeople: readonly (string | undefined)[] = ['text', 'table', 'wide'];

function isForPeople({ output }: Streams): boolean {
  return readByPeople.includes(output);
}
