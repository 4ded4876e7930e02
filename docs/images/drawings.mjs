// Writes the drawings of the glossary into a folder, or beside this file: `node docs/images/drawings.mjs [FOLDER]`.
// `npm run docs` runs it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const width = 680;
const style = `
svg { --text: #1c2430; --soft: #556070; --line: #8a95a3; --card: #fff; --held: #c9dcf2; --kept: #fbe3bd; --free: #d8efdf; }
@media (prefers-color-scheme: dark) { svg { --text: #e8edf4; --soft: #a3afbe; --line: #7f8b9a; --card: #171e27; --held: #22374f;
  --kept: #46341a; --free: #1c3a28; } }
text { font: 13px ui-sans-serif, system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif; fill: var(--text); text-anchor: middle; }
.soft { fill: var(--soft); font-size: 12px; } .start { text-anchor: start; } .code { font-family: ui-monospace, Menlo, 'DejaVu Sans Mono', monospace; font-size: 12px; }
rect { fill: var(--card); stroke: var(--line); } .page { stroke: none; } .group { stroke-dasharray: 4 3; fill: none; }
.held { fill: var(--held); } .kept { fill: var(--kept); } .free { fill: var(--free); }
path { stroke: var(--line); fill: none; marker-end: url(#head); } marker path { fill: var(--line); stroke: none; marker-end: none; }`;

const label = (x, y, text, kind = '') => `<text x="${x}" y="${y}" class="${kind}">${text}</text>`;
const arrow = (x, y, toX, toY) => `<path d="M${x} ${y}L${toX} ${toY}"/>`;

/** A box with lines of text in its middle. */
function box({ x, y, w, h = 32, kind = '', font = '' }, ...lines) {
  const first = y + h / 2 + 4.5 - (lines.length - 1) * 8.5;
  const texts = lines.map((line, index) => label(x + w / 2, first + index * 17, line, font));
  return `<rect class="${kind}" x="${x}" y="${y}" width="${w}" height="${h}" rx="4"/>${texts.join('')}`;
}

/** A dashed box around others, with its name at the top. */
const group = (x, y, w, h, name) =>
  `<rect class="group" x="${x}" y="${y}" width="${w}" height="${h}" rx="6"/>${label(x + w / 2, y + 19, name)}`;

function drawing(height, title, ...parts) {
  const head = '<marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0L8 4L0 8z"/></marker>';
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">
<title>${title}</title>
<style>${style}
</style>
${head}
<rect class="page" width="100%" height="100%"/>
${parts.join('\n')}
</svg>
`;
}

const zone = drawing(
  150,
  'Two zones: inet with two pools, edge with one. A declaration names its zone',
  box({ x: 10, y: 36, w: 150, h: 44 }, 'a declaration', 'without a zone'),
  box({ x: 10, y: 96, w: 150, h: 44 }, 'a declaration', 'with zone edge'),
  label(209, 48, 'defaultZone', 'soft'),
  arrow(160, 58, 258, 58),
  arrow(160, 118, 478, 118),
  group(260, 8, 205, 84, 'zone inet'),
  box({ x: 270, y: 38, w: 90, h: 44, kind: 'held' }, 'pool a', 'tried first'),
  box({ x: 365, y: 38, w: 90, h: 44, kind: 'held' }, 'pool b', 'then'),
  group(480, 58, 190, 84, 'zone edge'),
  box({ x: 490, y: 90, w: 170, h: 40, kind: 'held' }, 'pool c'),
);

const holder = drawing(
  150,
  'Three claims of one owner and endpoint make one holder, which has one address',
  ...['web 80/TCP of lease 18500001', 'web 443/TCP of lease 18500001', 'dns 53/UDP of lease 18500002'].map((text, index) =>
    [box({ x: 10, y: 28 + index * 40, w: 230 }, text), arrow(240, 44 + index * 40, 298, 84)].join(''),
  ),
  label(125, 18, 'claims', 'soft'),
  label(375, 18, 'holder', 'soft'),
  label(585, 18, 'address', 'soft'),
  box({ x: 300, y: 62, w: 150, h: 44, kind: 'held' }, 'owner and', 'endpoint “site”'),
  arrow(450, 84, 508, 84),
  box({ x: 510, y: 68, w: 150, font: 'code' }, '198.50.185.124'),
);

const layout = drawing(
  170,
  'layout: pool has one IPAddressPool for many Services; layout: lease has one for each holder',
  group(10, 8, 325, 154, 'layout: pool'),
  box({ x: 24, y: 40, w: 140, h: 110, kind: 'held' }, 'IPAddressPool', 'public', '203.0.113.64/27'),
  ...[0, 1, 2].map((index) =>
    [arrow(230, 56 + index * 39, 166, 56 + index * 39), box({ x: 232, y: 40 + index * 39, w: 90 }, 'Service')].join(''),
  ),
  group(345, 8, 325, 154, 'layout: lease'),
  ...[70, 71, 72].map((last, index) =>
    [
      box({ x: 359, y: 40 + index * 39, w: 170, kind: 'held', font: 'code' }, `ip-203.0.113.${last}`),
      arrow(566, 56 + index * 39, 531, 56 + index * 39),
      box({ x: 568, y: 40 + index * 39, w: 90 }, 'Service'),
    ].join(''),
  ),
);

const shard = drawing(
  170,
  'With 16 shards, the hash of a holder chooses one of 16 folders, and an engine object applies each',
  label(85, 18, 'holders', 'soft'),
  label(338, 18, 'folders in dist/default/', 'soft'),
  label(585, 18, 'objects of the engine', 'soft'),
  ...['shop/web', 'shop/mail', 'akash1…-ip-site'].map((name, index) => box({ x: 10, y: 28 + index * 46, w: 150 }, name)),
  label(214, 34, 'hash', 'soft'),
  arrow(160, 44, 268, 90),
  arrow(160, 90, 268, 44),
  arrow(160, 136, 268, 136),
  ...['0', '1', 'f'].map((digit, index) =>
    [
      box({ x: 270, y: 28 + index * 46, w: 136, kind: 'held', font: 'code' }, `${digit}/`),
      arrow(500, 44 + index * 46, 408, 44 + index * 46),
      box({ x: 502, y: 28 + index * 46, w: 166, font: 'code' }, `leases-default.${digit}`),
    ].join(''),
  ),
  label(338, 118, '…', 'soft'),
  label(585, 118, '…', 'soft'),
);

const retention = drawing(
  116,
  'An address is held, then released and retained for its last holder, then free for others',
  box({ x: 10, y: 34, w: 250, h: 40, kind: 'held' }, 'held'),
  box({ x: 260, y: 34, w: 250, h: 40, kind: 'kept' }, 'released and retained'),
  box({ x: 510, y: 34, w: 160, h: 40, kind: 'free' }, 'free for others'),
  label(10, 24, 'since', 'soft start'),
  label(260, 24, 'released on', 'soft'),
  label(510, 24, 'freeFrom', 'soft'),
  label(385, 94, 'the retention:', 'soft'),
  label(385, 108, 'only its last holder can get it back', 'soft'),
);

const folder = process.argv[2] ?? import.meta.dirname;
for (const [name, text] of Object.entries({ zone, holder, layout, shard, retention })) {
  writeFileSync(join(folder, `${name}.svg`), text);
}
