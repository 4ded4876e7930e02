// Makes the one script of the page:
// `node src/features/page/browser/bundle.mjs [--source-maps] [folder]`. The default folder is
// build/page. The script is copied into pages, so it has no link to its source map.
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'rolldown';
import { sourceMaps } from '../../../source-maps.mjs';

const here = import.meta.dirname;
const { values, positionals } = parseArgs({
  options: { 'source-maps': { type: 'boolean' } },
  allowPositionals: true,
});
const folder = resolve(positionals[0] ?? join(here, '../../../../build/page'));

await build({
  input: join(here, 'main.ts'),
  cwd: join(here, '../../../..'),
  platform: 'browser',
  logLevel: 'warn',
  output: {
    ...(values['source-maps'] ? { ...sourceMaps('build/page', folder), sourcemap: 'hidden' } : {}),
    file: join(folder, 'page.js'),
    format: 'iife',
    minify: true,
    comments: false,
  },
});
