/** The part of the page's style sheet for the maps: cells, lines, legend, slider and tip. */
export const mapStyle = `
.mapbody { display: grid; gap: 1rem 1.5rem; }
@media (min-width: 64rem) { .mapbody.one { grid-template-columns: minmax(0, 46rem) 13rem; } .mapbody.one .legend { flex-direction: column; flex-wrap: nowrap; } }
.frame { position: relative; width: 100%; max-width: min(46rem, 82vh); }
.frame:has(.tall) { max-width: min(32rem, 82vh); }
.grid { width: 100%; display: grid; gap: 2px; }
.grid.fine { gap: 1px; }
.row { display: grid; gap: inherit; grid-template-columns: 7.5rem repeat(var(--columns), minmax(0, 1fr)); align-items: center; }
.grid.curve .row { grid-template-columns: repeat(var(--columns), minmax(0, 1fr)); }
.rowhead { font: .75rem/1 ui-monospace, monospace; color: var(--soft); overflow-wrap: anywhere; }
.colhead { font: .7rem/1 ui-monospace, monospace; color: var(--soft); text-align: center; overflow-wrap: normal; min-width: 0; }
.maps.two .colhead { font-size: .6rem; }
.maps.two .row { grid-template-columns: 6.5rem repeat(var(--columns), minmax(0, 1fr)); }
.maps.two .grid.curve .row { grid-template-columns: repeat(var(--columns), minmax(0, 1fr)); }
@media (min-width: 40.01rem) {
  .grid.six:not(.curve) .row { grid-template-columns: 10rem repeat(var(--columns), minmax(0, 1fr)); }
  .maps.two .grid.six:not(.curve) .row { grid-template-columns: 8rem repeat(var(--columns), minmax(0, 1fr)); }
  .maps.two .six .rowhead { font-size: .7rem; }
}
.tall .heads { position: sticky; top: 0; z-index: 2; background: var(--card); padding: .2rem 0; }
@media (max-width: 64rem) { .maps.two .heads { display: none; } }
@media screen and (max-width: 40rem) {
  .heads { display: none; }
  .grid:not(.curve) .row, .maps.two .grid:not(.curve) .row { grid-template-columns: repeat(8, minmax(0, 1fr)); }
  .rowhead { grid-column: 1 / -1; padding-top: .35rem; }
}
.cell {
  aspect-ratio: 1; min-width: 0; border-radius: 3px; border: 1px solid var(--edge);
  background-color: var(--free); print-color-adjust: exact; -webkit-print-color-adjust: exact; forced-color-adjust: none;
}
.grid .cell { cursor: pointer; }
.grid.fine .cell { border-radius: 1px; }
.row.apart { margin-top: .75rem; }
.row.quarter { margin-top: .4rem; }
.held { border-color: var(--held-line); background-color: var(--held); }
.retained {
  border-color: var(--retained);
  background: repeating-linear-gradient(135deg, var(--retained) 0 2px, var(--retained-soft) 2px 5px);
}
.reserved {
  border-color: var(--reserved);
  background: radial-gradient(circle at 50% 50%, var(--reserved) 0 1px, transparent 1.4px) 0 0 / 5px 5px var(--reserved-soft);
}
.drained { background: repeating-linear-gradient(45deg, var(--reserved-soft) 0 1px, transparent 1px 5px) var(--free); border-style: dashed; }
.outside { border-style: dashed; border-color: var(--edge); background: transparent; }
.blocks .cell { border-color: transparent; }
.blocks .cell.free { border-color: var(--line); }
.blocks .cell.held { background: color-mix(in oklab, var(--high) var(--share, 100%), var(--low)); }
.blocks .cell.mixed { background: linear-gradient(45deg, var(--retained) 0 20%, transparent 20%), color-mix(in oklab, var(--high) var(--share, 100%), var(--low)); }
.blocks .cell.outside { border-color: var(--line); }
.owner { border-color: var(--owner); background-color: var(--owner); }
.owner.retained, .owner.mixed, .blocks .owner.cell { background-color: var(--owner); }
.c0 { --owner: #0072b2; } .c1 { --owner: #d55e00; } .c2 { --owner: #009e73; } .c3 { --owner: #b8578f; }
.c4 { --owner: #4aa8dc; } .c5 { --owner: #c98a00; } .c6 { --owner: #6a4fb3; } .c7 { --owner: #8a5a44; }
.cell.owner.p0 { background-image: none; }
.cell.owner.p1 { background-image: repeating-linear-gradient(45deg, #fff8 0 2px, transparent 2px 6px); }
.cell.owner.p2 { background-image: radial-gradient(circle at 50% 50%, #fffb 0 1.3px, transparent 1.7px); background-size: 6px 6px; }
.cell.owner.p3 { background-image: repeating-linear-gradient(to right, #fff8 0 1.5px, transparent 1.5px 5px); }
.cell.owner.retained { opacity: .55; border-style: dashed; }
.cell.owner.several { opacity: .45; }
.lines {
  position: absolute; inset: 0; z-index: 2; display: grid; pointer-events: none;
  grid-template: repeat(var(--parts), 1fr) / repeat(var(--parts), 1fr);
}
.lines > div { border: 1px solid color-mix(in srgb, var(--text) 45%, transparent); margin: -.5px; overflow: hidden; }
.lines span {
  display: inline-block; max-width: 100%; padding: .15rem .3rem; font: 600 .7rem/1.1 ui-monospace, monospace; color: var(--text);
  background: color-mix(in srgb, var(--card) 86%, transparent); border-bottom-right-radius: .3rem; white-space: nowrap;
}
.maps.two .lines span { font-size: .6rem; }
.grid .cell:hover { outline: 2px solid var(--focus); outline-offset: 0; position: relative; z-index: 1; }
.grid .cell:focus-visible { outline: 3px solid var(--focus); outline-offset: 1px; position: relative; z-index: 1; }
.grid .cell[aria-selected=true] { box-shadow: 0 0 0 2px var(--card), 0 0 0 4px var(--focus); position: relative; z-index: 1; }
.lighting .cell.lit { box-shadow: 0 0 0 2px var(--card), 0 0 0 3.5px var(--text); position: relative; z-index: 1; }
.grid.blocks.lighting .cell.lit { box-shadow: none; position: static; outline: 2px solid var(--text); outline-offset: -2px; }
.grid.curve .cell:is(:hover, :focus-visible, [aria-selected=true], .lit) { position: relative; z-index: 3; }
.cell.changed { box-shadow: inset 0 0 0 2px var(--card), 0 0 0 2px var(--mark); }
.grid:not(.fine) .cell.changed[data-sign]::after {
  content: attr(data-sign); display: grid; place-items: center; width: 100%; height: 100%;
  font: 700 min(.9rem, 2.6vw)/1 ui-monospace, monospace; color: var(--mark);
}
.grid:not(.fine) .cell.held.changed[data-sign]::after { color: #fff; }
.legend { display: flex; flex-wrap: wrap; gap: .3rem 1.25rem; font-size: .9rem; align-content: start; }
.legend li { display: flex; align-items: center; gap: .45rem; }
.legend .cell, .cell.dot { display: inline-block; width: .95rem; height: .95rem; flex: none; aspect-ratio: auto; }
.cell.dot { margin-right: .4rem; vertical-align: -.1rem; width: .8rem; height: .8rem; }
.legend button { display: inline-flex; align-items: center; border: 0; background: none; padding: 0 .2rem; min-height: 1.6rem; font-size: .9rem; text-align: left; }
.legend button:hover { text-decoration: underline; }
.legend .cell.held.sample { border-color: transparent; background: linear-gradient(45deg, var(--retained) 0 25%, transparent 25%), var(--held); }
.legend .scale { flex-wrap: wrap; gap: .2rem .4rem; color: var(--soft); }
.ramp { display: inline-block; width: 5rem; height: .8rem; border-radius: .2rem; background: linear-gradient(to right in oklab, var(--low), var(--high)); print-color-adjust: exact; -webkit-print-color-adjust: exact; }
.hint { margin-top: .75rem; }
.time input { flex: 1 1 12rem; padding: 0; border: 0; accent-color: var(--held); }
.time output { min-width: 9.5rem; font-variant-numeric: tabular-nums; font-weight: 600; }
.tip {
  position: fixed; left: 0; top: 0; z-index: 10; pointer-events: none; max-width: min(22rem, 90vw); padding: .5rem .75rem;
  background: var(--card); color: var(--text); border: 1px solid var(--edge); border-radius: .5rem; font-size: .875rem; line-height: 1.4;
  box-shadow: 0 .5rem 1.5rem #0003; contain: layout style; overflow-wrap: anywhere;
}
.tip strong { font-family: ui-monospace, monospace; }
.tip p { margin: .1rem 0; }
.who { display: flex; align-items: baseline; }
.who .dot { align-self: baseline; position: relative; top: .1rem; }
@media screen { .map-name { display: none; } }
@media print { .tip, .time, .choice, .hint { display: none; } .mapbody.one { grid-template-columns: 1fr; } .frame { max-width: 30rem; } }
`;
