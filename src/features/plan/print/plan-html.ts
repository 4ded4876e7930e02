import { sha256 } from '../../../model/digest.ts';
import { Html, html, nothing } from '../../../text/print/html-text.ts';
import type { ManifestChange, Plan, PlanCommit, Verdict } from '../plan-answer.ts';
import { addressTable, cautionItems, poolItems, problemItems } from './plan-html-rows.ts';
import { planStyle } from './plan-html-style.ts';
import type { LinkOf } from './plan-links.ts';
import { extentText, type ManifestGroup, manifestGroups } from './plan-manifest-groups.ts';
import { verdictWords } from './plan-words.ts';

/** Nothing is loaded or run, and nothing but our own style sheet is obeyed. */
const policy = `default-src 'none'; style-src 'sha256-${base64(sha256(planStyle))}'; base-uri 'none'; form-action 'none'`;

const verdictClasses: Readonly<Record<Verdict, string>> = {
  'no change': 'none',
  routine: 'routine',
  caution: 'caution',
  blocked: 'blocked',
};

/** A plan as one page that stands for itself: no script, nothing from elsewhere, nothing left out. */
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
    section('tree', 'Wrong in the tree', ofTree, (all) => problemItems(all, linkOf)),
    section('change', 'Wrong in the change', ofChange, (all) => problemItems(all, linkOf)),
  ];
  const isBlocked = plan.verdict === 'blocked';
  return [
    ...(isBlocked ? problems : []),
    section('pools', 'Pools', plan.pools, poolItems),
    section('addresses', 'Addresses', plan.addresses, (all) => addressTable(all, linkOf)),
    section('cautions', 'Think about', plan.cautions, (all) => cautionItems(all, linkOf)),
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
  const whose = holder === undefined ? html`Of no holder` : html`<code>${holder}</code>`;
  return html`<details>
<summary>${whose}: ${extentText(manifests)}</summary>
${manifests.map(manifestBlock)}</details>
`;
}

function manifestBlock({ path, objects, diff }: ManifestChange): Html {
  const names = objects.map(
    ({ action, object }) => html`<li>${action} <code>${object}</code></li>`,
  );
  const lines = diff.replace(/\n$/, '').split('\n').map(diffLine);
  return html`<div>
<code>${path}</code>
<ul>${names}</ul>
<pre>${lines}</pre>
</div>
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
