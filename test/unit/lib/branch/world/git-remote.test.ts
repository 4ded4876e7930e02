import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { gitRemoteHeads } from '../../../../../src/lib/branch/world/git-remote.ts';
import { botEnvironment, botRemote } from '../../../../support/repositories/bot-remote.ts';
import { tempTree } from '../../../../support/trees/temp-tree.ts';

test('brings a commit again of which an ended fetch has left the commit alone', async () => {
  const remote = await botRemote(tempTree());
  const clone = remote.clone('bot');
  const whole = remote.commitFiles({ 'leases/note.txt': 'x\n' });
  const torn = remote.commitFiles({ 'leases/note.txt': 'y\n' });
  clone.git('fetch', '-q', 'origin', whole);
  const path = `objects/${torn.slice(0, 2)}/${torn.slice(2)}`;
  cpSync(join(remote.folder, path), join(clone.root, '.git', path));

  const heads = gitRemoteHeads(clone.root, 'origin', botEnvironment);

  expect(await heads.bring([whole, torn])).toEqual(new Set([whole, torn]));
  expect(clone.isDone('rev-list', '--objects', '--quiet', torn)).toBe(true);
});
