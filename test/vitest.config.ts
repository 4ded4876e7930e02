import { defineConfig } from 'vitest/config';

const project = (name: string, testTimeout: number) => ({
  test: {
    name,
    root: '.',
    include: [`test/${name}/**/*.test.ts`],
    testTimeout,
    hookTimeout: testTimeout,
  },
});

// CI adds up what ran: TEST_REPORT names the file that the counts go to.
const report = process.env.TEST_REPORT;

export default defineConfig({
  test: {
    reporters: report ? ['default', ['json', { outputFile: report }]] : ['default'],
    projects: [
      project('unit', 20_000),
      project('property', 240_000),
      project('golden', 60_000),
      project('cli', 120_000),
      project('slow', 1_800_000),
      project('cluster', 300_000),
    ],
  },
});
