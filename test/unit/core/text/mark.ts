/** A text with a mark, without it, and where the character after it stands, as `line:column`. */
export function marked(text: string): { readonly text: string; readonly place: string } {
  const before = text.slice(0, text.indexOf('▸')).split('\n');
  const place = `${before.length}:${(before.at(-1) ?? '').length + 1}`;
  return { text: text.replace('▸', ''), place };
}
