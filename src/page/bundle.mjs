// Makes the one script of the page: `node src/page/bundle.mjs [folder]`; build/page when no folder is named.
import { dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

const here = dirname(fileURLToPath(import.meta.url));
const folder = resolve(process.argv[2] ?? join(here, '../../build/page'));

await build({
  input: join(here, 'main.ts'),
  platform: 'browser',
  logLevel: 'warn',
  output: { file: join(folder, 'page.js'), format: 'iife', minify: true, comments: false },
});
