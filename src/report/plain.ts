/**
 * A text that is safe to show on a terminal, in a log and in one line: control characters, line
 * breaks and characters that change the direction of writing are replaced by `?`. Texts in messages
 * come from tenants.
 */
export function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what it looks for
  return text.replace(
    /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g,
    '?',
  );
}
