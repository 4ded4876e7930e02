// Bundles the program, with the packages that it uses: `node src/bundle.mjs [folder]`; build/ when no folder is
// named. A command's code is a part of its own, which is loaded when the command runs. The library for cdk8s apps is
// a bundle of its own, with its types, that uses the cdk8s of the app. It is CommonJS, as most of these apps are.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { build } from 'rolldown';
import { isolatedDeclarationSync } from 'rolldown/experimental';

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

await build({
  input: { 'src/cdk8s/index': join(source, 'cdk8s/index.ts') },
  platform: 'node',
  logLevel: 'warn',
  external: ['cdk8s', 'constructs'],
  output: { dir: folder, format: 'cjs', codeSplitting: false, entryFileNames: '[name].cjs' },
});
for (const name of ['index', 'leasehold-error']) {
  const file = join(source, 'cdk8s', `${name}.ts`);
  const { code, errors } = isolatedDeclarationSync(file, readFileSync(file, 'utf8'));
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'));
  const text = code.replaceAll(/(?<=from "\.\/[^"]+)\.ts(?=")/g, '.cjs');
  writeFileSync(join(folder, `src/cdk8s/${name}.d.cts`), text);
}
