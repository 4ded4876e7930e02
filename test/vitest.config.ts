import { statfsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { canOwnNetwork, ownNetworkPool } from './support/cluster/machines/own-network.ts';
import { TestedWith } from './support/cluster/tested-with.ts';

/** No test goes by the settings of the machine or of who runs it. Git copies no sample hooks, and tidies nothing up. */
const gitSettings = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_TEMPLATE_DIR: '',
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: 'maintenance.auto',
  GIT_CONFIG_VALUE_0: 'false',
};

const shared = { isolate: false, setupFiles: 'test/support/run/cheap-keys.ts' };

/** The folder of temporary files in memory, where a machine has one: nearly all tests write and sync small files. */
function memoryFolder(): Record<string, string> {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm');
    return bavail * bsize >= 2 ** 30 ? { TMPDIR: '/dev/shm' } : {};
  } catch {
    return {};
  }
}

/** What goes by its scope: a quick run has a tenth of it, or a sample. */
const counted = ['test/property/**/*.test.ts', 'test/golden/{bad,every-text,plan/changes}.test.ts'];

/** The longest tests in this process: servers, threads, races, many branches. They run with the slow suites. */
const long = [
  'test/cli/ask/{capacity-branches,capacity-hostile,verify-history-policy}.test.ts',
  'test/cli/{bots/publish,serve/hostile-requests,synth/vitistack-life}.test.ts',
  'test/property/lives.test.ts',
  'test/unit/world/work-thread.test.ts',
  'test/unit/world/disk/lock-race.test.ts',
  'test/unit/features/bots/reconcile.test.ts',
];

const testsIn = (...folders: string[]) => folders.map((folder) => `test/${folder}/**/*.test.ts`);

const project = (name: string, testTimeout: number, more = {}) => ({
  test: {
    name,
    root: '.',
    env: gitSettings,
    include: testsIn(name),
    // As many as there are cores: vitest itself would leave one of them to nobody.
    maxWorkers: availableParallelism(),
    testTimeout,
    hookTimeout: testTimeout,
    ...more,
  },
});

/** Clusters wait more than they work: twice as many as cores, each in a network of its own, or one after another. */
function clusterPool() {
  if (!canOwnNetwork()) return { fileParallelism: false, maxWorkers: 1 };
  return { pool: ownNetworkPool, maxWorkers: 2 * availableParallelism() };
}

// CI adds up what ran: TEST_REPORT names the file that the counts go to.
const report = process.env.TEST_REPORT;

export default defineConfig({
  test: {
    // In-process runs of the program read the page's script where it is built.
    globalSetup: 'test/support/page/page-bundle.ts',
    reporters: [
      'default',
      new TestedWith(),
      ...(report ? [['json', { outputFile: report }] as ['json', { outputFile: string }]] : []),
    ],
    projects: [
      // npm test. One process runs many files: each would else load the program's 670 modules anew. A test
      // leaves no state behind in it.
      project('quick', 240_000, {
        include: testsIn('unit', 'property', 'golden', 'cli'),
        exclude: long,
        ...shared,
        env: { ...gitSettings, ...memoryFolder() },
      }),
      project('counted', 900_000, {
        include: [...counted, ...long],
        ...shared,
        env: { ...gitSettings, ...memoryFolder() },
      }),
      // The compiled program as a process of its own.
      project('program', 120_000, { globalSetup: 'test/support/run/program-once.ts' }),
      // A real browser, which is found on the machine: test/browser/opening.ts.
      project('browser', 120_000),
      project('slow', 1_800_000, { globalSetup: 'test/support/run/program-once.ts' }),
      project('cluster', 900_000, {
        ...clusterPool(),
        sequence: { groupOrder: 1 },
        globalSetup: [
          'test/support/cluster/programs/prepare.ts',
          'test/support/run/program-once.ts',
        ],
      }),
    ],
  },
});
