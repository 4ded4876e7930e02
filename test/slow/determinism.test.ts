import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { changingWorkspace } from '../support/repositories/changing-workspace.ts';
import { addCdk8s, type BuiltProgram, buildProgram } from '../support/run/built-program.ts';
import { oraclePackages } from '../support/run/oracle-packages.ts';
import { runProcess } from '../support/run/run-process.ts';
import { inScope } from '../support/run/scope.ts';
import { type Seeded, seeded } from '../support/run/seeded.ts';
import { tempTree } from '../support/trees/temp-tree.ts';
import { type FileTexts, filesBelow, unlike } from '../support/trees/tree-bytes.ts';

/** Surroundings of a run that must not show in what it writes. */
interface Surroundings {
  readonly name: string;
  readonly entry: 'leasehold' | 'cdk8s';
  readonly env?: Readonly<Record<string, string>>;
  readonly isNode24?: boolean;
  readonly folder?: string;
  /** Left to a full run: other surroundings have all of it. */
  readonly isApart?: boolean;
}

const turkey = { LC_ALL: 'tr_TR.UTF-8', LANG: 'tr_TR.UTF-8', TZ: 'Pacific/Kiritimati' };
const cdk8sSettings = { CDK8S_DISABLE_SORT: '1', CDK8S_LEGACY_HASH: '1' };

const folder = 'İ/un autre dossier';
const all: readonly Surroundings[] = [
  { name: 'plainly', entry: 'leasehold', isApart: true },
  { name: 'a second time, in another folder', entry: 'leasehold', folder, isApart: true },
  { name: 'in Turkish, on Kiritimati', entry: 'leasehold', env: turkey, isApart: true },
  { name: 'with the settings of cdk8s', entry: 'leasehold', env: cdk8sSettings, isApart: true },
  {
    name: 'in another folder, in Turkish, on Kiritimati, with the settings of cdk8s',
    entry: 'leasehold',
    env: { ...turkey, ...cdk8sSettings },
    folder,
  },
  { name: 'under Node 24', entry: 'leasehold', isNode24: true },
  { name: 'by cdk8s', entry: 'cdk8s', isApart: true },
  {
    name: 'by cdk8s with all of it',
    entry: 'cdk8s',
    isNode24: true,
    env: { ...turkey, ...cdk8sSettings },
    folder: 'ı',
  },
];
const surroundings = inScope(all, ({ isApart }) => isApart !== true);

const node24 = oraclePackages()?.node24;
let program: BuiltProgram;

beforeAll(() => {
  program = buildProgram();
  return () => program.remove();
});

describe('the shipped example', () => {
  const committed = filesBelow('.');
  const declarations = new Map(
    [...filesBelow('.', ['leases'])].filter(([path]) => !committed.has(path)),
  );
  const since = /^since: (.*)$/m.exec([...committed.values()].join('\n'))?.[1] ?? '';

  it('is there', () => {
    expect(committed.size).toBeGreaterThan(15);
    expect(declarations.size).toBeGreaterThan(5);
  });

  it.for(surroundings)('comes out as committed $name', async (around, { skip }) => {
    if (around.isNode24 && node24 === undefined) skip();
    const root = folderOf(around);
    const random = seeded(around.name.length);
    writeInOrder(root, random.shuffled(declarations));
    await run(root, around, since);
    expect(unlike(committed, filesBelow(root))).toEqual([]);
  });

  it.for(surroundings)(
    'stays as committed when it is synthesized later $name',
    async (around, { skip }) => {
      if (around.isNode24 && node24 === undefined) skip();
      const root = folderOf(around);
      writeInOrder(root, seeded(around.name.length).shuffled([...declarations, ...committed]));
      await run(root, around, '2031-12-31');
      expect(unlike(committed, filesBelow(root))).toEqual([]);
    },
  );
});

describe('a random repository of 300 leases with released addresses', () => {
  const stages = changingWorkspace(2026);
  let first: Promise<readonly FileTexts[]> | undefined;

  /** What the first run of all wrote on each day. */
  function expected(): Promise<readonly FileTexts[]> {
    first ??= liveThrough({ name: 'first', entry: 'leasehold' }, seeded(0));
    return first;
  }

  it('contains values that YAML can write in more than one way', async () => {
    const texts = (await expected()).map((files) => [...files.values()].join(''));
    const released = texts.map((text) => text.match(/^released:/gm)?.length ?? 0);
    expect(texts[0]?.match(/^kind: Allocation$/gm)?.length).toBeGreaterThan(300);
    expect(texts[0]).toContain('loadBalancerIPs:');
    expect(released[0]).toBe(0);
    expect(released[1]).toBeGreaterThan(15);
    expect(released[2]).toBeGreaterThan(3);
    expect(texts[2]).toContain('since: 2026-01-20');
    expect(texts[2]).toContain('since: 2026-01-02');
  });

  it.for(surroundings)('is written with the same bytes $name', async (around, { skip }) => {
    if (around.isNode24 && node24 === undefined) skip();
    const written = await liveThrough(around, seeded(around.name.length));
    for (const [index, files] of written.entries()) {
      expect(unlike((await expected())[index] ?? new Map(), files)).toEqual([]);
    }
  });

  it('is written with other bytes on another day', async () => {
    const root = tempTree();
    writeInOrder(root, [...(stages[0]?.declarations ?? [])]);
    await run(root, { name: 'late', entry: 'leasehold' }, '2026-02-01');
    expect(unlike((await expected())[0] ?? new Map(), filesBelow(root)).length).toBeGreaterThan(
      300,
    );
  });

  async function liveThrough(around: Surroundings, random: Seeded): Promise<FileTexts[]> {
    const root = folderOf(around);
    const written: FileTexts[] = [];
    let before: FileTexts = new Map();
    for (const { today, declarations } of stages) {
      for (const path of before.keys()) rmSync(join(root, path));
      writeInOrder(root, random.shuffled(declarations));
      await run(root, around, today);
      written.push(filesBelow(root));
      before = declarations;
    }
    return written;
  }
});

function folderOf({ folder = '.' }: Surroundings): string {
  const root = join(tempTree(), folder);
  mkdirSync(root, { recursive: true });
  return root;
}

function writeInOrder(root: string, files: Iterable<readonly [string, string]>): void {
  for (const [path, text] of files) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

async function run(root: string, around: Surroundings, today: string): Promise<void> {
  const node = around.isNode24 && node24 !== undefined ? node24 : process.execPath;
  const path = `${dirname(node)}${delimiter}${process.env.PATH ?? ''}`;
  const env = {
    ...around.env,
    PATH: path,
    LEASEHOLD_TODAY: today,
    LEASEHOLD_ALLOW_DATE_AHEAD: '1',
  };
  const isCdk8s = around.entry === 'cdk8s';
  if (isCdk8s) addCdk8s(root, program.build);
  const args = isCdk8s ? [program.cdk8s, 'synth', '--check-upgrade=false'] : [program.cli, 'synth'];
  const { status, out, err } = await runProcess(node, args, { cwd: root, env });
  expect(status, `${out}${err}`).toBe(0);
}
