import { sha256 } from '../../model/digest.ts';
import { Html, html, nothing } from '../../text/print/html-text.ts';
import type { FamilyUsage } from '../ask/pool-usage-answer.ts';
import { pageStyle } from './page-style.ts';
import type { Picture } from './picture-answer.ts';

/** What a page is made of. */
export interface Page {
  /** Without it, the page is one that a server gives: it asks that one for the picture, and for what is new. */
  readonly picture?: Picture;
  /** With it, the page shows both states side by side. */
  readonly before?: Picture;
  /** The bundle of src/page. */
  readonly script: string;
}

/**
 * The page as one file that stands for itself: its own script and style sheet are obeyed and nothing else, and it
 * asks nobody, or only the server that gave it. The same picture gives the same bytes.
 */
export function pageHtml({ picture, before, script }: Page): string {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${pagePolicy(script, !picture)}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${titleOf(picture, before)}</title>
<link rel="icon" href="data:,">
<style>${new Html(pageStyle)}</style>
</head>
<body${new Html(picture ? '' : ' data-served')}>
${picture ? noScript(picture) : html`<noscript><p>The page needs JavaScript. Its numbers are at <a href="/api/v1/pools">/api/v1/pools</a>.</p></noscript>\n`}${picture ? html`<script type="application/json" id="picture">${jsonText(picture)}</script>\n` : nothing}${before ? html`<script type="application/json" id="before">${jsonText(before)}</script>\n` : nothing}<script>${new Html(script)}</script>
</body>
</html>
`;
  return page.text;
}

/** The Content-Security-Policy of a page with this script. */
function pagePolicy(script: string, isServed: boolean): string {
  const connect = isServed ? "; connect-src 'self'" : '';
  return `default-src 'none'; script-src 'sha256-${hashOf(script)}'; style-src 'sha256-${hashOf(pageStyle)}'; img-src data:${connect}; base-uri 'none'; form-action 'none'`;
}

function hashOf(text: string): string {
  return btoa(String.fromCharCode(...sha256(text)));
}

function titleOf(picture: Picture | undefined, before: Picture | undefined): string {
  if (!picture) return 'Leased addresses';
  const { day } = picture;
  return before ? `Leased addresses, before and after, ${day}` : `Leased addresses, ${day}`;
}

/** JSON that can stand in a script element: nothing in it ends one, and nothing is there that cannot be seen. */
function jsonText(value: object): Html {
  const text = JSON.stringify(value);
  return new Html(text.replace(/[<\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, escaped));
}

/** As JSON escapes: each UTF-16 unit by its four digits. */
function escaped(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}

/** What is there without a script: how full the pools are. */
function noScript({ pools, revision, day, stale }: Picture): Html {
  const rows = pools.flatMap(({ pool, zone, families }) =>
    families.map((usage) => usageRow(pool, zone, usage)),
  );
  const old = stale === undefined ? nothing : html`<p>Stale ${stale}</p>\n`;
  return html`<noscript>
<h1>Leased addresses</h1>
<p>${revision.commit ?? 'Working tree'}, as of ${day} (UTC). The map and the search need JavaScript.</p>
${old}<table>
<thead><tr><th>Pool</th><th>Zone</th><th>Family</th><th>Held</th><th>Retained</th><th>Reserved</th><th>Free</th><th>Total</th></tr></thead>
<tbody>
${rows}</tbody>
</table>
</noscript>
`;
}

function usageRow(pool: string, zone: string, usage: FamilyUsage): Html {
  const { family, held, retained, reserved, free, total } = usage;
  const name = family === 'ipv4' ? 'IPv4' : 'IPv6';
  return html`<tr><td>${pool}</td><td>${zone}</td><td>${name}</td><td>${held}</td><td>${retained}</td><td>${reserved}</td><td>${free}</td><td>${total}</td></tr>
`;
}
