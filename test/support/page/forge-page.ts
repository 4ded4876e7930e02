import { renderedMarkdown } from '../plans/rendered-markdown.ts';

/** The rules of GitHub's style sheet (github-markdown-css 5) that decide how wide a comment is. */
const style = `body { margin: 0; }
.markdown-body {
  padding: 16px; word-wrap: break-word; font-size: 14px; line-height: 1.5;
  font-family: -apple-system, BlinkMacSystemFont, 'Segoe UI', 'Noto Sans', Helvetica, Arial, sans-serif;
}
.markdown-body ul { margin: 0 0 16px; padding-left: 2em; }
.markdown-body li + li { margin-top: .25em; }
.markdown-body table { display: block; width: max-content; max-width: 100%; overflow: auto; border-spacing: 0; }
.markdown-body td, .markdown-body th { padding: 6px 13px; border: 1px solid; }
.markdown-body code, .markdown-body pre {
  font-family: ui-monospace, SFMono-Regular, 'SF Mono', Menlo, Consolas, 'Liberation Mono', monospace;
}
.markdown-body code { padding: .2em .4em; white-space: break-spaces; font-size: 85%; }
.markdown-body pre { padding: 16px; overflow: auto; font-size: 85%; word-wrap: normal; }
.markdown-body pre code { padding: 0; white-space: pre; font-size: 100%; }
`;

/** A comment as GitHub shows it, with every fold open. */
export function forgePage(markdown: string): string {
  const body = renderedMarkdown(markdown).replaceAll('<details>', '<details open>');
  return `<!doctype html><meta charset="utf-8"><style>${style}</style><div class="markdown-body">${body}</div>`;
}
