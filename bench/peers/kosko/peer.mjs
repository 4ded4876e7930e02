import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build as bundle } from 'rolldown';
import { measure } from '../../measure.mjs';

const here = import.meta.dirname;
const groups = ['akash.network.yaml', 'metallb.io.yaml'];
const crds = join(here, '../../../imports/crds');
const program = join(here, 'render.mjs');
const packages = ['package.json', 'package-lock.json'];

/** kosko makes the same objects as leasehold, validated by their schemas, in one file for each lease. */
export const kosko = {
  name: 'kosko',
  /** Of all that it is made of, so that a change builds it again. */
  version: digestOf([
    ...['peer.mjs', 'render.mjs', ...packages].map((name) => join(here, name)),
    ...groups.map((name) => join(crds, name)),
  ]),
  row: 'kosko',
  about:
    'kosko counts addresses up, validates each object by its schema, and writes one file for each lease.',
  most: 20_000,
  build,
  prepare() {},
  run: ({ folder, root, out }) => measure([join(folder, 'render.mjs'), root, out]),
};

/** Installs kosko, makes models of our CRDs with its own generator, and bundles these with the program. */
async function build(folder) {
  for (const name of packages) copyFileSync(join(here, name), join(folder, name));
  run('npm', ['ci', '--no-audit', '--no-fund'], folder);
  for (const name of groups) writeFileSync(join(folder, name), knownFormats(join(crds, name)));
  const inputs = groups.flatMap((name) => ['--input', `./${name}`]);
  run(join(folder, 'node_modules/.bin/crd-generate'), [...inputs, '--output', './models'], folder);
  await bundle({
    input: program,
    platform: 'node',
    external: (id) => /^[^./]/.test(id) && !id.startsWith('models/'),
    resolve: { alias: { models: join(folder, 'models') } },
    output: { file: join(folder, 'render.mjs'), format: 'esm' },
    logLevel: 'warn',
  });
  rmSync(join(folder, 'models'), { recursive: true });
}

/** The text of definitions without the formats of numbers: the generator knows no unsigned ones. */
function knownFormats(path) {
  return readFileSync(path, 'utf8')
    .replace(/^ *format: u?int\d+\n/gm, '')
    .replace(/format: u?int\d+, /g, '');
}

function run(command, args, cwd) {
  execFileSync(command, args, { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
}

function digestOf(paths) {
  const hash = createHash('sha256');
  for (const path of paths) hash.update(readFileSync(path));
  return hash.digest('hex').slice(0, 12);
}
