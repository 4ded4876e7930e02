import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Fence, fencesOf } from '../support/docs/doc-page.ts';
import { type BuiltProgram, buildProgram } from '../support/run/built-program.ts';
import { type Finished, runProcess } from '../support/run/run-process.ts';
import { example } from '../support/trees/example.ts';
import { putFile, tempTree } from '../support/trees/temp-tree.ts';

/*
 * The app of docs/cdk8s.md, in a folder of its own: compiled against the types of the packed package, and
 * synthesized by the command line of cdk8s. UPDATE_GOLDEN=1 writes the manifests into the page.
 */
const page = resolve('docs/cdk8s.md');
const update = process.env.UPDATE_GOLDEN === '1' && !process.env.CI;

let program: BuiltProgram;
beforeAll(() => {
  program = buildProgram();
});
afterAll(() => program.remove());

/** Installs the package as `npm publish` would pack it, beside links to packages of this repository. */
function installInto(app: string): void {
  const packed = tempTree();
  const npm = ['pack', '--ignore-scripts', '--silent', '--pack-destination', packed];
  execFileSync('npm', npm, { cwd: dirname(program.build), stdio: 'ignore' });
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  const own = join(app, 'node_modules/leasehold');
  mkdirSync(own, { recursive: true });
  execFileSync('tar', ['-xzf', `${packed}/leasehold-${version}.tgz`, '-C', own, '--strip=1']);
  for (const name of ['cdk8s', 'cdk8s-plus-28', 'constructs']) {
    symlinkSync(resolve('node_modules', name), join(app, 'node_modules', name));
  }
}

/**
 * Checks the app with the settings of an app that `cdk8s init` makes, and a TypeScript of its version. Such
 * an app does not read `exports`.
 */
function compileAsInitialized(app: string): Promise<Finished> {
  const settings = resolve('node_modules/cdk8s-cli/templates/typescript-app/tsconfig.json');
  const compilerOptions = { noEmit: true, types: [] };
  const project = { extends: settings, compilerOptions, include: ['main.ts'] };
  putFile(app, 'tsconfig.json', JSON.stringify(project));
  const compiler = resolve('node_modules/jsii/node_modules/typescript/bin/tsc');
  return runProcess(process.execPath, [compiler, '-p', '.'], { cwd: app });
}

/** The blocks of the page that are files of the app. */
function isOfApp({ title }: Fence): boolean {
  return title === 'main.ts' || title === 'cdk8s.yaml';
}

test('a cdk8s app takes its addresses from leasehold/cdk8s, as docs/cdk8s.md shows', async () => {
  const text = readFileSync(page, 'utf8');
  const fences = fencesOf(text);
  const addresses = example();
  for (const { title, text: declaration } of fences.filter((one) =>
    one.title.startsWith('leases/'),
  )) {
    putFile(addresses, title, declaration);
  }
  const synth = [program.cli, 'synth', '--today', '2026-11-21'];
  expect(await runProcess(process.execPath, synth, { cwd: addresses })).toMatchObject({
    status: 0,
  });

  const app = tempTree({ 'package.json': '{ "name": "shop", "private": true }\n' });
  installInto(app);
  for (const { title, text: file } of fences.filter(isOfApp)) {
    putFile(app, title, file.replace("'../addresses'", JSON.stringify(addresses)));
  }
  const compile = [resolve('node_modules/typescript/bin/tsc'), 'main.ts', '--strict'];
  const settings = ['--module', 'nodenext', '--skipLibCheck', '--types', ''];
  const compiled = await runProcess(process.execPath, [...compile, ...settings], { cwd: app });
  expect(compiled).toEqual({ status: 0, out: '', err: '' });
  expect(await compileAsInitialized(app)).toEqual({ status: 0, out: '', err: '' });

  const cdk8s = [program.cdk8s, 'synth', '--check-upgrade=false'];
  const { status, err } = await runProcess(process.execPath, cdk8s, { cwd: app });
  expect([status, err]).toEqual([0, expect.not.stringContaining('Error')]);
  const written = readFileSync(join(app, 'dist/shop.k8s.yaml'), 'utf8');
  const shown = fences.find(({ language, title }) => language === 'yaml' && title === '');
  if (!update) expect(shown?.text).toBe(written);
  else
    writeFileSync(
      page,
      text.replace(
        `\n\`\`\`yaml\n${shown?.text}\`\`\`\n`,
        () => `\n\`\`\`yaml\n${written}\`\`\`\n`,
      ),
    );
});
