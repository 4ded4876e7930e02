// Prints the code lines of src by folder, without blank lines and comments: `npm run size`. Fails when core or all of src
// has more than size-budget.json allows. `npm run size -- --lower` lowers the budget to what is there, and never raises it.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');
const budgetFile = join(import.meta.dirname, 'size-budget.json');

/** The lines of a text that are neither blank nor in a comment. */
export function codeLines(text) {
  let isComment = false;
  let count = 0;
  for (const line of text.split('\n').map((one) => one.trim())) {
    if (!isComment && line !== '' && !line.startsWith('//') && !line.startsWith('/*')) count += 1;
    if (!isComment && line.startsWith('/*')) isComment = true;
    if (isComment && line.includes('*/')) isComment = false;
  }
  return count;
}

/** The code lines of each folder that has a rule of its own, by path below src. */
export function sizes() {
  const counts = new Map();
  for (const path of readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })) {
    if (!/\.(?:ts|mjs)$/.test(path)) continue;
    const folder = /^(?:core\/run|core|lib|features)\/[^/]+(?=\/)/.exec(path)?.[0];
    const name = folder ?? (path.includes('/') ? path.split('/')[0] : 'beside');
    const lines = codeLines(readFileSync(join(root, 'src', path), 'utf8'));
    counts.set(name, (counts.get(name) ?? 0) + lines);
  }
  return new Map([...counts].sort(([left], [right]) => (left < right ? -1 : 1)));
}

/** The sums that have a budget. */
export function totals(counts) {
  const sum = (isIn) =>
    [...counts].reduce((all, [name, lines]) => (isIn(name) ? all + lines : all), 0);
  return { core: sum((name) => name.startsWith('core/')), src: sum(() => true) };
}

if (process.argv[1] === import.meta.filename) {
  const counts = sizes();
  const now = totals(counts);
  const budget = JSON.parse(readFileSync(budgetFile, 'utf8'));
  for (const [name, lines] of counts) console.log(`${String(lines).padStart(7)}  ${name}`);
  for (const [name, lines] of Object.entries(now)) {
    console.log(`${String(lines).padStart(7)}  all of ${name}; the budget is ${budget[name]}`);
    if (process.argv.includes('--lower')) budget[name] = Math.min(budget[name], lines);
    else if (lines > budget[name]) {
      console.error(
        `${name} is over its budget: shorten it, or raise test/architecture/size-budget.json in a commit that says what for`,
      );
      process.exitCode = 1;
    }
  }
  if (process.argv.includes('--lower'))
    writeFileSync(budgetFile, `{ "core": ${budget.core}, "src": ${budget.src} }\n`);
}
