// Prints the notes of a release from CHANGELOG.md: `node release/notes.mjs v1.2.3`. Fails unless package.json has that
// version, and the changes have a section for it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

const [tag] = process.argv.slice(2);
const read = (name) => readFileSync(join(import.meta.dirname, '..', name), 'utf8');
const { version } = JSON.parse(read('package.json'));
const [, ...sections] = read('CHANGELOG.md').split(/^## /m);
const notes = sections.find((section) => /^\S+/.exec(section)?.[0] === version);
if (tag !== `v${version}`) stop(`the tag is ${tag}, and package.json has the version ${version}`);
if (notes === undefined) stop(`CHANGELOG.md has no section "## ${version}"`);
process.stdout.write(`${notes.slice(notes.indexOf('\n')).trim()}\n`);

function stop(message) {
  process.stderr.write(`release: ${message}\n`);
  process.exit(1);
}
