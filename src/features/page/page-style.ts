import { mapStyle } from './map-style.ts';

/** The colours of the page and of the pictures in the README, as CSS variables. */
export const palette = {
  light: `--text: #1c2430; --soft: #556070; --line: #d5dbe3; --page: #f5f7fa; --card: #fff; --link: #0b5cad;
  --held: #2f6db5; --held-line: #245a9a; --held-soft: #c9dcf2; --low: #dbe8f7; --high: #0b3a75; --retained: #c77700; --retained-soft: #fbe3bd; --reserved: #7d8794;
  --reserved-soft: #dfe3e8; --free: #fff; --edge: #b4bdc9; --mark: #b3157a;
  --good: #1b7340; --warn: #8a5a00; --bad: #c0232c; --focus: #111;`,
  dark: `--text: #e8edf4; --soft: #a3afbe; --line: #313a47; --page: #10151c; --card: #171e27; --link: #7ab7f5;
    --held: #4f93dc; --held-line: #7ab2f0; --held-soft: #22374f; --low: #1f3149; --high: #9fd0ff; --retained: #eba53a; --retained-soft: #46341a; --reserved: #7f8b9a;
    --reserved-soft: #2a323d; --free: #171e27; --edge: #465262; --mark: #ff77c8;
    --good: #57c785; --warn: #e8b04a; --bad: #ff7b80; --focus: #fff;`,
};

/**
 * The style sheet of the page: light, dark and print, from phone to wall display, self-contained.
 */
export const pageStyle = `
:root {
  color-scheme: light;
  ${palette.light}
}
@media screen and (prefers-color-scheme: dark) {
  :root:not([data-theme=light]) {
    color-scheme: dark;
    ${palette.dark}
  }
}
@media screen {
  :root[data-theme=dark] {
    color-scheme: dark;
    ${palette.dark}
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; padding: 1.25rem clamp(.75rem, 2vw, 2.5rem) 3rem;
  font: 1rem/1.5 system-ui, sans-serif; color: var(--text); background: var(--page); overflow-wrap: anywhere;
}
h1 { font-size: 1.1rem; margin: 0; font-weight: 600; color: var(--soft); }
h2 { font-size: 1rem; margin: 0 0 .75rem; }
h3 { font: 600 1.1rem/1.3 ui-monospace, monospace; margin: 0 0 .5rem; overflow-wrap: anywhere; }
h4 { font-size: .85rem; margin: 1rem 0 .25rem; color: var(--soft); }
p { margin: .25rem 0; }
ul, ol { margin: 0; padding: 0; list-style: none; }
section {
  background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: 1rem;
  margin: 1rem 0 0; min-width: 0;
}
.soft { color: var(--soft); font-size: .9rem; overflow-wrap: anywhere; }
.bar { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: start; gap: .25rem 1rem; margin-bottom: .5rem; }
.bar h1 { padding-top: .3rem; flex: 1 1 auto; max-width: calc(100% - 6rem); }
.find { flex: 3 1 30rem; max-width: 60rem; display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .25rem .75rem; align-items: center; }
.find > :not(label, input) { grid-column: 2; margin: 0; }
.hits ul { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 20rem), 1fr)); gap: 0 1rem; }
.hits li { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 .5rem; }
@media (max-width: 48rem) { .find { order: 1; max-width: none; flex-basis: 100%; } .find > :not(label, input) { grid-column: 1 / -1; } }
.verdict { font-size: clamp(1.15rem, 4vw, 1.5rem); font-weight: 650; line-height: 1.25; margin: .25rem 0; overflow-wrap: anywhere; }
.verdict { padding-left: 1.15em; }
.verdict::before {
  content: ''; display: inline-block; width: .7em; height: .7em; border-radius: 50%; margin: 0 .45em 0 -1.15em; background: currentColor;
  forced-color-adjust: none; print-color-adjust: exact; -webkit-print-color-adjust: exact;
}
.outlook { font-size: .9rem; color: var(--soft); }
.outlook.filling { color: var(--warn); font-weight: 600; }
.outlook.nearly-full, .outlook.full { color: var(--bad); font-weight: 600; }
.outlook::before { display: none; }
.ample::before { background: var(--good); }
.filling::before { background: var(--retained); border-radius: .12em; }
.nearly-full::before { background: var(--bad); border-radius: 0; }
.full::before { background: var(--bad); border-radius: 0; transform: rotate(45deg); }
.waits::before { border: 2px dashed var(--soft); background: none; box-sizing: border-box; vertical-align: -.02em; }
.problems li { margin: .5rem 0; overflow-wrap: anywhere; }
.note { border-left: .25rem solid var(--warn); padding: .35rem .75rem; background: var(--card); border-radius: .25rem; margin: .5rem 0; }
.server > :not(:empty):last-of-type { margin-bottom: 1.25rem; }
.note.stale { border-color: var(--bad); font-weight: 600; }
button, select, input {
  font: inherit; color: inherit; background: var(--card); border: 1px solid var(--edge); border-radius: .4rem;
  padding: .3rem .6rem; min-height: 2rem; max-width: 100%;
}
button { cursor: pointer; }
button:disabled { color: var(--soft); cursor: default; border-style: dashed; }
button[aria-pressed=true] { background: var(--held-soft); }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 1px; }
.pools { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 26rem), 1fr)); gap: 1rem 2rem; }
.pools li { min-width: 0; }
.poolname { display: flex; flex-wrap: wrap; align-items: baseline; gap: .25rem .75rem; }
.poolname button, .numbers button, td button, tbody th button, .trail button, .changes li button, .history button, .hits button {
  border: 0; padding: 0; min-height: 1.6rem; background: none; color: var(--link); text-decoration: underline;
  text-underline-offset: .2em; text-align: left; overflow-wrap: anywhere;
}
td button, tbody th button { display: inline-flex; align-items: baseline; }
.poolname button:first-child { font-weight: 600; }
.poolname button, .numbers button { text-decoration: none; }
.poolname button:hover, .numbers button:hover { text-decoration: underline; }
.poolname button:not(:first-child), .numbers button { font-size: .9rem; }
.tag { font-size: .8rem; border: 1px solid var(--warn); color: var(--warn); border-radius: 1rem; padding: 0 .5rem; }
.usage { display: flex; height: 1.1rem; margin: .35rem 0; border-radius: .3rem; overflow: hidden; border: 1px solid var(--edge); }
.usage .cell { flex: 0 1 0; min-width: 3px; border: 0; border-radius: 0; height: auto; aspect-ratio: auto; }
.usage .cell + .cell { border-left: 1px solid var(--card); }
.numbers { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 .75rem; font-size: .9rem; font-variant-numeric: tabular-nums; color: var(--soft); }
.numbers strong { color: var(--text); }
.tools { display: flex; flex-wrap: wrap; gap: .5rem .75rem; align-items: center; margin-bottom: .75rem; }
.tools input { flex: 1 1 16rem; min-width: 0; }
.trail:not([hidden]) { display: flex; flex-wrap: wrap; gap: .25rem .5rem; font-family: ui-monospace, monospace; font-size: .9rem; }
.trail > * + *::before { content: '› '; color: var(--soft); text-decoration: none; display: inline-block; margin-right: .25rem; }
.beside { display: grid; gap: 0 1rem; align-items: start; }
.close { position: absolute; top: .75rem; right: .75rem; }
.empty .close { display: none; }
@media screen and (min-width: 64rem) {
  .beside { grid-template-columns: minmax(0, 1fr) 22rem; }
  .beside:has(> .empty) > #leases { grid-column: 1 / -1; }
  #address { grid-column: 2; grid-row: 1 / 3; position: sticky; top: 1rem; max-height: calc(100vh - 2rem); overflow: auto; }
}
@media screen and (min-width: 150rem) {
  .beside, .beside:has(> .empty) { grid-template-columns: 62rem minmax(0, 1fr) 22rem; }
  .beside > #leases, .beside:has(> .empty) > #leases { grid-column: 2; }
  #address { grid-column: 3; grid-row: 1; }
}
@media screen and (max-width: 63.99rem) {
  #address { position: fixed; inset: auto 0 0; z-index: 5; margin: 0; max-height: 45vh; overflow: auto; border-radius: .8rem .8rem 0 0; box-shadow: 0 -.5rem 1.5rem #0003; }
  #address.empty { display: none; }
}
.choice { display: inline-flex; flex-wrap: wrap; }
.choice button { border-radius: 0; margin-left: -1px; }
.choice button:first-child { border-radius: .4rem 0 0 .4rem; margin-left: 0; }
.choice button:last-child { border-radius: 0 .4rem .4rem 0; }
select.chosen { border-color: var(--held); background: var(--held-soft); font-weight: 600; }
.tools select { max-width: min(14rem, 100%); }
#map-block { max-width: min(26rem, 100%); }
.note.arrived { border-color: var(--mark); }
tr.arrived > :first-child { box-shadow: inset .25rem 0 var(--mark); padding-left: .6rem; }
.maps { display: grid; gap: 1rem; justify-items: start; }
@media (min-width: 48rem) { .maps.two { grid-template-columns: 1fr 1fr; } }
figure { margin: 0; width: 100%; min-width: 0; }
figcaption { font-weight: 600; margin-bottom: .25rem; }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .15rem .75rem; margin: 0; }
dt { color: var(--soft); font-size: .9rem; }
dd { margin: 0; overflow-wrap: anywhere; }
.title { display: flex; flex-wrap: wrap; gap: .25rem .75rem; align-items: center; margin-bottom: .5rem; }
.title h3 { margin: 0; }
.title button { font-size: .85rem; min-height: 1.7rem; padding: .1rem .5rem; }
.claims li, .history li { margin: .35rem 0; overflow-wrap: anywhere; }
.history li { border-left: 2px solid var(--line); padding-left: .6rem; }
.history button { font-size: .9rem; }
.change { font-weight: 600; color: var(--mark); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { text-align: left; padding: .3rem .75rem .3rem 0; border-bottom: 1px solid var(--line); vertical-align: baseline; font-weight: 400; }
thead th { white-space: nowrap; }
thead button { border: 0; padding: 0; min-height: 1.6rem; background: none; color: var(--soft); font-size: .85rem; }
thead button:hover { color: var(--text); text-decoration: underline; }
thead [aria-sort] button { color: var(--text); font-weight: 600; }
tbody tr:hover { background: color-mix(in srgb, var(--held-soft) 35%, transparent); }
tbody th { font-family: ui-monospace, monospace; min-width: 9.5rem; max-width: 13rem; overflow-wrap: anywhere; }
td { white-space: nowrap; }
.long { white-space: normal; overflow-wrap: anywhere; min-width: 9rem; }
tr.selected { background: var(--held-soft); }
tr.selected button { color: var(--text); }
.pager:not([hidden]) { display: flex; gap: .5rem; margin-top: .75rem; }
.changes { max-height: 24rem; overflow-y: auto; }
.changes li { display: flex; flex-wrap: wrap; gap: 0 .75rem; padding: .25rem 0; border-bottom: 1px solid var(--line); align-items: baseline; }
.changes li button { min-width: 8.5rem; }
.sign { font: 700 1rem/1 ui-monospace, monospace; color: var(--mark); width: 1rem; }
.chart { width: 100%; max-width: 30rem; height: auto; display: block; }
.chart .line { fill: none; stroke: var(--held); stroke-width: 2; }
.chart .area { fill: var(--held-soft); stroke: none; }
.chart .ahead { fill: none; stroke: var(--held); stroke-width: 2; stroke-dasharray: 4 4; }
.chart .limit { stroke: var(--bad); stroke-width: 1; }
.chart .tick { stroke: var(--line); stroke-width: 1; }
.chart .now { fill: var(--held); }
.chart .value { fill: var(--text); font-weight: 600; }
.chart .axis { stroke: var(--line); stroke-width: 1; }
.chart text { fill: var(--soft); font: 11px system-ui, sans-serif; }
summary { cursor: pointer; }
@media (max-width: 40rem) {
  .cards, .cards tbody, .cards tr, .cards th, .cards td { display: block; white-space: normal; border: 0; padding: 0; }
  .cards thead { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; }
  .cards tbody tr { border-bottom: 1px solid var(--line); padding: .6rem 0; }
  .cards td { display: grid; grid-template-columns: 6.5rem minmax(0, 1fr); overflow-wrap: anywhere; }
  .choice { gap: .25rem; }
  .choice button, .choice button:first-child, .choice button:last-child { border-radius: .4rem; margin: 0; }
  .cards td::before { content: attr(data-column); color: var(--soft); font-size: .8rem; }
}
@media (forced-colors: active) { .grid .cell:focus-visible { outline: 3px solid Highlight; } }
@media print {
  body { padding: 0; max-width: none; background: none; }
  section { break-inside: avoid; border-color: #999; }
  #leases { break-inside: auto; }
  button, .tools, .find, .pager, #address.empty { display: none; }
  td button, thead button, tbody th button, .poolname button, .numbers button, .changes li button { display: inline; color: inherit; text-decoration: none; }
  .changes { max-height: none; overflow: visible; }
  #map { break-inside: auto; }
  .beside { display: block; }
  .row { break-inside: avoid; }
  .maps.two { grid-template-columns: 1fr 1fr; }
  .maps.two .heads { display: none; }
  .scroll { overflow: visible; }
  table { font-size: .75rem; }
  td:not(:last-child) { white-space: normal; }
  tbody th { min-width: 7.5rem; max-width: 9rem; }
  .long { min-width: 0; }
}
${mapStyle}`;
