import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { canOwnNetwork, ownNetworkPool } from './support/cluster/machines/own-network.ts';
import { TestedWith } from './support/cluster/tested-with.ts';
import { memoryFolder, settings } from './support/run/environment.ts';

const setupFiles = ['test/support/run/parts.ts', 'test/support/run/shell-starts.ts'];
const shared = { isolate: false, setupFiles: [...setupFiles, 'test/support/run/cheap-keys.ts'] };

/** Tags of tests in the project `quick`. A file has one for all its tests in a comment, `@module-tag`. */
const tags = [
  {
    name: 'slow',
    description: 'takes more than about 0.35 s; npm test leaves it out, npm run test:more runs it',
    timeout: 900_000,
  },
  {
    name: 'counted',
    description: 'runs as often as its scope says, or a sample; npm run test:more runs it again',
    timeout: 900_000,
  },
];

const testsIn = (...folders: string[]) => folders.map((folder) => `test/${folder}/**/*.test.ts`);

const project = (name: string, testTimeout: number, more = {}) => ({
  test: {
    name,
    root: '.',
    env: settings,
    include: testsIn(name),
    setupFiles,
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
      // npm test and npm run test:more. One process runs many files: each would else load the program's 670 modules anew. A test
      // leaves no state behind in it.
      project('quick', 240_000, {
        include: testsIn('unit', 'property', 'golden', 'cli'),
        ...shared,
        tags,
        env: { ...settings, ...memoryFolder() },
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
