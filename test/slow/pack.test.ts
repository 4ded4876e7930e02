import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { runProcess } from '../support/run/run-process.ts';
import { startServe } from '../support/serve/served-program.ts';
import { exampleLeases } from '../support/trees/example.ts';
import { filesBelow, unlike } from '../support/trees/tree-bytes.ts';

/** The day on which the shipped example was made. */
const exampleDay = '2026-11-20';

let folder: string;
let packed: readonly string[];

/** Packs the package as `npm publish` would, and installs it in a folder that has nothing else. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'leasehold-pack-'));
  const npm = (args: readonly string[], cwd: string): string =>
    execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  const told = npm(['pack', '--json', '--silent', '--pack-destination', folder], '.');
  const [tarball] = JSON.parse(told.slice(told.indexOf('[')));
  packed = tarball.files.map((file: { path: string }) => file.path);
  writeFileSync(join(folder, 'package.json'), '{ "name": "somewhere", "private": true }\n');
  npm(['install', '--no-audit', '--no-fund', '--prefer-offline', tarball.filename], folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function leasehold(args: readonly string[]) {
  return runProcess('npx', ['--no-install', 'leasehold', ...args], { cwd: folder });
}

describe('the package', () => {
  test('contains the built program, and no sources or tests', () => {
    expect(packed).toEqual(
      expect.arrayContaining(['package.json', 'README.md', 'LICENSE', 'build/src/cli/main.js']),
    );
    const odd = packed.filter((path) => /\.ts$|^(?:src|test|bench|leases|dist)\/|\.env/.test(path));
    expect(odd).toEqual([]);
  });

  test('says nothing of the machine that packed it', () => {
    const own = join(folder, 'node_modules/leasehold');
    const machine = [resolve('.'), tmpdir()];
    const telling = packed.filter((path) => {
      const text = readFileSync(join(own, path), 'utf8');
      return machine.some((place) => text.includes(`${place}/`));
    });
    expect(telling).toEqual([]);
  });
});

describe('installed from its tarball', () => {
  test('tells its version', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    const { status, out } = await leasehold(['--version']);
    expect([status, out]).toEqual([0, `${version}\n`]);
  });

  test('synthesizes the example to the bytes that are shipped', async () => {
    const root = exampleLeases();
    const { status, err } = await leasehold(['synth', '-C', root, '--today', exampleDay]);
    expect([status, err]).toEqual([0, expect.stringContaining('6 allocated')]);
    expect(unlike(filesBelow('.'), filesBelow(root))).toEqual([]);
  });

  test('checks the example as it is shipped', async () => {
    for (const part of ['leases', 'dist']) cpSync(part, join(folder, part), { recursive: true });
    const { status, err } = await leasehold(['check']);
    expect([status, err]).toEqual([0, expect.stringContaining('all files up to date')]);
  });

  test('needs no other package: all that it uses is in the program', async () => {
    const alone = mkdtempSync(join(tmpdir(), 'leasehold-alone-'));
    onTestFinished(() => rmSync(alone, { recursive: true, force: true }));
    cpSync(join(folder, 'node_modules/leasehold'), alone, { recursive: true });
    expect(existsSync(join(alone, 'node_modules'))).toBe(false);
    const program = join(alone, 'build/src/cli/main.js');
    const root = exampleLeases();
    for (const command of [['synth', '--today', exampleDay], ['check'], ['list'], ['--help']]) {
      const argv = [program, ...command];
      const { status, err } = await runProcess(process.execPath, argv, { cwd: root });
      expect([command, status, err]).toEqual([command, 0, expect.not.stringContaining('bug')]);
    }
    const server = await startServe(program, root);
    await server.ready();
    expect(await server.stop()).toBe(0);
  });

  test('explains a problem of a workspace', async () => {
    const root = exampleLeases();
    writeFileSync(join(root, 'leases/more.yaml'), 'apiVersion: leasehold.dev/v1\nkind: Leese\n');
    const { status, err } = await leasehold(['synth', '-C', root, '--today', exampleDay]);
    expect(status).toBe(1);
    expect(err).toMatch(/^leases\/more\.yaml:2:7 KIND_UNKNOWN [^\n]+$/m);
  });
});
