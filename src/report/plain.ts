/**
 * A text that is safe to show on a terminal, in a log and in one line: control characters, line
 * breaks and characters that change the direction of writing are replaced by `?`. Texts in messages
 * come from tenants.
 */
export function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?');
}
