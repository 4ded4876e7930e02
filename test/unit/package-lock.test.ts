import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** One package of the lock file, under the path that it is installed at. */
interface LockedPackage {
  readonly integrity?: string;
  /** True for one that comes inside another, which has the hash of both. */
  readonly inBundle?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const { '': own, ...packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  .packages as Record<string, LockedPackage>;

test('every package is locked with its hash, those of other platforms too', () => {
  expect(own).toBeDefined();
  const loose = Object.entries(packages).filter(
    ([, { integrity, inBundle }]) => !inBundle && !integrity?.startsWith('sha512-'),
  );
  expect(loose.map(([path]) => path)).toEqual([]);
});

test('packages of one platform only are locked for all platforms', () => {
  const names = new Set(Object.keys(packages).map((path) => path.split('node_modules/').at(-1)));
  const missing = Object.values(packages).flatMap(({ optionalDependencies = {} }) =>
    Object.keys(optionalDependencies).filter((name) => !names.has(name)),
  );
  expect(missing).toEqual([]);
});
