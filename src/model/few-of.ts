/** The first texts of a list as a sentence names them: `a, b, c`, `a, b and 4 more`. */
export function fewOf(texts: readonly string[], most = 5): string {
  const left = texts.length - most;
  return left > 0 ? `${texts.slice(0, most).join(', ')} and ${left} more` : texts.join(', ');
}
