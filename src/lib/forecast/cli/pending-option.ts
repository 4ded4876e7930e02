import { InvalidArgumentError, Option } from '@commander-js/extra-typings';

/** `--pending-refs`. */
export function pendingRefsOption(effect: string) {
  const description = `${effect}, such as 'refs/pull/*/head'; may be repeated`;
  const none: readonly string[] = [];
  return new Option('--pending-refs <pattern>', description)
    .default(none)
    .argParser<readonly string[]>(patternsValue);
}

/** A pattern of refs, of an option that may be repeated. */
function patternsValue(text: string, before: readonly string[]): readonly string[] {
  if (!/^refs\/[A-Za-z0-9._*?/-]{1,200}$/.test(text)) {
    throw new InvalidArgumentError("It is not a pattern of refs, such as 'refs/pull/*/head'.");
  }
  return [...before, text];
}
