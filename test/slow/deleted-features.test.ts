import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Feature } from '../../src/core/cli/feature.ts';
import { features } from '../../src/features.ts';
import { inScope } from '../support/run/scope.ts';

/*
 * A feature can be deleted: its folder and its line in src/features.ts. What is left compiles, is bundled, and makes of the
 * shipped example the same bytes; the commands of the feature are then unknown, and its files are refused.
 */

/** What a feature adds to the files of `leases/`. */
interface Use {
  readonly feature: string;
  readonly path: string;
  readonly text: string;
  /** The code with which it is refused without the feature. */
  readonly code: string;
}

const uses: readonly Use[] = parse(readFileSync('test/golden/gone.yaml', 'utf8'));

/** A copy of the sources without some features. */
class Copy {
  readonly folder = mkdtempSync(join(tmpdir(), 'leasehold-without-'));

  constructor(without: readonly Feature[]) {
    for (const part of ['src', 'imports', 'package.json', 'tsconfig.json'])
      cpSync(part, join(this.folder, part), { recursive: true });
    symlinkSync(resolve('node_modules'), join(this.folder, 'node_modules'));
    for (const { name } of without) {
      rmSync(join(this.folder, 'src/features', name), { recursive: true });
      this.edit('src/features.ts', (text) => withoutLine(text, name));
    }
  }

  edit(path: string, change: (text: string) => string): void {
    const file = join(this.folder, path);
    writeFileSync(file, change(readFileSync(file, 'utf8')));
  }

  /** What the compiler says of the sources; empty when it has nothing to say. */
  compiled(): string {
    const exclude = ['src/features/page/browser'];
    const project = { extends: './tsconfig.json', include: ['src', 'imports'], exclude };
    writeFileSync(join(this.folder, 'tsconfig.src.json'), JSON.stringify(project));
    const tsc = join('node_modules', '.bin', 'tsc');
    const options = { cwd: this.folder, encoding: 'utf8' } as const;
    return spawnSync(tsc, ['-p', 'tsconfig.src.json', '--noEmit'], options).stdout;
  }

  bundle(): void {
    execFileSync(process.execPath, ['src/bundle.mjs'], { cwd: this.folder });
  }

  /** Runs the bundled program in a folder. */
  run(cwd: string, ...args: readonly string[]) {
    const cli = join(this.folder, 'build/src/cli/main.js');
    return spawnSync(process.execPath, [cli, ...args], { cwd, encoding: 'utf8' });
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** The list without a feature: its import, and its name among the others. */
function withoutLine(text: string, name: string): string {
  const line = new RegExp(
    `^import \\{ (\\w+) \\} from '\\./features/${name}/feature\\.ts';\n`,
    'm',
  );
  const [imported = '', constant = ''] = line.exec(text) ?? [];
  expect(imported).not.toBe('');
  return text.replace(imported, '').replace(new RegExp(`^  ${constant},\n`, 'm'), '');
}

/** A feature with those that cannot be without it. */
function removedWith({ name }: Feature): readonly Feature[] {
  return features.filter((other) => other.name === name || other.needs?.includes(name));
}

/** A copy of the declarations of the shipped example. */
function exampleFolder(): string {
  const root = mkdtempSync(join(tmpdir(), 'leasehold-example-'));
  cpSync('leases', join(root, 'leases'), { recursive: true });
  return root;
}

/** The files of the example after a run of synth that makes dist/ anew, by path. */
function synthesized(copy: Copy): ReadonlyMap<string, string> {
  const root = exampleFolder();
  try {
    const { status, stderr } = copy.run(root, 'synth', '--today', '2026-11-20');
    expect([status, stderr]).toEqual([0, expect.any(String)]);
    return filesOf(root);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function filesOf(root: string): ReadonlyMap<string, string> {
  const paths = ['leases', 'dist'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true, encoding: 'utf8' })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  return new Map(
    paths.sort().map((path) => [path.slice(root.length), readFileSync(path, 'utf8')] as const),
  );
}

test('the list has a line for each folder', () => {
  const folders = readdirSync('src/features', { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  expect(features.map(({ name }) => name).sort()).toEqual(folders.sort());
});

test('each feature with a file of leases/ has a use of it', async () => {
  const having = await Promise.all(
    features.map(async ({ name, part }) => ((await part?.())?.leaseFiles ? [name] : [])),
  );
  expect([...new Set(uses.map(({ feature }) => feature))].sort()).toEqual(having.flat().sort());
});

const removals: readonly (readonly [name: string, without: readonly Feature[]])[] = [
  ['all features', features],
  ...features.map((feature) => [feature.name, removedWith(feature)] as const),
];

describe.each(inScope(removals, ([name]) => name === 'all features'))(
  'without %s',
  (_, without) => {
    let copy: Copy;
    beforeAll(() => {
      copy = new Copy(without);
    });
    afterAll(() => copy?.remove());

    test('the rest compiles, and makes the same bytes of the shipped example', () => {
      expect(copy.compiled()).toBe('');
      copy.bundle();
      expect(synthesized(copy)).toEqual(filesOf(resolve('.')));
    });

    test('its commands are unknown, and the help has the others', () => {
      const gone = without.flatMap(({ commands }) => Object.keys(commands ?? {}));
      const { stdout } = copy.run(tmpdir(), 'help');
      for (const name of gone) {
        expect(stdout).not.toMatch(new RegExp(`^  ${name} `, 'm'));
        expect([name, copy.run(tmpdir(), name).status]).toEqual([name, 64]);
      }
      expect(stdout).toMatch(/^ {2}synth /m);
    });

    test('its files are refused', () => {
      const gone = uses.filter(({ feature }) => without.some(({ name }) => name === feature));
      for (const { path, text, code } of gone) {
        const root = exampleFolder();
        writeFileSync(join(root, path), text);
        const { status, stdout } = copy.run(root, 'check');
        expect([status, stdout]).toEqual([1, expect.stringContaining(`${path}:`)]);
        expect(stdout).toContain(code);
        rmSync(root, { recursive: true });
      }
    });
  },
);

describe('a feature that is woven in', () => {
  /** What could tie a file of core to the feature `keys`. */
  const cheats: readonly (readonly [what: string, path: string, line: string])[] = [
    [
      'a type',
      'src/core/run/synth/synth.ts',
      "export type Woven = import('../../../features/keys/key-answer.ts').KeyUsage;\n",
    ],
    ['a value', 'src/core/run/synth/check.ts', "import '../../../features/keys/feature.ts';\n"],
    [
      'a module that is loaded later',
      'src/features/ask/feature.ts',
      "export const woven = () => import('../keys/feature.ts');\n",
    ],
  ];

  test.each(cheats)('is found by %s', (_, path, line) => {
    const copy = new Copy(features.filter(({ name }) => name === 'keys'));
    try {
      copy.edit(path, (text) => `${line}${text}`);
      expect(copy.compiled()).toMatch(/error TS(?:2307|2882): Cannot find module /);
    } finally {
      copy.remove();
    }
  });
});
