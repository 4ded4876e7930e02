// Bundles the program with its packages: `node src/bundle.mjs [--source-maps] [folder]`. The
// default folder is build/. The code of each command is a file of its own, loaded when the command
// runs. The library for cdk8s apps is another bundle, with its types. It uses the cdk8s of the app,
// and is CommonJS, as most of these apps are.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'rolldown';
import { isolatedDeclarationSync } from 'rolldown/experimental';
import { sourceMaps } from './source-maps.mjs';

const source = import.meta.dirname;
const { values, positionals } = parseArgs({
  options: { 'source-maps': { type: 'boolean' } },
  allowPositionals: true,
});
const folder = resolve(positionals[0] ?? join(source, '../build'));
const shared = { platform: 'node', logLevel: 'warn', cwd: join(source, '..') };
const output = { dir: folder, ...(values['source-maps'] ? sourceMaps('build', folder) : {}) };

/** The threads of features: each `cli/NAME-thread.ts` is a program of its own. */
function threads() {
  const features = join(source, 'features');
  return readdirSync(features)
    .map((name) => join(features, name, 'cli'))
    .filter(existsSync)
    .flatMap((cli) =>
      readdirSync(cli)
        .filter((file) => file.endsWith('-thread.ts'))
        .map((file) => [`src/cli/${file.replace(/\.ts$/, '')}`, join(cli, file)]),
    );
}

rmSync(folder, { recursive: true, force: true });
await build({
  ...shared,
  input: {
    'src/cli/main': join(source, 'program.ts'),
    'src/main': join(source, 'main.ts'),
    ...Object.fromEntries(threads()),
  },
  output: { ...output, format: 'esm', chunkFileNames: 'src/parts/[name].js' },
});

await build({
  ...shared,
  input: { 'src/cdk8s/index': join(source, 'cdk8s/index.ts') },
  external: ['cdk8s', 'constructs'],
  output: { ...output, format: 'cjs', codeSplitting: false, entryFileNames: '[name].cjs' },
});
for (const name of ['index', 'leasehold-error']) {
  const file = join(source, 'cdk8s', `${name}.ts`);
  const { code, errors } = isolatedDeclarationSync(file, readFileSync(file, 'utf8'));
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'));
  const text = code.replaceAll(/(?<=from "\.\/[^"]+)\.ts(?=")/g, '.cjs');
  writeFileSync(join(folder, `src/cdk8s/${name}.d.cts`), text);
}
