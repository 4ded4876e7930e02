import { expect, test } from 'vitest';
import { forgeWith } from '../../support/forge/open-pull-requests.ts';
import { remadeTwoLeases } from '../../support/repositories/cached-repository.ts';
import { gitRepository } from '../../support/repositories/git-repository.ts';
import { serving } from '../../support/serve/server.ts';

const pendingRefs = ['refs/pull/*/head'];

const usage = (inUse: number) => ({ Available: 16, InUse: inUse, Free: 16 - inUse });

test('addresses of open pull requests are in use as long as those are open', {
  tags: 'slow',
}, async () => {
  const { remote, clone } = await forgeWith('bob');
  expect(await (await serving(clone)).json('/usage')).toEqual(usage(1));
  const { json, poll } = await serving(clone, { pendingRefs });
  expect(await json('/usage')).toEqual(usage(2));
  expect(await json('/api/v1/capacity')).toMatchObject({
    items: [{ free: '15', pending: '1', promisable: '14' }],
    pending: [{ ref: 'refs/pull/1/head', addresses: ['203.0.113.1'] }],
  });
  expect(await json('/api/v1/status')).toMatchObject({
    pending: { refs: 1, skipped: 0, seenAt: '2026-01-10T08:00:00Z' },
  });
  remote.git('update-ref', '-d', 'refs/pull/1/head');
  expect(await json('/usage')).toEqual(usage(2));
  await poll();
  expect(await json('/usage')).toEqual(usage(1));
});

test('an unreachable remote leaves its last known branches, with their age, and is reported once', {
  tags: 'slow',
}, async () => {
  const { remote, clone } = await forgeWith('bob');
  const { json, poll, events, setDay } = await serving(clone, { pendingRefs });
  const { git } = gitRepository(clone);
  git('remote', 'set-url', 'origin', '../absent.git');
  setDay('2026-01-11');
  await poll();
  await poll();
  expect(await json('/usage')).toEqual(usage(2));
  expect(await json('/api/v1/status')).toMatchObject({
    polls: { failed: 0 },
    pending: {
      refs: 1,
      seenAt: '2026-01-10T08:00:00Z',
      reason: expect.stringContaining("the remote 'origin' cannot be reached"),
    },
  });
  git('remote', 'set-url', 'origin', `file://${remote.root}`);
  await poll();
  expect(events.map(({ kind }) => kind)).toEqual(['serves', 'branches', 'branches']);
  expect(await json('/api/v1/status')).toMatchObject({
    pending: { refs: 1, skipped: 0, seenAt: '2026-01-11T08:00:00Z' },
  });
});

test('a pull request that is merged counts once', { tags: 'slow' }, async () => {
  const { remote, clone } = await forgeWith('bob');
  const { json, poll } = await serving(clone, { pendingRefs });
  remote.git('merge', '-q', 'bob');
  gitRepository(clone).git('pull', '-q');
  await poll();
  expect(await json('/usage')).toEqual(usage(2));
  expect(await json('/api/v1/status')).toMatchObject({ pending: { refs: 0 } });
});

test('a checkout without a remote is served, and reports that branches are not counted', async () => {
  const { root } = await remadeTwoLeases();
  const { json, events } = await serving(root, { pendingRefs });
  expect(await json('/usage')).toEqual(usage(1));
  expect(events).toMatchObject([
    { kind: 'branches', reason: expect.stringContaining("no remote 'origin'") },
    { kind: 'serves' },
  ]);
});
