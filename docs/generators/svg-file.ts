import { Html, html } from '../../src/core/text/print/escape.ts';
import { palette } from '../../src/features/page/page-style.ts';

export interface SvgContent {
  readonly title: string;
  readonly width: number;
  readonly height: number;
  /** Rules that need the variables of {@link palette}. */
  readonly style: string;
  readonly content: readonly Html[];
}

/**
 * A picture for the documentation, in the colours of the page: light or dark as the reader's system
 * is. Its own background keeps it legible on any page.
 */
export function svgFile({ title, width, height, style, content }: SvgContent): string {
  const file = html`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">
<title>${title}</title>
<style>
svg { ${new Html(palette.light)} }
@media (prefers-color-scheme: dark) { svg { ${new Html(palette.dark)} } }
text { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace; fill: var(--text); white-space: pre; }
.card { fill: var(--card); stroke: var(--line); }
${new Html(style)}
</style>
<rect class="card" x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="8"/>
${content.map(({ text }) => new Html(`${text}\n`))}</svg>
`;
  return file.text;
}
