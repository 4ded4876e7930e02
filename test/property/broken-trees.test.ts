// @module-tag counted

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Day } from '../../src/core/model/day.ts';
import type { Outcome } from '../../src/core/model/problem.ts';
import { check } from '../../src/core/run/synth/check.ts';
import { planRun } from '../../src/core/run/synth/planned-run.ts';
import type { InputFile } from '../../src/core/text/yaml/template-hints.ts';
import { changedTree } from '../../src/core/tree/changed-tree.ts';
import { readClusterObjects } from '../../src/features/import/cluster/cluster-source.ts';
import { importPools } from '../../src/features/import/import-pools.ts';
import type { Imported } from '../../src/features/import/imported.ts';
import { documentsOf, readMetalLB } from '../../src/features/import/metallb/metallb-source.ts';
import { readNetBox } from '../../src/features/import/netbox/netbox-source.ts';
import { readKubespray } from '../../src/features/import/sources/kubespray-source.ts';
import { readVitistack } from '../../src/features/import/sources/vitistack-source.ts';
import type { PoolSource } from '../../src/features/import/sources.ts';
import { readWorkspaceSnapshot } from '../../src/lib/list/workspace-snapshot.ts';
import { brokenDocuments, brokenFiles } from '../support/declarations/broken-documents.ts';
import { soundDocuments as sound } from '../support/declarations/valid-documents.ts';
import { everything } from '../support/imports/netbox-export.ts';
import { repeats, runs } from '../support/run/scope.ts';
import { noHistory, treeOf } from '../support/trees/memory-tree.ts';

const cases = resolve(import.meta.dirname, '../golden/cases');
const today = '2026-11-20' as Day;

/*
 * Whatever stands in one file of a tree, or in what is imported, a whole run over it ends in a value or in problems: what a
 * reader takes, everything behind it takes too.
 */
type Files = Readonly<Record<string, string>>;

/** What stands in a golden case after its run: declarations, records and manifests. */
function filesOf(name: string): Files {
  const read = (folder: string): readonly (readonly [string, string])[] =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter(
        (path) => /^(?:leases|dist)\/.*\.yaml$/.test(path) && statSync(join(folder, path)).isFile(),
      )
      .map((path) => [path, readFileSync(join(folder, path), 'utf8')]);
  return Object.fromEntries([...read(join(cases, name, 'in')), ...read(join(cases, name, 'out'))]);
}

/** A tree that was sound, and the one file of it that is not. */
interface Broken {
  readonly files: Files;
  readonly path: string;
}

const brokenTree = brokenFiles(
  readdirSync(cases)
    .sort()
    .map(filesOf)
    .flatMap((files) =>
      Object.entries(files).map(([path, text]): [Broken, string] => [{ files, path }, text]),
    ),
);

describe('a tree of which one file is anything', () => {
  test(
    'is run over, checked and asked without an exception',
    async () => {
      let taken = 0;
      await fc.assert(
        fc.asyncProperty(brokenTree, async ([{ files, path }, bytes]) => {
          const tree = treeOf({ ...files, [path]: bytes });
          for (const outcome of [
            await planRun(tree, noHistory, today),
            await check(tree, noHistory),
            await readWorkspaceSnapshot(tree, noHistory),
          ]) {
            if (outcome.ok) taken += 1;
            else expect(outcome.problems).not.toEqual([]);
          }
        }),
        { seed: 80, numRuns: repeats(runs(300), 20_000) },
      );
      expect(taken).toBeGreaterThan(0);
    },
    30 * 60_000,
  );
});

const file = (bytes: Uint8Array): InputFile => ({ name: 'live.yaml', bytes });

interface Source {
  readonly texts: fc.Arbitrary<Uint8Array>;
  readonly read: (bytes: Uint8Array) => Outcome<Imported>;
}

const sources: Readonly<Record<PoolSource, Source>> = {
  metallb: { texts: brokenDocuments(sound.metallb), read: (bytes) => readMetalLB([file(bytes)]) },
  cluster: {
    texts: brokenDocuments(sound.cluster),
    read: (bytes) => readClusterObjects([documentsOf(file(bytes))]),
  },
  vitistack: {
    texts: brokenDocuments(sound.vitistack),
    read: (bytes) => readVitistack([documentsOf(file(bytes))]),
  },
  kubespray: {
    texts: brokenDocuments(sound.kubespray),
    read: (bytes) => readKubespray([file(bytes)]),
  },
  netbox: {
    texts: brokenDocuments(sound.netBox, 'json'),
    read: (bytes) => readNetBox([file(bytes)], everything),
  },
};

const options = {
  zone: undefined,
  cluster: undefined,
  layout: undefined,
  planeVersion: undefined,
  today,
  allowClosedFence: undefined,
} as const;

describe('an import of anything', () => {
  test.each(Object.entries(sources) as [PoolSource, Source][])(
    'by %s ends in a tree or in problems',
    async (source, { texts, read }) => {
      await fc.assert(
        fc.asyncProperty(texts, fc.constantFrom({}, filesOf('one-lease')), async (bytes, files) => {
          const imported = read(bytes);
          if (!imported.ok) return;
          const tree = changedTree(treeOf(files));
          const outcome = await importPools(tree, noHistory, imported.value, {
            ...options,
            source,
          });
          if (!outcome.ok) expect(outcome.problems).not.toEqual([]);
        }),
        { seed: 81, numRuns: repeats(runs(200), 10_000) },
      );
    },
    30 * 60_000,
  );
});
