import { sha256 } from '../../../model/digest.ts';
import { Html, html, nothing } from '../../../text/print/escape.ts';
import { cautionCodes } from '../caution-codes.ts';
import type {
  AddressChange,
  Caution,
  ManifestChange,
  Plan,
  PlanCommit,
  PlanPlace,
  PlanProblem,
  PoolTotals,
  Verdict,
} from '../plan-answer.ts';
import { planStyle } from './plan-html-style.ts';
import { type LinkOf, safeLink } from './plan-links.ts';
import {
  changeSigns,
  extentText,
  holderPhrase,
  isPoolChanged,
  type ManifestGroup,
  manifestGroups,
  type Phrase,
  totalsPhrase,
  verdictWords,
  whatChanges,
} from './plan-words.ts';

/** No resources, no scripts, and no styles but the page's own. */
const policy = `default-src 'none'; style-src 'sha256-${base64(sha256(planStyle))}'; base-uri 'none'; form-action 'none'`;

const verdictClasses: Readonly<Record<Verdict, string>> = {
  'no change': 'none',
  routine: 'routine',
  caution: 'caution',
  blocked: 'blocked',
};

/** The whole plan as one self-contained HTML page without scripts. */
export function planHtml(plan: Plan, { linkOf }: { readonly linkOf: LinkOf }): string {
  const { sign, word } = verdictWords[plan.verdict];
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>leasehold plan: ${word}</title>
<style>${new Html(planStyle)}</style>
</head>
<body>
<header>
<p class="verdict ${verdictClasses[plan.verdict]}"><span aria-hidden="true">${sign}</span> ${word}</p>
<h1>${plan.summary}</h1>
</header>
<main>
${sections(plan, linkOf)}</main>
<footer>
<p>leasehold plan</p>
<p>base ${commitText(plan.base)}</p>
<p>head ${plan.head.uncommitted ? 'working tree on ' : ''}${commitText(plan.head)}</p>
<p>digest <code>${plan.digest}</code></p>
</footer>
</body>
</html>
`;
  return page.text;
}

function sections(plan: Plan, linkOf: LinkOf): readonly Html[] {
  const ofTree = plan.problems.filter((problem) => problem.of === 'tree');
  const ofChange = plan.problems.filter((problem) => problem.of === 'change');
  const problems = [
    section('tree', 'Problems in the tree', ofTree, (all) => problemItems(all, linkOf)),
    section('change', 'Problems in the change', ofChange, (all) => problemItems(all, linkOf)),
  ];
  const isBlocked = plan.verdict === 'blocked';
  return [
    ...(isBlocked ? problems : []),
    section('pools', 'Pools', plan.pools, poolItems),
    section('addresses', 'Addresses', plan.addresses, (all) => addressTable(all, linkOf)),
    section('cautions', 'Cautions', plan.cautions, (all) => cautionItems(all, linkOf)),
    ...(isBlocked ? [] : problems),
    section('manifests', 'Manifests', manifestGroups(plan), (all) => html`${all.map(fold)}`),
  ];
}

function section<Row>(
  id: string,
  title: string,
  rows: readonly Row[],
  shown: (rows: readonly Row[]) => Html,
): Html {
  if (rows.length === 0) return nothing;
  return html`<section aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
${shown(rows)}
</section>
`;
}

function fold({ holder, manifests }: ManifestGroup): Html {
  const whose = holder === undefined ? html`No holder` : html`<code>${holder}</code>`;
  return html`<details>
<summary>${whose}: ${extentText(manifests)}</summary>
${manifests.map(manifestBlock)}</details>
`;
}

function manifestBlock({ path, movedFrom, objects, diff }: ManifestChange): Html {
  const from = movedFrom === undefined ? nothing : html`, moved from <code>${movedFrom}</code>`;
  const names = objects.map(
    ({ action, object }) => html`<li>${action} <code>${object}</code></li>`,
  );
  const lines = diff.replace(/\n$/, '').split('\n').map(diffLine);
  const hunks = diff === '' ? nothing : html`<pre>${lines}</pre>\n`;
  return html`<div>
<code>${path}</code>${from}
<ul>${names}</ul>
${hunks}</div>
`;
}

function diffLine(line: string): Html {
  if (line.startsWith('+')) return html`<span class="add">${line}\n</span>`;
  return line.startsWith('-')
    ? html`<span class="cut">${line}\n</span>`
    : html`<span>${line}\n</span>`;
}

function commitText({ commit, day }: PlanCommit): Html {
  return html`<code>${commit}</code> (${day})`;
}

function base64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

/** A table. The style sheet makes it a list on narrow screens; the roles keep it a table for screen readers. */
function table(titles: readonly string[], rows: readonly (readonly Html[])[]): Html {
  const heads = titles.map((title) => html`<th role="columnheader" scope="col">${title}</th>`);
  const lines = rows.map((cells) => {
    const shown = cells.map((cell, index) => {
      return html`<td role="cell" data-title="${titles[index] ?? ''}">${cell}</td>`;
    });
    return html`<tr role="row">${shown}</tr>\n`;
  });
  return html`<table role="table">
<thead role="rowgroup"><tr role="row">${heads}</tr></thead>
<tbody role="rowgroup">
${lines}</tbody>
</table>`;
}

/** One line per pool; unchanged pools are marked. */
function poolItems(pools: readonly PoolTotals[]): Html {
  const items = pools.map((pool) => {
    const zone = html` <span class="soft">(zone ${pool.zone})</span>`;
    const same = isPoolChanged(pool) ? nothing : html` <span class="soft">unchanged</span>`;
    return html`<li>${phrase(totalsPhrase(pool))}${same}${zone}</li>\n`;
  });
  return html`<ul>\n${items}</ul>`;
}

/** The table of addresses. Names are not shortened; the browser may wrap them. */
function addressTable(addresses: readonly AddressChange[], linkOf: LinkOf): Html {
  const titles = ['Address', 'Change', 'Holder', 'What changes', 'Where', 'Pool'];
  const rows = addresses.map((change) => [
    html`<code class="address">${change.address}</code>`,
    html`<span class="change">${changeSigns[change.change].replace('-', '−')} ${change.change}</span>`,
    phrase(holderPhrase(change)),
    detailList(whatChanges(change)),
    placeText(change.at, linkOf),
    html`${change.pool}`,
  ]);
  return table(titles, rows);
}

function detailList(details: readonly string[]): Html {
  if (details.length === 0) return html`–`;
  return html`${details.map((detail, index) => (index === 0 ? html`${detail}` : html`<br>${detail}`))}`;
}

function phrase(parts: Phrase): Html {
  return html`${parts.map(({ text, isName }) => (isName ? html`<code>${text}</code>` : html`${text}`))}`;
}

/** The cautions, with the advice after the last one of each code. */
function cautionItems(cautions: readonly Caution[], linkOf: LinkOf): Html {
  const items = cautions.map(({ code, message, at }, index) => {
    const isLast = cautions[index + 1]?.code !== code;
    const advice = isLast ? html`<br><span class="soft">${cautionCodes[code].fix}</span>` : nothing;
    const place = at === undefined ? nothing : html` (${placeText(at, linkOf)})`;
    return html`<li><span class="caution">${code}</span> ${message}${place}${advice}</li>\n`;
  });
  return html`<ul>\n${items}</ul>`;
}

/** The problems with their hints and their other places. */
function problemItems(problems: readonly PlanProblem[], linkOf: LinkOf): Html {
  const items = problems.map(({ code, message, file, line, column, hint, also }) => {
    const place = placeText({ side: 'head', file, line }, linkOf, column);
    const others = also.length === 0 ? nothing : html`<br>also ${also.join(', ')}`;
    const next = hint === undefined ? nothing : html`<br><span class="soft">hint: ${hint}</span>`;
    return html`<li><span class="problem">${code}</span> ${message} (${place})${others}${next}</li>\n`;
  });
  return html`<ul>\n${items}</ul>`;
}

function placeText(place: PlanPlace, linkOf: LinkOf, column?: number): Html {
  const { file, line, side } = place;
  const shown = html`<code>${file}:${line}${column === undefined ? '' : `:${column}`}</code>`;
  const url = safeLink(place, linkOf);
  const link = url === undefined ? shown : html`<a href="${url}">${shown}</a>`;
  return side === 'base' ? html`${link} (before)` : link;
}
