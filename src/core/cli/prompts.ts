import { setMaxListeners } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { confirm, isCancel, log, select, text } from '@clack/prompts';

/** The streams of a terminal. */
export interface Terminal {
  readonly input: Readable;
  readonly output: Writable;
}

/** A prompt for a text. */
interface TextQuestion {
  readonly message: string;
  /** The answer when nothing is typed, shown while the text is empty. */
  readonly standard?: string;
  /** An example, shown while the text is empty. */
  readonly example?: string;
  /** The fault of an answer; the prompt stays open then. */
  readonly fault: (answer: string) => string | undefined;
}

/** One answer of a choice; the hint is shown while it is selected. */
export interface Choice<Value extends string> {
  readonly value: Value;
  readonly label: string;
  readonly hint?: string;
}

/** A prompt for a choice. */
interface ChoiceQuestion<Value extends string> {
  readonly message: string;
  readonly options: readonly Choice<Value>[];
  readonly initial?: Value;
}

/** Prompts at a terminal. Each one throws {@link Stopped} when the user ends it. */
export interface Prompts {
  text(question: TextQuestion): Promise<string>;
  choice<Value extends string>(question: ChoiceQuestion<Value>): Promise<Value>;
  /** The default is no. */
  confirm(message: string, initial?: boolean): Promise<boolean>;
  /** Shows a text between two prompts. */
  show(text: string): void;
}

/** The user ended the prompts with Ctrl-C, Ctrl-D or Escape, or the input ended. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
}

/** Prompts of @clack/prompts. */
export function promptsAt({ input, output }: Terminal): Prompts {
  giveSize(output);
  const gone = new AbortController();
  // Each prompt adds a listener, and none removes its own.
  setMaxListeners(0, gone.signal);
  input.once('end', () => gone.abort());
  input.once('close', () => gone.abort());
  // Ctrl-D does not end the input of a terminal in raw mode: the prompt would wait forever.
  input.on(
    'keypress',
    (_, key: { readonly ctrl?: boolean; readonly name?: string } | undefined) => {
      if (key?.ctrl && key.name === 'd') gone.abort();
    },
  );
  const streams = { input, output, signal: gone.signal };
  return {
    text: async ({ message, standard, example, fault }) =>
      answered(
        await text({
          ...streams,
          message,
          ...(example === undefined ? {} : { placeholder: example }),
          ...(standard === undefined
            ? {}
            : { placeholder: `${standard} (press Enter)`, defaultValue: standard }),
          validate: (answer = '') =>
            standard !== undefined && answer.trim() === '' ? undefined : fault(answer.trim()),
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

/**
 * Sets a size for a terminal that reports 0 columns, as in a container, where each letter would get
 * a line of its own.
 */
function giveSize(output: Writable & { columns?: number; rows?: number }): void {
  if (output.columns === 0) output.columns = 80;
  if (output.rows === 0) output.rows = 24;
}

function answered<Answer>(answer: Answer): Exclude<Answer, symbol> {
  if (isCancel(answer) || typeof answer === 'symbol') throw new Stopped('the prompts were ended');
  return answer as Exclude<Answer, symbol>;
}
