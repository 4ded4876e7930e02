// Bundles the program, with the packages that it uses: `node src/bundle.mjs [folder]`; build/ when no folder is
// named. A command's code is a part of its own, which is loaded when the command runs.
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { build } from 'rolldown';

const source = import.meta.dirname;
const folder = resolve(process.argv[2] ?? join(source, '../build'));

rmSync(folder, { recursive: true, force: true });
await build({
  input: {
    'src/cli/main': join(source, 'cli/main.ts'),
    'src/cli/serve-thread': join(source, 'cli/serve-thread.ts'),
    'src/main': join(source, 'main.ts'),
  },
  platform: 'node',
  logLevel: 'warn',
  output: { dir: folder, format: 'esm', chunkFileNames: 'src/parts/[name].js' },
});
