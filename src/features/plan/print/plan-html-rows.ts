import { cautionCodes } from '../../../model/codes/caution-codes.ts';
import { type Html, html, nothing } from '../../../text/print/html-text.ts';
import type { AddressChange, Caution, PlanPlace, PlanProblem, PoolTotals } from '../plan-answer.ts';
import { type LinkOf, safeLink } from './plan-links.ts';
import {
  changeSigns,
  holderPhrase,
  isPoolChanged,
  type Phrase,
  totalsPhrase,
  whatChanges,
} from './plan-words.ts';

/** A table of which narrow screens make a list; the roles keep it a table for who does not see it. */
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

/** A line per pool; those that do not change say so. */
export function poolItems(pools: readonly PoolTotals[]): Html {
  const items = pools.map((pool) => {
    const zone = html` <span class="soft">(zone ${pool.zone})</span>`;
    const same = isPoolChanged(pool) ? nothing : html` <span class="soft">as before</span>`;
    return html`<li>${phrase(totalsPhrase(pool))}${same}${zone}</li>\n`;
  });
  return html`<ul>\n${items}</ul>`;
}

/** The table of addresses; names are whole, the screen may break them. */
export function addressTable(addresses: readonly AddressChange[], linkOf: LinkOf): Html {
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

/** The cautions, with what to think about after the last of each code. */
export function cautionItems(cautions: readonly Caution[], linkOf: LinkOf): Html {
  const items = cautions.map(({ code, message, at }, index) => {
    const isLast = cautions[index + 1]?.code !== code;
    const advice = isLast ? html`<br><span class="soft">${cautionCodes[code].fix}</span>` : nothing;
    const place = at === undefined ? nothing : html` (${placeText(at, linkOf)})`;
    return html`<li><span class="caution">${code}</span> ${message}${place}${advice}</li>\n`;
  });
  return html`<ul>\n${items}</ul>`;
}

/** Problems with their hints and the other places that take part. */
export function problemItems(problems: readonly PlanProblem[], linkOf: LinkOf): Html {
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
