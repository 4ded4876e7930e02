// Runs a program as a process of its own: seconds of wall and processor time, megabytes at its peak. The processor time is what the
// kernel counts for the whole process, from its start to its end, and for the processes that it started, such as git. The memory is
// that of the process alone.
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const usage = join(import.meta.dirname, 'usage.cjs');
/** Milliseconds between two looks at the memory of a program that is not of node. */
const interval = 5;

/** Runs a program of node, `times` in a row with `between` after each: the figures of one run. `node` is the path of another version of Node. */
export function measure(args, { cwd, env, times = 1, between = () => {}, node } = {}) {
  const before = childrenTime();
  const runs = Array.from({ length: times }, () => {
    const run = once(args, { cwd, env: { ...process.env, ...env }, node });
    between();
    return run;
  });
  const after = childrenTime();
  const sum = (key) => runs.reduce((total, run) => total + run[key], 0);
  // Its own time is more precise than the kernel's hundredths of a second, and lacks its children and its end.
  const cpu = after === undefined ? sum('cpu') : Math.max(sum('cpu'), after - before);
  const megabytes = Math.max(...runs.map((run) => run.megabytes));
  return { out: runs[0].out, wall: sum('wall') / times, cpu: cpu / times, megabytes };
}

function once(args, { node = process.execPath, ...options }) {
  const started = performance.now();
  const child = spawnSync(node, ['--require', usage, ...args], {
    ...options,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  });
  if (child.error) throw child.error;
  if (child.status !== 0) throw new Error(`${args.join(' ')}\n${child.stdout}${child.stderr}`);
  const wall = (performance.now() - started) / 1000;
  return { out: child.stdout, wall, ...JSON.parse(child.output[3]) };
}

/** Runs a program that is not of node. What it prints is dropped. */
export async function measureProgram(file, args, { cwd } = {}) {
  const started = performance.now();
  const before = childrenTime();
  const child = spawn(file, args, { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
  let megabytes = 0;
  const look = setInterval(() => {
    megabytes = Math.max(megabytes, peakOf(child.pid));
  }, interval);
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    said += text;
  });
  const status = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(code ?? signal));
  }).finally(() => clearInterval(look));
  const wall = (performance.now() - started) / 1000;
  if (status !== 0) throw new Error(`${file} ${args.join(' ')}: ${status}\n${said}`);
  return { wall, cpu: childrenTime() - before, megabytes };
}

/** Seconds of processor time of all processes that this one started and that have ended, and of theirs; undefined without /proc. */
function childrenTime() {
  const text = read('/proc/self/stat');
  if (text === undefined) return undefined;
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) / 100;
}

/** Megabytes of memory that a process had at its peak; 0 once it has ended. */
function peakOf(pid) {
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(read(`/proc/${pid}/status`) ?? '')?.[1] ?? 0) / 1024;
}

function read(path) {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return undefined;
  }
}

/** The one in the middle, or between the two in the middle. */
export function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
}

/** The one in the middle, the least and the most. */
export function spreadOf(numbers) {
  return { median: median(numbers), min: Math.min(...numbers), max: Math.max(...numbers) };
}

/** A line of a report: medians of several runs of one thing, and the least and the most. */
export function figures(name, results) {
  const of = (key, digits) => {
    const { median, min, max } = spreadOf(results.map((result) => result[key]));
    const text = median.toFixed(digits);
    return min === max ? text : `${text} (${min.toFixed(digits)} to ${max.toFixed(digits)})`;
  };
  return `${name.padEnd(28)} ${of('wall', 2)} s wall  ${of('cpu', 2)} s cpu  ${of('megabytes', 0)} MB peak`;
}
