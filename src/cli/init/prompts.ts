import { setMaxListeners } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { confirm, isCancel, log, select, text } from '@clack/prompts';

/** Where somebody sits who can be asked. */
export interface Terminal {
  readonly input: Readable;
  readonly output: Writable;
}

/** A text to ask for. */
interface TextQuestion {
  readonly message: string;
  /** What stands there to be taken or changed. */
  readonly initial?: string;
  /** An example, where nothing stands there. */
  readonly example?: string;
  /** What is wrong with an answer; it is asked again then. */
  readonly fault: (answer: string) => string | undefined;
}

/** A choice to ask for. */
interface ChoiceQuestion<Value extends string> {
  readonly message: string;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  readonly initial?: Value;
}

/** Asks somebody at a terminal. Each question ends in a {@link Stopped} when it is not answered. */
export interface Prompts {
  text(question: TextQuestion): Promise<string>;
  choice<Value extends string>(question: ChoiceQuestion<Value>): Promise<Value>;
  /** No unless it is said. */
  confirm(message: string, initial?: boolean): Promise<boolean>;
  /** Shows something between two questions. */
  show(text: string): void;
}

/** Somebody ended the questions with Ctrl-C, Ctrl-D or Escape, or went away. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
}

/** Questions with @clack/prompts, at a terminal. */
export function promptsAt({ input, output }: Terminal): Prompts {
  giveSize(output);
  const gone = new AbortController();
  // Each question listens, and none stops.
  setMaxListeners(0, gone.signal);
  input.once('end', () => gone.abort());
  input.once('close', () => gone.abort());
  // Between two keys a terminal does not end: Ctrl-D closes what reads the keys, and nobody would ever answer.
  input.on(
    'keypress',
    (_, key: { readonly ctrl?: boolean; readonly name?: string } | undefined) => {
      if (key?.ctrl && key.name === 'd') gone.abort();
    },
  );
  const streams = { input, output, signal: gone.signal };
  return {
    text: async ({ message, initial, example, fault }) =>
      answered(
        await text({
          ...streams,
          message,
          ...(initial === undefined ? {} : { initialValue: initial }),
          ...(example === undefined ? {} : { placeholder: example }),
          validate: (answer) => fault((answer ?? '').trim()),
        }),
      ).trim(),
    choice: async <Value extends string>({ message, options, initial }: ChoiceQuestion<Value>) =>
      answered(
        await select<string>({
          ...streams,
          message,
          options: [...options],
          ...(initial === undefined ? {} : { initialValue: initial }),
        }),
      ) as Value,
    confirm: async (message, initial = false) =>
      answered(await confirm({ ...streams, message, initialValue: initial })),
    show: (shown) => log.message(shown, { output }),
  };
}

/** A terminal that nobody told its size, as in a container, says 0: each letter would get a line of its own. */
function giveSize(output: Writable & { columns?: number; rows?: number }): void {
  if (output.columns === 0) output.columns = 80;
  if (output.rows === 0) output.rows = 24;
}

function answered<Answer>(answer: Answer): Exclude<Answer, symbol> {
  if (isCancel(answer) || typeof answer === 'symbol') throw new Stopped('nobody answers');
  return answer as Exclude<Answer, symbol>;
}
