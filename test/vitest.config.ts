import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { canOwnNetwork, ownNetworkPool } from './support/cluster/own-network.ts';
import { TestedWith } from './support/cluster/tested-with.ts';

const project = (name: string, testTimeout: number, more = {}) => ({
  test: {
    ...more,
    name,
    root: '.',
    // No test goes by the settings of the machine or of who runs it.
    env: { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
    include: [`test/${name}/**/*.test.ts`],
    // As many as there are cores: vitest itself would leave one of them to nobody.
    maxWorkers: availableParallelism(),
    testTimeout,
    hookTimeout: testTimeout,
  },
});

/** Clusters wait more than they work: twice as many as cores, each in a network of its own, or one after another. */
function clusterPool() {
  if (!canOwnNetwork()) return { fileParallelism: false, maxWorkers: 1 };
  return { pool: ownNetworkPool, maxWorkers: 2 * availableParallelism() };
}

/** One process runs many files: each would else load the program's 670 modules anew. A test leaves no state behind. */
const shared = { isolate: false };

// CI adds up what ran: TEST_REPORT names the file that the counts go to.
const report = process.env.TEST_REPORT;

export default defineConfig({
  test: {
    // In-process runs of the program read the page's script where it is built.
    globalSetup: 'test/support/page-bundle.ts',
    reporters: [
      'default',
      new TestedWith(),
      ...(report ? [['json', { outputFile: report }] as ['json', { outputFile: string }]] : []),
    ],
    projects: [
      project('unit', 20_000, shared),
      project('property', 240_000, shared),
      project('golden', 60_000, shared),
      project('cli', 120_000, shared),
      // The compiled program as a process of its own.
      project('program', 120_000, { globalSetup: 'test/support/program-once.ts' }),
      // A real browser, which is found on the machine: test/support/browser.ts.
      project('browser', 120_000),
      project('slow', 1_800_000, { globalSetup: 'test/support/program-once.ts' }),
      project('cluster', 900_000, {
        ...clusterPool(),
        sequence: { groupOrder: 1 },
        globalSetup: ['test/support/cluster/prepare.ts', 'test/support/program-once.ts'],
      }),
    ],
  },
});
