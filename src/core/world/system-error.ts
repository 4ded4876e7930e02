/** True for an error of the operating system with one of the codes, such as ENOENT. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    codes.includes(error.code)
  );
}

/**
 * True when the operating system ran out of open files, memory or processes. That can happen
 * anywhere, also where a part of the program is loaded.
 */
export function isShortage(error: unknown): boolean {
  return hasCode(error, 'EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN');
}

/**
 * The message of a system error, such as "ENOSPC: no space left on device". Node adds the absolute
 * path after a comma; it is left out, because no message names a folder of the machine.
 */
export function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return 'code' in Object(error) ? (message.split(',', 1)[0] ?? message) : message;
}

/** The value of a text from elsewhere; undefined when it is not JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The first line of a text from elsewhere. */
export function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}
