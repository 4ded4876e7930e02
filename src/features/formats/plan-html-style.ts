/** The style sheet of a plan's page, for light and dark, wide and narrow. It loads nothing. */
export const planStyle = `
:root {
  color-scheme: light dark;
  --text: #1f2328; --soft: #59636e; --line: #d1d9e0; --page: #fff; --block: #f6f8fa;
  --link: #0969da; --add: #dafbe1; --cut: #ffebe9;
  --routine: #1a7f37; --caution: #9a6700; --blocked: #d1242f; --none: #59636e;
}
@media (prefers-color-scheme: dark) {
  :root {
    --text: #f0f6fc; --soft: #9198a1; --line: #3d444d; --page: #0d1117; --block: #151b23;
    --link: #4493f8; --add: #12331f; --cut: #4a1d1d;
    --routine: #3fb950; --caution: #d29922; --blocked: #f85149; --none: #9198a1;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 1.5rem 1rem 3rem; max-width: 72rem;
  font: 1rem/1.5 system-ui, sans-serif; color: var(--text); background: var(--page);
}
a { color: var(--link); }
code, pre { font: .85em/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
h1 { font-size: 1.4rem; line-height: 1.35; margin: .25rem 0 1rem; overflow-wrap: anywhere; }
h2 { font-size: 1.05rem; margin: 2rem 0 .5rem; }
ul { padding-left: 1.2rem; margin: .25rem 0; }
li { margin: .35rem 0; overflow-wrap: anywhere; }
.verdict { font-weight: 700; margin: 0; }
.verdict.none { color: var(--none); }
.verdict.routine { color: var(--routine); }
.verdict.caution, .caution { color: var(--caution); }
.verdict.blocked, .problem { color: var(--blocked); }
.caution, .problem { font-weight: 700; }
.soft { color: var(--soft); }
table { border-collapse: collapse; width: 100%; }
th { text-align: left; font-size: .85rem; color: var(--soft); }
th, td { padding: .4rem .75rem .4rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
.address, .change { white-space: nowrap; }
td code, summary code { word-break: break-all; }
details { border: 1px solid var(--line); border-radius: .4rem; margin: .5rem 0; }
summary { padding: .5rem .75rem; cursor: pointer; overflow-wrap: anywhere; }
details > div { padding: 0 .75rem .75rem; }
pre { margin: .5rem 0; padding: .5rem 0; background: var(--block); overflow-x: auto; overflow-wrap: normal; }
pre span { display: block; padding: 0 .75rem; min-height: 1.5em; width: max-content; min-width: 100%; }
.bar {
  width: 9rem; height: .7rem; margin-right: .6rem; vertical-align: baseline;
  border: 1px solid var(--line); border-radius: .2rem;
}
.bar .free { fill: var(--block); }
.bar .used { fill: var(--link); }
.bar .add { fill: var(--routine); }
.bar .cut { fill: var(--blocked); }
.add { background: var(--add); }
.cut { background: var(--cut); }
footer { margin-top: 2.5rem; font-size: .85rem; color: var(--soft); overflow-wrap: anywhere; }
footer p { margin: .1rem 0; }
@media (max-width: 44rem) {
  table, tbody, tr, td { display: block; }
  thead { position: absolute; left: -999rem; }
  tr { border-bottom: 1px solid var(--line); padding: .5rem 0; }
  td { border: 0; padding: .1rem 0; overflow-wrap: anywhere; }
  td::before { content: attr(data-title) ': '; color: var(--soft); font-size: .85rem; }
  .address { white-space: normal; }
}
`;
