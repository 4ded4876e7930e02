import { describe, expect, it } from 'vitest';
import type { TreeChanges } from '../../../../src/core/interfaces/tree.ts';
import { allocationPath, printAllocation } from '../../../../src/core/records/allocation-file.ts';
import { hostnamePath, printHostname } from '../../../../src/core/records/hostname-file.ts';
import type { PlannedRun } from '../../../../src/core/run/synth/planned-run.ts';
import {
  declarationHistory,
  diskChanges,
  resolvedTree,
  strayRecords,
} from '../../../../src/features/resolve/resolved-tree.ts';
import { aHostnameRecord, hostnameTableOf } from '../../../support/allocations/hostname-records.ts';
import { aRecord } from '../../../support/allocations/tables.ts';
import { treeOf } from '../../../support/trees/memory-tree.ts';

const record = { ...aRecord('10.0.0.1'), holder: 'default/service/shop/web' };
const recordPath = allocationPath(record.address);
const table = new Map([['10.0.0.1', record]]);
const name = aHostnameRecord('shop.example.com');
const namePath = hostnamePath(name.hostname);
const hostnameTable = hostnameTableOf(name);
const manifest = 'dist/default/ab/shop-web-ab0123456789.yaml';
const other = 'dist/default/cd/shop-api-cd0123456789.yaml';

/** A run over the resolved tree that leaves the table as it is. */
function runWith(files: Partial<TreeChanges>): PlannedRun {
  const hostnames = { table: hostnameTable, changes: [] };
  const run: Partial<PlannedRun> = {
    table,
    hostnames,
    files: { writes: new Map(), removes: [], ...files },
  };
  return run as PlannedRun;
}

describe('resolvedTree', () => {
  const disk = treeOf({
    'leases/a.yaml': 'of the disk',
    'leases/allocations/10.0.0/10.0.0.9.yaml': 'of the disk',
    'leases/hostnames/com/example/b.example.com.yaml': 'of the disk',
    [manifest]: 'of the disk',
  });
  const live = treeOf({ 'leases/a.yaml': 'live', [manifest]: 'live', 'dist/README.md': 'live' });
  const tree = resolvedTree({ disk, table, hostnameTable, live });

  it('has the declarations of the disk, the merged tables and the live manifests', () => {
    const textOf = (path: string) => Buffer.from(tree.read(path)).toString();
    expect(tree.list('leases').map(({ path }) => path)).toEqual([
      'leases/a.yaml',
      recordPath,
      namePath,
    ]);
    expect(tree.list('leases/hostnames').map(({ path }) => path)).toEqual([namePath]);
    expect(tree.list('leases/allocations').map(({ path }) => path)).toEqual([recordPath]);
    expect(tree.list('dist').map(({ path }) => path)).toEqual([manifest]);
    expect(textOf('leases/a.yaml')).toBe('of the disk');
    expect(textOf(manifest)).toBe('live');
    expect(textOf(recordPath)).toBe(printAllocation(record));
    expect(textOf(namePath)).toBe(printHostname(name));
  });
});

describe('diskChanges', () => {
  const whole = {
    [recordPath]: printAllocation(record),
    [namePath]: printHostname(name),
    [manifest]: 'one\n',
  };

  it('is empty for an up-to-date disk', () => {
    const tree = treeOf(whole);
    expect(diskChanges(tree, tree, runWith({}))).toEqual({ writes: new Map(), removes: [] });
  });

  it('writes the files of the run and the live ones, and removes all others', () => {
    const disk = treeOf({ ...whole, [manifest]: 'two\n', 'leases/allocations/10.0.0/x.yaml': '' });
    const changes = diskChanges(
      disk,
      treeOf(whole),
      runWith({ writes: new Map([[other, 'new']]) }),
    );
    expect(changes).toEqual({
      writes: new Map([
        [manifest, 'one\n'],
        [other, 'new'],
      ]),
      removes: ['leases/allocations/10.0.0/x.yaml'],
    });
  });

  it('does not write a live file that the run removes', () => {
    const tree = treeOf(whole);
    expect(diskChanges(tree, tree, runWith({ removes: [manifest] }))).toEqual({
      writes: new Map(),
      removes: [manifest],
    });
  });
});

describe('strayRecords', () => {
  const disk = treeOf({
    [recordPath]: printAllocation(record),
    'leases/allocations/10.0.0/10.0.0.2.yaml': '<<<<<<< HEAD\n',
    'leases/allocations/notes.txt': '',
  });

  it('reports files that no commit has', () => {
    const told = (...known: readonly string[]) =>
      strayRecords(disk, new Set(known)).map(({ code, at }) => `${code} ${at.file}`);
    expect(told()).toEqual([
      'FILE_UNEXPECTED leases/allocations/notes.txt',
      'YAML_CONFLICT leases/allocations/10.0.0/10.0.0.2.yaml',
    ]);
    expect(told('leases/allocations/10.0.0/10.0.0.2.yaml')).toEqual([
      'FILE_UNEXPECTED leases/allocations/notes.txt',
    ]);
  });
});

it('declarationHistory leaves out allocation files, and asks git once', async () => {
  let asked = 0;
  const history = declarationHistory({
    tracked: async () => {
      asked += 1;
      return ['leases/a.yaml', recordPath];
    },
  });
  expect(await history.tracked(['leases'])).toEqual(['leases/a.yaml']);
  expect(await history.tracked(['leases'])).toEqual(['leases/a.yaml']);
  expect(asked).toBe(1);
  await history.tracked(['leases', '.leasehold']);
  expect(asked).toBe(2);
});
