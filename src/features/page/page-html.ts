import { sha256 } from '../../core/model/digest.ts';
import { familyName } from '../../core/net/address.ts';
import { Html, html, nothing } from '../../core/text/print/escape.ts';
import type { FamilyUsage } from '../../lib/list/pool-usage-answer.ts';
import { pageStyle } from './page-style.ts';
import type { OtherPart, Picture } from './picture-answer.ts';

/** The script of the page in the package: the bundle of src/features/page/browser. */
export const pageScriptPath = 'build/page/page.js';

export interface PageContent {
  /** When undefined, the page loads the picture and its updates from the server. */
  readonly picture?: Picture;
  /** What the page shows first of the picture, when that is a part of it. */
  readonly first?: Picture;
  /** When set, the page shows both states side by side. */
  readonly before?: Picture;
  /** The plan from before to after in one sentence. */
  readonly plan?: { readonly verdict: string; readonly summary: string };
  /** The bundle of src/features/page/browser. */
  readonly script: string;
}

/**
 * Returns the page as one self-contained HTML file. Its Content-Security-Policy allows only its own
 * script and style sheet, and no connections, or only those to its server. The output is
 * deterministic.
 */
export function pageHtml({ picture, first, before, plan, script }: PageContent): string {
  const other = picture && first ? otherPart(picture) : undefined;
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
${picture ? noScript(picture) : html`<noscript><p>This page needs JavaScript. The numbers are at <a href="/api/v1/pools">/api/v1/pools</a>.</p></noscript>\n`}${picture ? html`<script type="application/json" id="picture">${jsonText(first ?? picture)}</script>\n` : nothing}${before ? html`<script type="application/json" id="before">${jsonText(before)}</script>\n` : nothing}${plan ? html`<script type="application/json" id="plan">${jsonText(plan)}</script>\n` : nothing}<script>${new Html(script)}</script>
${other ? html`<script type="application/json" id="other">${jsonText(other)}</script>\n` : nothing}</body>
</html>
`;
  return page.text;
}

function pagePolicy(script: string, isServed: boolean): string {
  const connect = isServed ? "; connect-src 'self'" : '';
  return `default-src 'none'; script-src 'sha256-${hashOf(script)}'; style-src 'sha256-${hashOf(pageStyle)}'; img-src data:${connect}; base-uri 'none'; form-action 'none'`;
}

function hashOf(text: string): string {
  return btoa(String.fromCharCode(...sha256(text)));
}

function titleOf(picture: Picture | undefined, before: Picture | undefined): string {
  if (!picture) return 'Leased addresses';
  const { repository, day } = picture;
  const name = `Leased addresses${repository === undefined ? '' : ` of ${repository}`}`;
  return before ? `${name}, before and after, ${day}` : `${name}, ${day}`;
}

/** Returns JSON that is safe in a script element. Control and format characters are escaped. */
function jsonText(value: object): Html {
  const text = JSON.stringify(value);
  return new Html(text.replace(/[<\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, escaped));
}

/** Escapes each UTF-16 code unit as JSON does. */
function escaped(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}

function otherPart({ holders, hostnames, past, forecasts }: Picture): OtherPart {
  return { holders, hostnames, ...(past && { past }), ...(forecasts && { forecasts }) };
}

/** The fallback without JavaScript: the use of the pools. */
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
  const name = familyName(family);
  return html`<tr><td>${pool}</td><td>${zone}</td><td>${name}</td><td>${held}</td><td>${retained}</td><td>${reserved}</td><td>${free}</td><td>${total}</td></tr>
`;
}
