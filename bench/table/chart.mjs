// docs/images/speed.svg: the CPU of a first synth beside the floor, kosko and plain cdk8s, by the number of leases.
import { names } from './alike.mjs';
import { floorOf } from './markdown.mjs';
import { counted, floors } from './rounds.mjs';

const [width, left, right] = [680, 150, 64];
const [barHeight, gap, groupGap, top] = [20, 4, 34, 56];
const style = `
svg { --text: #1c2430; --soft: #556070; --line: #8a95a3; --page: #fff; --ours: #2f6db5; --floor: #8a95a3; --other: #a86200; }
@media (prefers-color-scheme: dark) { svg { --text: #e8edf4; --soft: #a3afbe; --line: #7f8b9a; --page: #171e27; --ours: #4f93dc;
  --floor: #7f8b9a; --other: #eba53a; } }
text { font: 13px ui-sans-serif, system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif; fill: var(--text); }
.soft { fill: var(--soft); font-size: 12px; } .end { text-anchor: end; } .bold { font-weight: 700; }
.page { fill: var(--page); } .ours { fill: var(--ours); } .floor { fill: var(--floor); } .other { fill: var(--other); }`;

/** What has a bar: how its row is called begins with this. */
const bars = [
  { row: floors.write, label: 'floor', kind: 'floor' },
  { row: names.ours, label: 'leasehold synth', kind: 'ours' },
  { row: 'kosko', label: 'kosko', kind: 'other' },
  { row: names.cdk8s, label: 'plain cdk8s', kind: 'other' },
];

export function chartOf(tables) {
  const groups = tables.filter(({ kind }) => kind === 'alike').map(groupOf);
  const most = Math.max(...groups.flatMap(({ lines }) => lines.map(({ times }) => times)));
  const scale = (width - left - right) / most;
  let y = top;
  const parts = groups.flatMap(({ title, lines }) => {
    const head = text({ x: left, y: y + 12, kind: 'bold' }, title);
    const drawn = lines.map((line, index) => {
      const at = y + 20 + index * (barHeight + gap);
      return drawnBar(line, at, scale);
    });
    y += 20 + lines.length * (barHeight + gap) + groupGap - gap;
    return [head, ...drawn];
  });
  return svg(y - groupGap + 16, parts);
}

function groupOf(table) {
  const lines = bars.flatMap(({ row, label, kind }) => {
    const found = table.rows.find(({ name }) => name.startsWith(row));
    if (found === undefined) return [];
    const times = found.cpu.median / floorOf(table, found).cpu.median;
    return [{ label, kind, times, seconds: found.cpu.median }];
  });
  return { title: `${counted(table.leases)} leases`, lines };
}

function drawnBar({ label, kind, times, seconds }, y, scale) {
  const [length, middle] = [Math.max(1, times * scale), y + barHeight / 2 + 4.5];
  return [
    text({ x: left - 8, y: middle, kind: 'end' }, label),
    `<rect class="${kind}" x="${left}" y="${y}" width="${length.toFixed(1)}" height="${barHeight}" rx="2"/>`,
    text({ x: left + length + 6, y: middle }, `${times.toFixed(1)}×`),
    ...(length > 70
      ? [
          `<text x="${left + 6}" y="${middle}" style="fill:var(--page)">${seconds.toFixed(2)} s</text>`,
        ]
      : []),
  ].join('');
}

const text = ({ x, y, kind = '' }, content) =>
  `<text x="${Number(x.toFixed(1))}" y="${y}" class="${kind}">${content}</text>`;

function svg(height, parts) {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">
<title>The CPU of a first synth beside the floor, kosko and plain cdk8s</title>
<style>${style}
</style>
<rect class="page" width="100%" height="100%"/>
${text({ x: left, y: 22, kind: 'bold' }, 'CPU from declarations to manifests, in times of the floor')}
${text({ x: left, y: 40, kind: 'soft' }, 'The floor reads and writes the same files and does nothing else. Shorter is better.')}
${parts.join('\n')}
</svg>
`;
}
