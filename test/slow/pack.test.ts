import { execFileSync } from 'node:child_process';
import { createHash, createPublicKey, verify } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { cosignKey } from '../support/run/cosign.ts';
import { runProcess } from '../support/run/run-process.ts';
import { startServe } from '../support/serve/served-program.ts';
import { exampleLeases } from '../support/trees/example.ts';
import { putFile } from '../support/trees/temp-tree.ts';
import { filesBelow, unlike } from '../support/trees/tree-bytes.ts';

/** The day on which the shipped example was made. */
const exampleDay = '2026-11-20';

const { version, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
const names = {
  tarball: `leasehold-${version}.tgz`,
  sourceMaps: `leasehold-${version}.source-maps.tar.gz`,
  bill: `leasehold-${version}.cdx.json`,
  chart: `leasehold-serve-${version}.tgz`,
};

let folder: string;
let released: string;
let own: string;
let packed: readonly string[];

/** Releases, and installs the tarball without a network in a folder that has nothing else. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'leasehold-pack-'));
  released = join(folder, 'released');
  await release(released);
  packed = execFileSync('tar', ['-tzf', join(released, names.tarball)], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((path) => path.replace(/^package\//, ''));
  writeFileSync(join(folder, 'package.json'), '{ "name": "somewhere", "private": true }\n');
  const install = [
    'install',
    '--offline',
    '--no-audit',
    '--no-fund',
    `./released/${names.tarball}`,
  ];
  // Nothing listens on the port of discard, and the cache is empty.
  const env = {
    npm_config_registry: 'http://127.0.0.1:9',
    npm_config_cache: join(folder, 'cache'),
  };
  const { status, err } = await runProcess('npm', install, { cwd: folder, env });
  expect([status, err]).toEqual([0, expect.not.stringContaining('npm error')]);
  own = join(folder, 'node_modules/leasehold');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function release(
  out: string,
  env: Readonly<Record<string, string>> = {},
  ...options: readonly string[]
): Promise<void> {
  const script = 'umask "$1"; shift; exec "$0" release/release.mjs --out "$@"';
  const argv = ['-c', script, process.execPath, env.UMASK ?? '022', out, ...options];
  const { status, err } = await runProcess('sh', argv, { cwd: '.', env });
  expect([status, err]).toEqual([0, '']);
}

/** The files of a folder as `sha256sum` prints them. */
function digestsIn(of: string, files: readonly string[] = readdirSync(of).sort()): string {
  const digest = (name: string) =>
    createHash('sha256')
      .update(readFileSync(join(of, name)))
      .digest('hex');
  return files.map((name) => `${digest(name)}  ${name}\n`).join('');
}

function leasehold(args: readonly string[]) {
  return runProcess('npx', ['--no-install', 'leasehold', ...args], { cwd: folder });
}

describe('a release', () => {
  test('has the same bytes on each machine and day, and with a key a signature', async () => {
    const temporary = join(folder, 'another place for temporary files');
    mkdirSync(temporary);
    const again = join(folder, 'again');
    const key = join(folder, 'cosign.key');
    writeFileSync(key, cosignKey.text);
    const env = { TMPDIR: temporary, TZ: 'Asia/Tokyo', UMASK: '077' };
    await release(again, { ...env, COSIGN_PASSWORD: cosignKey.password }, '--key', key);
    const files = readdirSync(released).sort();
    expect(readdirSync(again).sort()).toEqual([...files, 'SHA256SUMS.sig'].sort());
    expect(digestsIn(again, files)).toBe(digestsIn(released));
    expect(readdirSync(temporary)).toEqual([]);
    const signature = Buffer.from(readFileSync(join(again, 'SHA256SUMS.sig'), 'utf8'), 'base64');
    const sums = readFileSync(join(again, 'SHA256SUMS'));
    expect(verify('sha256', sums, createPublicKey(cosignKey.publicText), signature)).toBe(true);
  });

  test('is not made with a key that does not open', async () => {
    const key = join(folder, 'unopened.key');
    writeFileSync(key, cosignKey.text);
    const argv = ['release/release.mjs', '--out', join(folder, 'unsigned'), '--key', key];
    const { status, err } = await runProcess(process.execPath, argv, {
      cwd: '.',
      env: { COSIGN_PASSWORD: 'another' },
    });
    const message = `the key ${key} cannot be opened with COSIGN_PASSWORD: the password is wrong`;
    expect([status, err]).toEqual([64, `release: ${message}\n`]);
    expect(existsSync(join(folder, 'unsigned'))).toBe(false);
  });

  test('has five files, with the digests of four', () => {
    const four = Object.values(names).sort();
    expect(readdirSync(released).sort()).toEqual(['SHA256SUMS', ...four]);
    expect(readFileSync(join(released, 'SHA256SUMS'), 'utf8')).toBe(digestsIn(released, four));
  });

  test('has the chart of this repository, in a folder of its name', () => {
    const unpacked = join(folder, 'charts');
    mkdirSync(unpacked);
    execFileSync('tar', ['-xzf', join(released, names.chart), '-C', unpacked]);
    const chart = filesBelow('charts', ['leasehold-serve']);
    expect(readdirSync(unpacked)).toEqual(['leasehold-serve']);
    expect(unlike(chart, filesBelow(unpacked, ['leasehold-serve']))).toEqual([]);
  });

  test('is not made over files that are there', async () => {
    const argv = ['release/release.mjs', '--out', released];
    const before = digestsIn(released);
    const { status, err } = await runProcess(process.execPath, argv, { cwd: '.' });
    expect([status, err]).toEqual([64, `release: the folder ${released} is not empty\n`]);
    expect(digestsIn(released)).toBe(before);
  });

  test('names and licenses the packages that are in the program', () => {
    const bill = JSON.parse(readFileSync(join(released, names.bill), 'utf8'));
    expect(bill).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { version } } });
    const components: readonly string[] = bill.components.map(
      ({ 'bom-ref': id }: { 'bom-ref': string }) => id,
    );
    expect(components).toEqual([...new Set(components)]);
    expect(components).toEqual(expect.arrayContaining([expect.stringMatching(/^zod@/)]));
    const licences = readFileSync(join(own, 'THIRD-PARTY-LICENSES.txt'), 'utf8');
    const licensed = [...licences.matchAll(/^-{80}\n\n(\S+@\S+): [\w.-]+$/gm)].map(([, id]) => id);
    expect(licensed).toEqual(components);
    expect(Object.keys(devDependencies).filter((name) => licensed.includes(name))).toEqual([]);
  });

  test('has source maps that lead to the sources of this repository', () => {
    const maps = join(folder, 'maps');
    mkdirSync(maps);
    execFileSync('tar', ['-xzf', join(released, names.sourceMaps), '-C', maps]);
    const linked = packed.filter(
      (path) =>
        /\.c?js$/.test(path) &&
        readFileSync(join(own, path), 'utf8').includes('//# sourceMappingURL='),
    );
    expect(linked).toEqual(expect.arrayContaining(['build/src/cli/main.js', 'build/src/main.js']));
    expect(linked.filter((path) => !existsSync(join(maps, `${path}.map`)))).toEqual([]);
    const { sources } = JSON.parse(readFileSync(join(maps, 'build/src/cli/main.js.map'), 'utf8'));
    expect(sources.map((source: string) => resolve('build/src/cli', source))).toEqual([
      resolve('src/program.ts'),
    ]);
  });
});

describe('the package', () => {
  test('contains the built program, and no sources or tests', () => {
    const whole = ['LICENSE', 'README.md', 'THIRD-PARTY-LICENSES.txt', 'build/page/page.js'];
    expect(packed).toEqual(
      expect.arrayContaining(['package.json', 'build/src/cli/main.js', ...whole]),
    );
    const expected =
      /^(?:build\/|charts\/|docs\/|imports\/crds\/|(?:CHANGELOG|README)\.md$|(?:LICENSE|THIRD-PARTY-LICENSES\.txt|package\.json)$)/;
    expect(packed.filter((path) => !expected.test(path))).toEqual([]);
    expect(packed.filter((path) => /\.(?:ts|mts|mjs|map)$|\.env/.test(path))).toEqual([]);
  });

  test('is small, and installs nothing else', () => {
    expect(statSync(join(released, names.tarball)).size).toBeLessThan(2_500_000);
    // The bundler makes a part for each set of commands that share code, so the count follows the commands.
    expect(packed.length).toBeLessThan(400);
    const others = readdirSync(join(folder, 'node_modules')).filter(
      (name) => !name.startsWith('.'),
    );
    expect(others).toEqual(['leasehold']);
    const manifest = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8'));
    expect(manifest.peerDependenciesMeta).toEqual({
      cdk8s: { optional: true },
      constructs: { optional: true },
    });
    for (const field of ['dependencies', 'devDependencies', 'scripts']) {
      expect(manifest).not.toHaveProperty(field);
    }
  });

  test('says nothing of the machine that packed it', () => {
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
    const { status, out } = await leasehold(['--version']);
    expect([status, out]).toEqual([0, `${version}\n`]);
  });

  test('synthesizes the example to the bytes that are shipped', async () => {
    const root = exampleLeases();
    const { status, out } = await leasehold(['synth', '-C', root, '--today', exampleDay]);
    expect([status, out]).toEqual([0, expect.stringContaining('6 allocated')]);
    expect(unlike(filesBelow('.'), filesBelow(root))).toEqual([]);
  });

  test('checks the example as it is shipped', async () => {
    for (const part of ['leases', 'dist']) cpSync(part, join(folder, part), { recursive: true });
    const { status, out } = await leasehold(['check']);
    expect([status, out]).toEqual([0, expect.stringContaining('all files up to date')]);
  });

  test('runs by itself: all that it uses is in the program', async () => {
    const alone = mkdtempSync(join(tmpdir(), 'leasehold-alone-'));
    onTestFinished(() => rmSync(alone, { recursive: true, force: true }));
    cpSync(own, alone, { recursive: true });
    const program = join(alone, 'build/src/cli/main.js');
    const root = exampleLeases();
    const page = join(alone, 'page.html');
    const commands = [
      ['synth', '--today', exampleDay],
      ...[['check'], ['list'], ['--help'], ['report', '--out', page]],
      [
        'init',
        '--yes',
        '--for',
        'platform',
        '--pool',
        'a=203.0.113.0/29',
        '-C',
        join(alone, 'new'),
        '--forge',
        'github',
        '--leasehold',
        'https://github.com/acme/leasehold.git#v0.1.0',
      ],
    ];
    mkdirSync(join(alone, 'new'));
    for (const command of commands) {
      const argv = [program, ...command];
      const { status, err } = await runProcess(process.execPath, argv, { cwd: root });
      expect([command, status, err]).toEqual([command, 0, expect.not.stringContaining('bug')]);
    }
    expect(readFileSync(page, 'utf8')).toContain('<script');
    const server = await startServe(program, root);
    await server.ready();
    expect(await server.stop()).toBe(0);
  });

  test('is a cdk8s app, and gives the apps of others its constructs on their cdk8s', async () => {
    const root = exampleLeases();
    const app = join(own, 'build/src/main.js');
    const env = { LEASEHOLD_TODAY: exampleDay };
    expect(await runProcess(process.execPath, [app], { cwd: root, env })).toMatchObject({
      status: 0,
    });
    expect(unlike(filesBelow('.'), filesBelow(root))).toEqual([]);

    for (const name of ['cdk8s', 'constructs']) {
      symlinkSync(resolve('node_modules', name), join(folder, 'node_modules', name));
      onTestFinished(() => rmSync(join(folder, 'node_modules', name)));
    }
    const [holder] = JSON.parse((await leasehold(['list', '-o', 'json', '-C', root])).out).items;
    putFile(
      folder,
      'app.cjs',
      `const { App, Chart } = require('cdk8s');
const { LeasedAddress } = require('leasehold/cdk8s');
const chart = new Chart(new App(), 'chart');
const { addresses } = new LeasedAddress(chart, 'address', ${JSON.stringify({ repository: root, holder: holder.holder })});
console.log(addresses.join());
`,
    );
    const { status, out, err } = await runProcess(process.execPath, ['app.cjs'], { cwd: folder });
    expect([status, err, out]).toEqual([0, '', `${holder.addresses.join()}\n`]);
  });

  test('explains a problem of a workspace', async () => {
    const root = exampleLeases();
    writeFileSync(join(root, 'leases/more.yaml'), 'apiVersion: leasehold.dev/v1\nkind: Leese\n');
    const { status, out } = await leasehold(['synth', '-C', root, '--today', exampleDay]);
    expect(status).toBe(1);
    expect(out).toMatch(/^\S*leases\/more\.yaml:2:7 KIND_UNKNOWN [^\n]+$/m);
  });
});
