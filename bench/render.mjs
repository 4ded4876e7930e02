// Rendering alone, each way in a process of its own, in turn: from placements in memory to the text of all files. `renderDist` beside
// cdk8s itself on the same four objects of a lease, as one chart and as a chart for each file. cdk8s prepares the whole app for each
// chart, so these have fewer leases. With the build/modules of another commit, its `renderDist` is measured too.
// Usage: node bench/render.mjs [leases=20000] [rounds=5] [in one chart=2000] [in charts of their own=1000] [modules of another commit]
import { join, resolve } from 'node:path';
import { measure, median } from './measure.mjs';

const here = import.meta.dirname;
const [leases = 20_000, rounds = 5, one = 2000, many = 1000] = process.argv.slice(2, 6).map(Number);
const modules = join(here, '../build/modules');
const other = process.argv[6];

/** Name, way, leases, modules. */
const ways = [
  ['renderDist', 'renderDist', leases, modules],
  ...(other === undefined ? [] : [['renderDist elsewhere', 'renderDist', leases, resolve(other)]]),
  ['renderDist without checks', 'unchecked', leases, modules],
  ['renderDist without checks', 'unchecked', one, modules],
  ['cdk8s, one chart', 'chart', one, modules],
  ['renderDist without checks', 'unchecked', many, modules],
  ['cdk8s, a chart for each file', 'charts', many, modules],
].map(([name, ...args]) => ({ name, args, results: [] }));

for (let round = 0; round < rounds; round += 1) {
  for (const { args, results } of ways) {
    const { out, megabytes } = measure([join(here, 'render-leases.mjs'), ...args.map(String)]);
    results.push({ ...JSON.parse(out), megabytes });
  }
}

console.log(
  `${rounds} rounds, node ${process.version}; medians of the rendering, and of the peak memory of its process`,
);
for (const { name, args, results } of ways) {
  const of = (key) => median(results.map((result) => result[key]));
  console.log(
    `${`${name}, ${args[1]} leases`.padEnd(44)} ${of('wall').toFixed(2)} s wall  ${of('cpu').toFixed(2)} s cpu  ${of('megabytes').toFixed(0)} MB peak  ${of('bytes')} bytes`,
  );
}
