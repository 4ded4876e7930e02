// The tables of docs/speed.md.
import { mix } from '../mixed.mjs';
import { counted } from './rounds.mjs';

const titles = {
  mixed: ({ leases }) => `${counted(leases)} mixed declarations`,
  alike: ({ leases }) => `${counted(leases)} leases, all alike`,
  start: ({ leases }) => `${leases} declarations`,
  disk: ({ leases }) => `${counted(leases)} mixed declarations on a disk`,
};

/** All tables, each kind under a heading, with the growth between the two largest mixed ones. */
export function markdownOf(tables) {
  const of = (kind) => tables.filter((table) => table.kind === kind && !table.node);
  const others = [...new Set(tables.flatMap(({ node = [] }) => node))];
  const section = (title, parts) => (parts.length === 0 ? [] : [`## ${title}\n`, ...parts]);
  return [
    ...section('The commands of a day', [
      ...of('mixed').map(tableOf),
      ...(of('mixed').length > 0 ? [`Of the declarations are ${mix}\n`] : []),
      ...growthOf(of('mixed')),
    ]),
    ...section('Beside other tools', [...of('alike').map(tableOf), ...notesOf(of('alike'))]),
    ...section('Small commands', of('start').map(tableOf)),
    ...section('On a disk', of('disk').map(diskTableOf)),
    ...others.flatMap((node) =>
      section(
        `On Node ${node.slice(1)}`,
        tables.filter((table) => table.node === node).map(tableOf),
      ),
    ),
  ].join('\n');
}

function tableOf(table) {
  const lines = table.rows.map((row) => {
    const floor = floorOf(table, row);
    const times = (row.cpu.median / floor.cpu.median).toFixed(1);
    return `| ${row.name} | ${seconds(row.cpu)} | ${times} | ${megabytes(row.megabytes)} |`;
  });
  const than = table.kind === 'start' ? 'times node' : 'times the floor';
  return made([titles[table.kind](table), `CPU${spreadNote(table)}`, than, 'memory'], lines);
}

function diskTableOf(table) {
  const lines = table.rows.map((row) => {
    const syncs = row.syncs === undefined ? '' : counted(row.syncs.median);
    return `| ${row.name} | ${seconds(row.wall)} | ${seconds(row.cpu)} | ${syncs} |`;
  });
  return made([titles.disk(table), `clock${spreadNote(table)}`, 'CPU', 'calls that sync'], lines);
}

/** What the other tools do for the same declarations: none allocates, keeps a record, or checks objects against each other. */
function notesOf(alike) {
  const notes = [...new Set(alike.flatMap((table) => table.notes))];
  const all =
    'Each makes the same four objects of a lease. Only leasehold allocates: it keeps a record of each address.';
  return notes.length > 0 ? [`${[all, ...notes].join(' ')}\n`] : [];
}

/** How much more the largest repository takes than the one before it. */
function growthOf(mixed) {
  const [smaller, larger] = mixed.toSorted((a, b) => a.leases - b.leases).slice(-2);
  if (larger === undefined) return [];
  const lines = larger.rows.map((row) => {
    const before = smaller.rows.find(({ name }) => name === row.name);
    const ratio = (key) => (row[key].median / before[key].median).toFixed(1);
    return `| ${row.name} | ${ratio('cpu')} | ${ratio('megabytes')} |`;
  });
  const title = `${counted(smaller.leases)} → ${counted(larger.leases)}: ${(larger.leases / smaller.leases).toFixed(0)} times the declarations`;
  return [made([title, 'times the CPU', 'times the memory'], lines)];
}

const made = (heads, lines) =>
  `| ${heads.join(' | ')} |\n|${' --- |'.repeat(heads.length)}\n${lines.join('\n')}\n`;

const spreadNote = ({ rounds }) => (rounds > 1 ? `, of ${rounds} rounds` : ', one round');

/** The row that another is compared with: itself when it is a floor. */
export const floorOf = ({ rows }, { name, over = name }) => rows.find((row) => row.name === over);

const seconds = (spread) => `${withSpread(spread, 2)} s`.replace(/^(\S+) (\(.*\)) s$/, '$1 s $2');

const megabytes = ({ median }) => `${median.toFixed(0)} MB`;

function withSpread({ median, min, max }, digits) {
  const text = (value) => value.toFixed(digits);
  return text(min) === text(max) ? text(median) : `${text(median)} (${text(min)}–${text(max)})`;
}
