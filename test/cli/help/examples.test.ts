import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { describe, expect, test } from 'vitest';
import { commandsOf, examplesOf } from '../../../src/core/cli/help.ts';
import { programFor } from '../../../src/core/cli/run.ts';
import type { Day } from '../../../src/core/model/day.ts';
import { features } from '../../../src/features.ts';
import { botEnvironment } from '../../support/repositories/bot-remote.ts';
import { helpWorkspace } from '../../support/repositories/help-workspace.ts';
import { leasehold } from '../../support/run/init-run.ts';
import { runInProcess } from '../../support/run/run-in-process.ts';
import { tempTree } from '../../support/trees/temp-tree.ts';

const context = {
  out: () => {},
  err: () => {},
  color: false,
  terminal: false,
  today: () => '2026-11-20' as Day,
  env: {},
  cwd: '.',
};

const examples = examplesOf(features);

/** The command lines of all examples. */
const lines = Object.values(examples).flatMap((own) => own.map(([, line]) => line));

/** A cluster, a forge, the DNS, a terminal or standard input is needed, or the command runs until a signal. */
const parsedOnly = new Set([
  'init',
  'import cluster',
  'import cluster --context production',
  'import vitistack',
  'import metallb - --zone edge',
  'bootstrap strict-arp -',
  'sdl fill - \\\n    --owner akash17zp8jh5y4564hxvwg00vemgk5r6pry9j7nkks4',
  'key rotate shop/own --secret-file - --new-secret-file new.secret',
  'serve',
  'serve --branch main --listen 0.0.0.0:8080 --token-file token',
  'reconcile',
  'comment --plan plan.json',
  ...lines.filter((line) => /^(doctor|verify|migrate-plane|export netbox|prove)\b/.test(line)),
]);

/** The examples that end with another status than 0, since the workspace is what it is. */
const otherStatus: Readonly<Record<string, number>> = {
  // Its cluster has no routes.
  'add hostname blog.example.com shop/web 8080': 1,
  "add hostname '*.blog.example.com' shop/web 8080": 1,
  // A Service of the namespace has a key.
  'rename shop store': 1,
  // No commit is signed.
  'verify-history --allowed-signers ../signers': 1,
  'verify-history --allowed-signers ../signers --base origin/main': 1,
};

/** The folder of `init`: package.json names the leasehold to run. */
const packageFile = {
  'package.json': `{"devDependencies": {"leasehold": "git+${leasehold}"}}`,
};

/** The words of an example as a shell makes them. */
function wordsOf(line: string): readonly string[] {
  const words = line.replaceAll('\\\n', ' ').match(/'[^']*'|\S+/g) ?? [];
  return words.map((word) => word.replaceAll("'", ''));
}

/** The commands and subcommands that there are, by their paths, all of them loaded. */
async function allPaths(): Promise<readonly string[]> {
  const paths: string[] = [];
  for (const name of commandsOf(features).keys()) {
    const program = await programFor([], context, features, async () => {});
    program.hook('preAction', () => {});
    await program.parseAsync(['help', name], { from: 'user' }).catch(() => {});
    const command = program.commands.find((candidate) => candidate.name() === name);
    const subs: readonly CommandUnknownOpts[] = command?.commands ?? [];
    paths.push(name, ...subs.map((sub) => `${name} ${sub.name()}`));
  }
  return paths;
}

class Parsed extends Error {}

/** Parses a command line up to the point where its command would run. */
async function parse(words: readonly string[]): Promise<void> {
  const program = await programFor(words, context, features, async () => {});
  program.hook('preAction', () => {
    throw new Parsed();
  });
  await expect(program.parseAsync([...words], { from: 'user' })).rejects.toThrow(Parsed);
}

describe('the examples in the help', () => {
  test('are of every command and subcommand, and of no other', async () => {
    expect(Object.keys(examples).sort()).toEqual([...(await allPaths())].sort());
  });

  test.each(Object.entries(examples))(
    'of %s are shown, and are of it or a part of it',
    async (path, own) => {
      const { status, out } = await runInProcess([...path.split(' '), '--help'], '.');
      expect(status).toBe(0);
      const [, shown = ''] = out.split('\nExamples:\n');
      for (const [purpose, line] of own) {
        expect(shown).toContain(`  # ${purpose}\n  leasehold ${line}\n`);
        expect(line.replace(/^-C \S+ /, '')).toMatch(new RegExp(`^${path}\\b`));
      }
    },
  );

  test('fit a terminal of 80 columns', () => {
    const shown = Object.values(examples).flatMap((own) =>
      own.flatMap(([purpose, line]) => [`  # ${purpose}`, ...`  leasehold ${line}`.split('\n')]),
    );
    expect(shown.filter((line) => line.length > 80)).toEqual([]);
  });

  test.each([...parsedOnly])('is a command line that fits: %s', async (line) => {
    expect(lines).toContain(line);
    await parse(wordsOf(line));
  });

  test.each(lines.filter((line) => !parsedOnly.has(line)))(
    'runs: %s',
    { tags: 'slow' },
    async (line) => {
      const root = line.startsWith('init') ? tempTree(packageFile) : (await helpWorkspace()).root;
      const { status, err } = await runInProcess(wordsOf(line), root, botEnvironment);
      expect([status, err]).toEqual([otherStatus[line] ?? 0, err]);
    },
  );
});
