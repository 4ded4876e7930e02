import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';

/** Markdown as GitHub makes HTML of it, before it looks for mentions and references; raw HTML stays. */
export function renderedMarkdown(markdown: string): string {
  return micromark(markdown, {
    allowDangerousHtml: true,
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
  });
}

/** A tag of a page: its name, `/name` when it closes, and its attributes as they stand. */
export interface Tag {
  readonly name: string;
  readonly attributes: string;
}

/** Everything that a browser would take for a tag, a comment or the like. */
export function tagsOf(page: string): readonly Tag[] {
  return [...page.matchAll(/<([!/?]?[a-z0-9-]*)([^>]*)>?/gi)].map(
    ([, name = '', attributes = '']) => ({
      name: name.toLowerCase(),
      attributes: attributes.trim(),
    }),
  );
}

const alone = new Set(['br', 'meta', '!doctype', 'hr', 'rect']);

/** Tags that nothing closes, or that close nothing; none in a sound page. */
export function unbalanced(page: string): readonly string[] {
  const open: string[] = [];
  const wrong: string[] = [];
  for (const { name } of tagsOf(page)) {
    if (alone.has(name)) continue;
    if (!name.startsWith('/')) open.push(name);
    else if (open.at(-1) === name.slice(1)) open.pop();
    else wrong.push(name);
  }
  return [...wrong, ...open];
}

/** The text of a page that stands in no code and is no link: where a forge looks for mentions and the like. */
export function looseText(page: string): string {
  return page
    .replace(/<!--.*?-->/gs, '')
    .replace(/<(pre|code|a|style)\b[^>]*>.*?<\/\1>/gs, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
