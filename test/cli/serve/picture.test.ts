import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Picture } from '../../../src/features/page/picture-answer.ts';
import { remadeTwoLeases } from '../../support/repositories/cached-repository.ts';
import { runInProcess } from '../../support/run/run-in-process.ts';
import { serving } from '../../support/serve/server.ts';
import { putFile, tempTree } from '../../support/trees/temp-tree.ts';

/** What `report` shows of a repository. */
async function reported(root: string): Promise<Picture> {
  const argv = ['report', '-o', 'json', '--today', '2026-01-10'];
  return JSON.parse((await runInProcess(argv, root)).out);
}

test('the picture and its past are together what report has; of a small repository the first part is the picture', async () => {
  const repository = await remadeTwoLeases();
  repository.git('remote', 'add', 'origin', 'https://me:word@git.example.com/infra/ips.git/');
  const { root } = repository;
  const { get, json, poll } = await serving(root);
  const { past, forecasts, ...now } = await reported(root);
  expect(now.repository).toBe('ips');
  expect(await json('/api/v1/picture')).toEqual(now);
  expect(await json('/api/v1/picture/past')).toEqual({
    ...{ apiVersion: now.apiVersion, kind: 'PicturePast', past, forecasts },
  });
  const tagOf = async (path: string) => (await get(path)).headers.get('etag');
  expect(await tagOf('/api/v1/picture/first')).toBe(await tagOf('/api/v1/picture'));

  putFile(root, 'leases/pools.yaml', 'kind: Pools\n');
  await poll();
  for (const path of ['/api/v1/picture', '/api/v1/picture/first'])
    expect(await json(path)).toMatchObject({
      stale: expect.stringContaining('leases/pools.yaml:1'),
    });
});

test('without a commit the past is empty, and before anything is served there is neither', async () => {
  const { root } = await remadeTwoLeases();
  const outside = tempTree({
    'leases/pools.yaml': readFileSync(join(root, 'leases/pools.yaml'), 'utf8'),
  });
  const { json } = await serving(outside);
  expect(await json('/api/v1/picture/past')).toEqual({
    apiVersion: 'leasehold.dev/v1',
    kind: 'PicturePast',
  });
  const { get } = await serving(root, { isLoading: true });
  for (const path of ['/api/v1/picture', '/api/v1/picture/first', '/api/v1/picture/past'])
    expect((await get(path)).status).toBe(503);
});
