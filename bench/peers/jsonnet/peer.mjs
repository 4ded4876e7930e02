import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { measureProgram } from '../../measure.mjs';

/** jsonnet makes the same objects, in one file for each lease. */
export const jsonnet = {
  name: 'jsonnet',
  version: 'v0.22.0',
  program: 'github.com/google/go-jsonnet/cmd/jsonnet',
  row: 'jsonnet',
  about: 'jsonnet counts addresses up, checks nothing, and writes one file for each lease.',
  most: 5000,
  prepare,
  run: ({ folder, root, out, work }) =>
    measureProgram(join(folder, 'jsonnet'), [
      ...['--multi', out, '--string', '--create-output-dirs'],
      ...['--tla-code-file', `texts=${join(work, 'texts.jsonnet')}`],
      ...['--tla-str-file', `pools=${join(root, 'leases/pools.yaml')}`],
      join(import.meta.dirname, 'leases.jsonnet'),
    ]),
};

/** Writes the list of the declarations that jsonnet imports. */
function prepare({ root, work }) {
  const leases = join(root, 'leases');
  const imports = readdirSync(leases, { recursive: true })
    .filter((name) => /^\d+[/\\]\d+\.yaml$/.test(name))
    .sort()
    .map((name) => `importstr ${JSON.stringify(join(leases, name))},\n`);
  mkdirSync(work, { recursive: true });
  writeFileSync(join(work, 'texts.jsonnet'), `[\n${imports.join('')}]\n`);
}
