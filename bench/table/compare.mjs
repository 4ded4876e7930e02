// What a change costs: the times of the floor now beside those of figures that were written before, so that another or a busy machine
// counts little.
import { floorOf } from './markdown.mjs';
import { counted } from './rounds.mjs';

/** Past this it is said in the commit. */
const most = 1.05;

/** Lines for the rows that both have. `more` and `less` stand only where the medians and the least figures agree. */
export function comparison(tables, before) {
  return tables.flatMap((table) => {
    const old = before.find(
      ({ kind, leases, node }) =>
        kind === table.kind && leases === table.leases && node === table.node,
    );
    const name = `${table.kind}, ${counted(table.leases)}`;
    if (old === undefined) return [`${name}: no figures before`];
    const head = `${name}: CPU and memory, as a ratio to the figures before, beside the floor's`;
    return [head, ...table.rows.flatMap((row) => lineOf(row, { table, old }))];
  });
}

function lineOf(row, { table, old }) {
  const was = old.rows.find(({ name }) => name === row.name);
  if (was === undefined || row.over === undefined) return [];
  const [floor, oldFloor] = [floorOf(table, row), floorOf(old, was)];
  const ratio = (key, of) => row[key][of] / floor[key][of] / (was[key][of] / oldFloor[key][of]);
  const cpu = [ratio('cpu', 'median'), ratio('cpu', 'min')];
  const memory = row.megabytes.median / was.megabytes.median;
  return `  ${row.name.padEnd(36)} CPU ${cpu[0].toFixed(2)} ${said(...cpu)}  memory ${memory.toFixed(2)} ${said(memory)}`;
}

function said(...ratios) {
  if (ratios.every((ratio) => ratio > most)) return 'more';
  return ratios.every((ratio) => ratio < 1 / most) ? 'less' : '    ';
}
