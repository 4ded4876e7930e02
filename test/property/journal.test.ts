// @module-tag counted

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openForReading } from '../../src/core/world/disk/disk-tree.ts';
import { commitChanges, recoverJournal } from '../../src/core/world/disk/journal.ts';
import { runs } from '../support/run/scope.ts';
import {
  type Fault,
  faultyOperations,
  soundOperations,
} from '../support/trees/faulty-operations.ts';
import { content, filesOf, snapshot, tempTree } from '../support/trees/temp-tree.ts';

const path = fc
  .tuple(
    fc.constantFrom('dist/a', 'dist/a/b', 'dist/c', 'leases/allocations/1', '.leasehold/cdk8s'),
    fc.constantFrom('x.yaml', 'y.yaml', 'é.yaml', '.z'),
  )
  .map((parts) => parts.join('/'));
const text = fc.constantFrom('', 'one', 'two', 'drei ä');
const tree = fc.dictionary(path, text, { maxKeys: 8, noNullPrototype: true });
const fault = fc.constantFrom<Fault>('throw', 'kill', 'tear');
const kills = fc.array(fc.nat(30), { maxLength: 3 });

it('leaves any tree wholly old before the commit point and wholly new after it, whatever is killed when', async () => {
  await fc.assert(
    fc.asyncProperty(tree, tree, fc.record({ fault, at: fc.nat(60), kills }), async (...given) => {
      const [before, after, plan] = given;
      const root = tempTree(before);
      const removes = Object.keys(before).filter((name) => !(name in after));
      const changes = { writes: new Map(Object.entries(after)), removes };
      const { operations } = faultyOperations(plan.fault, plan.at);
      const isCommitted = await commitChanges(root, changes, operations).then(
        () => true,
        (error) => String(error).includes('is recorded'),
      );
      for (const at of plan.kills) {
        await recoverJournal(root, faultyOperations('kill', at).operations).catch(() => null);
      }
      const left = snapshot(root);
      const reader = openForReading(root);
      const listed = ['dist', 'leases', '.leasehold/cdk8s'].flatMap((name) => reader.list(name));
      const seen = Object.fromEntries(
        listed.map((entry) => [entry.path, Buffer.from(reader.read(entry.path)).toString()]),
      );
      expect(snapshot(root)).toEqual(left);
      expect(seen).toEqual(isCommitted ? after : before);
      await recoverJournal(root, soundOperations);
      expect(filesOf(content(root))).toEqual(seen);
    }),
    { seed: 1, numRuns: runs(200) },
  );
});
