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

export default defineConfig({
  test: {
    projects: [
      project('unit', 20_000),
      project('property', 240_000),
      project('golden', 60_000),
      project('cli', 120_000),
      project('slow', 1_800_000),
    ],
  },
});
