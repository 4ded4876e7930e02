/**
 * Proves that the tests still catch every mutation of mutations.yaml. Each one is applied to a copy of the tracked
 * files, and its test file has to go red there. Nothing in the working tree is changed.
 *
 *     node test/mutations/run.mjs [--copies N] [NUMBER | FROM-TO ...]
 *
 * The numbers count from 1, in the order of the file; without any, all are tried. `--copies 2` works in two copies
 * side by side.
 */
import { execFileSync, spawn } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { parse } from 'yaml';

/**
 * Where a test file may run, the quickest first: its vitest projects and tags, and how much of it
 * (test/support/run/scope.ts).
 */
const suites = [
  { name: 'npm test', scope: 'quick', words: ['--project=quick', '--tags-filter=!slow'] },
  {
    name: 'npm run test:more',
    scope: 'usual',
    words: ['--project=quick', '--tags-filter=slow or counted'],
  },
  {
    name: 'npm run test:slow',
    scope: 'usual',
    words: ['--project=program', '--project=slow'],
  },
];

/** After this long a test file is stopped. A mutation that makes a program wait forever is not caught by that. */
const longestMs = 30 * 60_000;

const root = resolve(import.meta.dirname, '../..');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { copies: { type: 'string', default: '1' } },
});
if (!/^[1-9]\d?$/.test(values.copies)) throw new Error('--copies takes a number from 1 to 99');

const all = parse(fs.readFileSync(join(import.meta.dirname, 'mutations.yaml'), 'utf8'));
const chosen = positionals.length === 0 ? all.map((_, index) => index) : positionals.flatMap(named);
const folder = fs.mkdtempSync(join(tmpdir(), 'leasehold-mutations-'));
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stop.abort());

try {
  process.exitCode = await proveAll();
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}

/** Tries what was chosen, prints what came of it, and gives the exit status. */
async function proveAll() {
  const copies = Array.from({ length: Number(values.copies) }, (_, index) => copyTree(index));
  const tests = [...new Set(chosen.map((index) => all[index].test))].sort();
  const sound = new Set();
  await inCopies(copies, suites, async (copy, suite) => {
    const { files } = await runTests(copy, tests, suite);
    for (const test of tests) {
      const verdict = files ? verdictOf(files.get(test) ?? []) : 'broken';
      if (verdict === 'green') sound.add(`${suite.name} ${test}`);
      else if (verdict !== 'empty') console.log(`${test} is ${verdict} without any mutation`);
    }
    console.log(`${suite.name} was run without any mutation`);
  });
  let failed = 0;
  await inCopies(copies, chosen, async (copy, index) => {
    const { file, test, holds } = all[index];
    const started = Date.now();
    const { word, why } = await outcomeOf(copy, all[index], sound);
    if (word !== 'caught') failed += 1;
    const seconds = `${Math.round((Date.now() - started) / 1000)} s`;
    console.log(`${index + 1} ${word}: ${file} by ${test}, ${why}, ${seconds}: ${holds}`);
  });
  console.log(`${chosen.length - failed} passed, ${failed} failed`);
  return failed > 0 || stop.signal.aborted ? 1 : 0;
}

/** What became of a mutation. The copy is as it was afterwards. */
async function outcomeOf(copy, { file, find, replace, test }, sound) {
  const path = join(copy, file);
  const before = fs.readFileSync(path, 'utf8');
  const times = before.split(find).length - 1;
  if (times !== 1 || find === replace) {
    return { word: 'does not apply', why: `its text is there ${times} times` };
  }
  fs.writeFileSync(
    path,
    before.replace(find, () => replace),
  );
  try {
    for (const suite of suites.filter(({ name }) => sound.has(`${name} ${test}`))) {
      const { status, files } = await runTests(copy, [test], suite);
      const results = files?.get(test) ?? [];
      const failures = results.filter((result) => result.status === 'failed');
      if (status !== 0 && failures.length > 0) {
        return { word: 'caught', why: `${failuresText(failures)}, in ${suite.name}` };
      }
    }
  } finally {
    fs.writeFileSync(path, before);
  }
  return { word: 'NOT CAUGHT', why: 'no suite goes from green to red' };
}

/**
 * Runs test files in a suite, all of them in one run: the exit status, and the results of each file. Red is only what
 * an assertion says: a test file that cannot be read, or a program that does not compile, has no results.
 */
async function runTests(copy, tests, { scope, words }) {
  const report = `${copy}.json`;
  fs.rmSync(report, { force: true });
  const env = { ...process.env, TEST_REPORT: report, TEST_SCOPE: scope };
  const status = await exitOf(copy, [...tests, ...words, '--passWithNoTests'], env);
  if (stop.signal.aborted) throw new Error('stopped');
  if (!fs.existsSync(report)) return { status, files: undefined };
  const { testResults } = JSON.parse(fs.readFileSync(report, 'utf8'));
  const inCopy = ({ name, assertionResults }) => [relative(copy, name), assertionResults];
  return { status, files: new Map(testResults.map(inCopy)) };
}

function verdictOf(results) {
  if (results.some(({ status }) => status === 'failed')) return 'red';
  return results.some(({ status }) => status === 'passed') ? 'green' : 'empty';
}

/** `2 failed`; of a property also after how many runs: `1 failed, after 37 runs`. */
function failuresText(failures) {
  const messages = failures.flatMap(({ failureMessages }) => failureMessages).join('\n');
  const runs = [...messages.matchAll(/Property failed after (\d+) tests/g)].map(([, run]) => run);
  return [`${failures.length} failed`, ...runs.map((run) => `after ${run} runs`)].join(', ');
}

/** The exit status of vitest; undefined when it was stopped. */
function exitOf(copy, words, env) {
  const vitest = join(copy, 'node_modules/vitest/vitest.mjs');
  const args = [vitest, 'run', '--config', 'test/vitest.config.ts', ...words];
  const options = { cwd: copy, env, stdio: 'ignore', timeout: longestMs, signal: stop.signal };
  return new Promise((done) => {
    const child = spawn(process.execPath, args, options);
    child.on('error', () => done(undefined));
    child.on('close', (status) => done(status ?? undefined));
  });
}

/** Does the work for each item, in the order of the list, one at a time in each copy. */
async function inCopies(copies, items, work) {
  const left = [...items];
  const worker = async (copy) => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(copy, item);
  };
  await Promise.all(copies.map(worker));
}

/** A copy of the tracked files as they are in the working tree, with the packages of the working tree. */
function copyTree(index) {
  const copy = join(folder, `copy-${index + 1}`);
  const listed = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' });
  for (const file of listed.split('\0')) {
    if (file === '' || !fs.existsSync(join(root, file))) continue;
    fs.mkdirSync(dirname(join(copy, file)), { recursive: true });
    fs.cpSync(join(root, file), join(copy, file), { verbatimSymlinks: true });
  }
  fs.symlinkSync(fs.realpathSync(join(root, 'node_modules')), join(copy, 'node_modules'));
  return copy;
}

/** The places in the list that an argument names: `7`, or `7-12`. */
function named(text) {
  const [, from, to = from] = /^(\d+)(?:-(\d+))?$/.exec(text) ?? [];
  const places = all.map((_, index) => index);
  const found = places.filter((index) => Number(from) <= index + 1 && index + 1 <= Number(to));
  if (found.length === 0) throw new Error(`no mutation has the number ${text}`);
  return found;
}
