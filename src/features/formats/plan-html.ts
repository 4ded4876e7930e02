import { sha256 } from '../../core/model/digest.ts';
import { counted } from '../../core/model/problem.ts';
import { cautionCodes } from '../../core/run/plan/caution-codes.ts';
import type {
  Caution,
  ManifestChange,
  Plan,
  PlanCommit,
  PlanPlace,
  PlanProblem,
  PoolTotals,
  Verdict,
} from '../../core/run/plan/plan-answer.ts';
import { barCells } from '../../core/run/plan/print/plan-bars.ts';
import {
  type AddressRow,
  groupHolders,
  planRows,
  type RowGroup,
  rowGroups,
  rowHolder,
  rowSign,
  rowsText,
  rowsTitle,
  rowWord,
  sharedDetails,
} from '../../core/run/plan/print/plan-rows.ts';
import {
  extentText,
  isPoolChanged,
  listedFields,
  type ManifestGroup,
  manifestGroups,
  type Phrase,
  totalsPhrase,
  verdictWords,
} from '../../core/run/plan/print/plan-words.ts';
import { Html, html, nothing } from '../../core/text/print/escape.ts';
import { type LinkOf, safeLink } from '../../lib/markdown/plan-links.ts';
import { planStyle } from './plan-html-style.ts';

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
  const { lost, given, kept } = planRows(plan);
  return [
    section('tree', 'Problems in the tree', ofTree, (all) => problemItems(all, linkOf)),
    section('change', 'Problems in the change', ofChange, (all) => problemItems(all, linkOf)),
    section('lost', 'Lost, moved or cut', lost, (all) => addressList(all, linkOf)),
    section('cautions', 'Cautions', plan.cautions, (all) => cautionItems(all, linkOf)),
    section('pools', 'Pools', plan.pools, poolItems),
    section('given', 'New', given, (all) => addressList(all, linkOf)),
    section('kept', 'Other changes', kept, (all) => addressList(all, linkOf)),
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
  const whose = holder === undefined ? html`Shared objects` : html`<code>${holder}</code>`;
  return html`<details>
<summary>${whose}: ${extentText(manifests)}</summary>
${manifests.map(manifestBlock)}</details>
`;
}

function manifestBlock({ path, movedFrom, objects, diff }: ManifestChange): Html {
  const from = movedFrom === undefined ? nothing : html`, moved from <code>${movedFrom}</code>`;
  const names = objects.map(
    (change) =>
      html`<li>${change.action} <code>${change.object}</code>${listedFields(change).map((text) => html`<br>${text}`)}</li>`,
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

/**
 * A table. On narrow screens the style sheet shows it as a list; the roles keep it a table for
 * screen readers.
 */
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
    return html`<li>${bar(pool)}${phrase(totalsPhrase(pool))}${same}${zone}</li>\n`;
  });
  return html`<ul>\n${items}</ul>`;
}

/** The use of a pool as a picture; the text beside it says the same. */
function bar(pool: PoolTotals): Html {
  const { before, after } = barCells(pool, 100);
  const [both, either] = [Math.min(before, after), Math.max(before, after)];
  const change = after > before ? 'add' : 'cut';
  return html`<svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true"><rect class="free" width="100" height="10"/><rect class="${change}" width="${either}" height="10"/><rect class="used" width="${both}" height="10"/></svg> `;
}

/** The table of addresses; of a long list, equal ones are counted, and a fold below has each. */
function addressList(rows: readonly AddressRow[], linkOf: LinkOf): Html {
  const groups = rowGroups(rows);
  if (groups.length === rows.length) return addressTable(groups, linkOf);
  return html`${addressTable(groups, linkOf)}
<details>
<summary>Each of the ${rowsText(rows)}</summary>
<div>${addressTable(
    rows.map((row) => [row]),
    linkOf,
  )}</div>
</details>`;
}

/** Names are not shortened; the browser may wrap them. */
function addressTable(groups: readonly RowGroup[], linkOf: LinkOf): Html {
  const titles = [
    rowsTitle(groups.flat()),
    ...['Change', 'Holder', 'What changes', 'Where', 'Pool'],
  ];
  const rows = groups.map((group) => {
    const [row] = group;
    const holders = groupHolders(group);
    const left = group.length === 1 ? '' : ` and ${group.length - 1} more`;
    return [
      addressText(group),
      html`<span class="change">${rowSign(row).replace('-', '−')} ${rowWord(row)}</span>`,
      holders === undefined ? phrase(rowHolder(row)) : html`${counted(holders, 'holder')}`,
      detailList(sharedDetails(group)),
      html`${placeText(row.change.at, linkOf)}${left}`,
      html`${row.change.pool}`,
    ];
  });
  return table(titles, rows);
}

function addressText(group: RowGroup): Html {
  const [{ change, from }] = group;
  const to = html`<code class="address">${change.address}</code>`;
  const last = group.at(-1)?.change.address ?? '';
  if (group.length > 1)
    return html`${rowsText(group)}<br>${to} … <code class="address">${last}</code>`;
  return from === undefined ? to : html`<code class="address">${from.address}</code> → ${to}`;
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
