// The least that a run must do: reads every file of a repository, and with a second folder writes the committed files there,
// plainly. Usage: node bench/floor.mjs REPOSITORY [OUT]
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const [root, out] = process.argv.slice(2);
const isWritten = (path) => /^(?:dist|leases\/allocations|leases\/hostnames)\//.test(path);
const made = new Set();

for (const entry of filesBelow('leases')) take(entry);
for (const entry of filesBelow('dist')) take(entry);

/** Paths below a folder of the repository. */
function filesBelow(folder) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
}

function take(path) {
  const bytes = readFileSync(join(root, path));
  if (out === undefined || !isWritten(path)) return;
  const target = join(out, path);
  if (!made.has(dirname(target))) mkdirSync(dirname(target), { recursive: true });
  made.add(dirname(target));
  writeFileSync(target, bytes);
}
