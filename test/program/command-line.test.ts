import { copyFileSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BuiltProgram, buildProgram } from '../support/run/built-program.ts';
import { runInProcess } from '../support/run/run-in-process.ts';
import { type Finished, runProcess } from '../support/run/run-process.ts';
import { example, exampleLeases } from '../support/trees/example.ts';
import { fileStates } from '../support/trees/file-states.ts';
import { tempTree } from '../support/trees/temp-tree.ts';

let program: BuiltProgram;

beforeAll(() => {
  program = buildProgram();
});
afterAll(() => program.remove());

function leasehold(
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Finished> {
  return runProcess(process.execPath, [program.cli, ...args], { cwd, env });
}

describe('the bin', () => {
  test.each([
    ['the help', ['--help'], 0],
    ['the help without a command', [], 64],
    ['a command that is none', ['frobnicate'], 64],
    ['a folder that is not there', ['synth', '-C', 'absent'], 74],
    ['a folder without leases', ['synth', '-C', 'leases/dune'], 1],
    ['a list', ['list', '--today', '2026-11-20', '-o', 'json'], 0],
  ] as const)(
    'prints %s as a run in this process does, and ends with its status',
    async (_, argv, status) => {
      const root = example();
      const finished = await leasehold(argv, root);
      expect(finished).toEqual(await runInProcess(argv, root));
      expect(finished.status).toBe(status);
    },
  );

  test('the version is that of the package', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(await leasehold(['--version'], '.')).toEqual({
      status: 0,
      out: `${version}\n`,
      err: '',
    });
  });
});

describe('without the parts of the commands', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'leasehold-parts-'));
    cpSync(program.build, join(folder, 'build'), { recursive: true });
    copyFileSync('package.json', join(folder, 'package.json'));
    const parts = join(folder, 'build/src/parts');
    const ofCommands = readdirSync(parts).filter((name) => /-(commands?|queries)\.js$/.test(name));
    expect(ofCommands.length).toBeGreaterThan(10);
    for (const name of ofCommands) rmSync(join(parts, name));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test.each(['--version', '--help', 'completion bash', 'complete -- ver'])(
    'leasehold %s prints the same',
    async (line) => {
      const words = line.split(' ');
      const cli = join(folder, 'build/src/cli/main.js');
      const finished = await runProcess(process.execPath, [cli, ...words], { cwd: folder });
      expect(finished.status).toBe(0);
      expect(finished.out).toBe((await leasehold(words, folder)).out.replaceAll(program.cli, cli));
    },
  );
});

describe('packages that take time to load', () => {
  /** The names of the parts that a run loads, of those that contain a package. */
  async function partsWith(name: string, line: string): Promise<readonly string[]> {
    const coverage = mkdtempSync(join(tmpdir(), 'leasehold-loaded-'));
    const run = leasehold(line.split(' '), example(), { NODE_V8_COVERAGE: coverage });
    expect(await run).toMatchObject({ status: 0 });
    const urls = readdirSync(coverage).flatMap((name): readonly string[] =>
      JSON.parse(readFileSync(join(coverage, name), 'utf8')).result.map(
        ({ url }: { url: string }) => url,
      ),
    );
    rmSync(coverage, { recursive: true });
    expect(urls).toContain(pathToFileURL(program.cli).href);
    return [...new Set(urls)].filter(
      (url) =>
        url.startsWith('file:') &&
        readFileSync(new URL(url), 'utf8').includes(`node_modules/${name}`),
    );
  }

  test.each(['check', 'list', 'who 203.0.113.29', 'pools', 'capacity', 'explain STALE'])(
    'cdk8s is not loaded for leasehold %s',
    async (line) => expect(await partsWith('cdk8s', line)).toEqual([]),
  );

  test('cdk8s is in the app of cdk8s synth', () => {
    const app = readFileSync(join(program.build, 'src/main.js'), 'utf8');
    expect(app).toContain('node_modules/cdk8s');
  });

  test.each(['--version', 'help', 'explain STALE'])(
    'zod and yaml are not loaded for leasehold %s',
    async (line) => {
      expect(await partsWith('zod', line)).toEqual([]);
      expect(await partsWith('yaml', line)).toEqual([]);
    },
  );

  test('zod and yaml are loaded for what reads declarations', async () => {
    expect(await partsWith('zod', 'check')).not.toEqual([]);
    expect(await partsWith('yaml', 'check')).not.toEqual([]);
  });
});

describe('LEASEHOLD_TODAY', () => {
  const recorded = (root: string): string[] =>
    Object.keys(fileStates(root))
      .filter((path) => /^leases\/allocations\/.*\.yaml$/.test(path))
      .flatMap((path) => /^since: (.*)$/m.exec(readFileSync(join(root, path), 'utf8'))?.[1] ?? []);

  test('is today', async () => {
    const root = exampleLeases();
    await leasehold(['synth'], root, { LEASEHOLD_TODAY: '2026-05-07' });
    expect(new Set(recorded(root))).toEqual(new Set(['2026-05-07']));
  });

  test('counts less than --today', async () => {
    const root = exampleLeases();
    const env = { LEASEHOLD_TODAY: '2026-05-07' };
    await leasehold(['synth', '--today', '2026-05-06'], root, env);
    expect(new Set(recorded(root))).toEqual(new Set(['2026-05-06']));
  });

  test('is refused for an invalid day', async () => {
    const { status, err } = await leasehold(['synth'], example(), { LEASEHOLD_TODAY: 'soon' });
    expect(status).toBe(64);
    expect(err).toContain('LEASEHOLD_TODAY');
  });
});

describe('the folder', () => {
  test('is that of -C, relative to the current one', async () => {
    const root = example();
    const folder = relative(process.cwd(), root);
    const { status, out } = await leasehold(['check', '-C', folder], process.cwd());
    expect([status, out]).toEqual([0, expect.stringContaining('all files up to date')]);
  });
});

describe('colours', () => {
  test.each([{}, { NO_COLOR: '1' }, { FORCE_COLOR: '1', NO_COLOR: '1' }])(
    'are not for a pipe: %j',
    async (env) => {
      const root = exampleLeases();
      const synth = await leasehold(['synth', '--today', '2026-11-20'], root, env);
      const bad = await leasehold(['check', '-C', tempTree()], root, env);
      expect(synth.out).toContain('allocated');
      expect(bad.out).toContain('FILE_MISSING');
      expect(synth.out + synth.err + bad.out + bad.err).not.toContain('\u001b');
    },
  );
});
