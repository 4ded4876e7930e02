import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Status } from '../../../src/lib/service/status-answer.ts';
import { remadeTwoLeases } from '../../support/repositories/cached-repository.ts';
import { commitLeases, holderOf } from '../../support/repositories/two-leases.ts';
import { type Serving, serving } from '../../support/serve/server.ts';
import { putFile } from '../../support/trees/temp-tree.ts';

async function statusOf({ json }: Serving): Promise<Status> {
  return (await json('/api/v1/status')) as Status;
}

/** The events of a stream from now on, as their data. */
async function listening({ url }: Serving): Promise<() => readonly unknown[]> {
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const answer = await fetch(`${url}/api/v1/events`, { signal: stop.signal });
  let text = '';
  void (async () => {
    for await (const part of answer.body ?? []) text += Buffer.from(part).toString();
  })().catch(() => {});
  return () => [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data));
}

const dan = {
  address: '203.0.113.1',
  to: { holder: holderOf('dan'), state: 'held' },
};

test('a new revision tells which addresses it changed, in the status and in its event', {
  tags: 'slow',
}, async () => {
  const repository = await remadeTwoLeases();
  const service = await serving(repository.root);
  const events = await listening(service);
  const first = await statusOf(service);
  expect(first).not.toHaveProperty('changes');
  await commitLeases(repository, 'dan');
  await service.poll();
  const { revision, changes } = await statusOf(service);
  const { commit, seenAt } = first.revision ?? {};
  const since = { commit, seenAt };
  expect(changes).toEqual({ since, count: '1', items: [dan] });
  await expect.poll(events).toHaveLength(2);
  expect(events()[1]).toMatchObject({ revision: revision?.commit, changes });
});

test('a release, and a record that is gone, are changes with what was before', {
  tags: 'slow',
}, async () => {
  const repository = await remadeTwoLeases();
  await commitLeases(repository, 'dan');
  const service = await serving(repository.root);
  repository.git('rm', '-q', 'leases/dan.yaml');
  await commitLeases(repository);
  await service.poll();
  const released = { holder: holderOf('dan'), state: 'released', freeFrom: expect.any(String) };
  expect((await statusOf(service)).changes?.items).toEqual([
    { address: dan.address, from: dan.to, to: released },
  ]);
  repository.git('reset', '-q', '--hard', 'HEAD~2');
  await service.poll();
  expect((await statusOf(service)).changes?.items).toEqual([
    { address: dan.address, from: released },
  ]);
});

test('another day of the same tree keeps the changes of its revision', {
  tags: 'slow',
}, async () => {
  const repository = await remadeTwoLeases();
  const service = await serving(repository.root);
  await commitLeases(repository, 'dan');
  await service.poll();
  const { changes } = await statusOf(service);
  service.setDay('2026-01-11');
  await service.poll();
  expect(await statusOf(service)).toMatchObject({ day: '2026-01-11', changes });
});

test('problems that stop a new state are named with code, file and line, and counted beyond a limit', {
  tags: 'slow',
}, async () => {
  const { root } = await remadeTwoLeases();
  const service = await serving(root);
  const events = await listening(service);
  for (let index = 0; index < 120; index += 1) {
    putFile(root, `leases/allocations/198.51.100/198.51.100.${index}.yaml`, 'x\n');
  }
  await service.poll();
  const { stale } = await statusOf(service);
  expect(stale?.problems).toHaveLength(100);
  expect(stale?.problemCount).toBe(120);
  const [problem] = stale?.problems ?? [];
  expect(problem).toMatchObject({
    code: expect.stringMatching(/^[A-Z_]+$/),
    file: 'leases/allocations/198.51.100/198.51.100.0.yaml',
    line: 1,
    at: 'leases/allocations/198.51.100/198.51.100.0.yaml:1:1',
  });
  await expect.poll(events).toHaveLength(2);
  expect(events()[1]).toMatchObject({
    stale: { problems: stale?.problems.slice(0, 20), problemCount: stale?.problemCount },
  });
});

test('an address that a shrunk pool no longer has is named, and goes on being served', async () => {
  const { root } = await remadeTwoLeases();
  const service = await serving(root);
  const pools = readFileSync(join(root, 'leases/pools.yaml'), 'utf8');
  putFile(
    root,
    'leases/pools.yaml',
    pools.replace(/addresses: .*/, 'addresses: [198.51.100.0/28]'),
  );
  await service.poll();
  const { problems, stale } = await statusOf(service);
  expect(stale).toBeUndefined();
  expect(problems.map(({ code }) => code)).toContain('ADDRESS_STRANDED');
});

test('a declaration with problems is named beside the state that leaves it out', async () => {
  const { root } = await remadeTwoLeases();
  const service = await serving(root);
  const events = await listening(service);
  putFile(root, 'leases/odd.yaml', 'apiVersion: leasehold.dev/v1\nkind: Nothing\n');
  await service.poll();
  const { problems, problemCount, stale } = await statusOf(service);
  expect([problemCount, stale]).toEqual([1, undefined]);
  expect(problems[0]).toMatchObject({ file: 'leases/odd.yaml', line: 2 });
  await expect.poll(events).toHaveLength(2);
  expect(events()[1]).toMatchObject({ problems, problemCount: 1 });
});
