// Runs a program of node as a process of its own: seconds of wall and processor time, megabytes at its peak.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const usage = join(import.meta.dirname, 'usage.mjs');

export function measure(args, cwd) {
  const started = performance.now();
  const child = spawnSync(process.execPath, ['--import', usage, ...args], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  });
  if (child.error) throw child.error;
  if (child.status !== 0) throw new Error(`${args.join(' ')}\n${child.stdout}${child.stderr}`);
  const wall = (performance.now() - started) / 1000;
  return { wall, out: child.stdout, ...JSON.parse(child.output[3]) };
}

/** The one in the middle. */
export function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1];
}

/** A line of a report: medians of several runs of one thing. */
export function figures(name, results) {
  const of = (key) => median(results.map((result) => result[key]));
  return `${name.padEnd(28)} ${of('wall').toFixed(2)} s wall  ${of('cpu').toFixed(2)} s cpu  ${of('megabytes').toFixed(0)} MB peak`;
}
