import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { hostnameText, routedPoolText } from '../../support/declarations/hostname-text.ts';
import { accountOf } from '../../support/declarations/lease-text.ts';
import { defaultPoolText } from '../../support/declarations/pools-text.ts';
import { remadeCheckout, remadeTwoLeases } from '../../support/repositories/cached-repository.ts';
import { holderOf } from '../../support/repositories/two-leases.ts';
import { runInProcess } from '../../support/run/run-in-process.ts';
import { serving } from '../../support/serve/server.ts';
import { putFile, tempTree } from '../../support/trees/temp-tree.ts';

const ann = '203.0.113.0';

interface OpenApi {
  readonly openapi: string;
  readonly paths: Readonly<
    Record<string, { readonly get: { readonly responses: Record<string, Described> } }>
  >;
}

interface Described {
  readonly content: Readonly<Record<string, { readonly schema: { readonly $ref?: string } }>>;
}

/** A path that is answered for each route. */
const asked: Readonly<Record<string, string>> = {
  '/ip-lease-status/{owner}/{dseq}/{gseq}/{oseq}': `/ip-lease-status/${accountOf('ann')}/1000/1/1`,
  '/api/v1/addresses/{address}': `/api/v1/addresses/${ann}`,
  '/api/v1/addresses/{address}/history': `/api/v1/addresses/${ann}/history`,
  '/api/v1/hostnames/{hostname}/history': '/api/v1/hostnames/shop.example.com/history',
  '/api/v1/who/{name}': `/api/v1/who/${encodeURIComponent(holderOf('ann'))}`,
};

describe('the OpenAPI document', () => {
  test('describes every path, and every answer fits its schema', { tags: 'slow' }, async () => {
    const repository = await remadeTwoLeases();
    repository.git('checkout', '-q', 'bob');
    const { json, get } = await serving(repository.root);
    const document = (await json('/api/v1/openapi.json')) as OpenApi;
    expect(document.openapi).toBe('3.1.0');
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema(document, 'api');
    const paths = Object.keys(document.paths);
    expect(paths).toContain('/usage');
    expect(paths.length).toBeGreaterThan(15);
    for (const path of paths) {
      if (path === '/api/v1/events') continue;
      const answer = await get(asked[path] ?? path);
      expect([path, answer.status]).toEqual([path, 200]);
      const content = document.paths[path]?.get.responses[200]?.content ?? {};
      const [media = ''] = Object.keys(content);
      expect(answer.headers.get('content-type')?.split(';')[0]).toBe(media);
      const reference = content[media]?.schema.$ref;
      if (reference === undefined) continue;
      const body = await answer.json();
      const isValid = ajv.validate({ $ref: `api${reference}` }, body);
      expect([path, isValid, ajv.errors]).toEqual([path, true, null]);
    }
  });

  test('describes a refusal too', { tags: 'slow' }, async () => {
    const { json } = await serving((await remadeTwoLeases()).root);
    const document = (await json('/api/v1/openapi.json')) as OpenApi;
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema(document, 'api');
    const failure = { $ref: 'api#/components/schemas/Failure' };
    expect(ajv.validate(failure, await json('/nothing/here'))).toBe(true);
    expect(ajv.validate(failure, { kind: 'Failure' })).toBe(false);
  });
});

describe('the answers', () => {
  test('to leases equal leasehold list', async () => {
    const { root } = await remadeTwoLeases();
    const { json } = await serving(root);
    const list = await runInProcess(['list', '--today', '2026-01-10', '-o', 'json'], root);
    const printed = JSON.parse(list.out);
    expect(printed.commit).toMatch(/^[0-9a-f]{40}$/);
    expect(await json('/api/v1/leases')).toEqual({ ...printed, total: 1 });
  });

  test('to leases are filtered by owner and state, and by nothing else', async () => {
    const { root } = await remadeTwoLeases();
    const { json, get } = await serving(root);
    const of = async (query: string) =>
      ((await json(`/api/v1/leases?${query}`)) as { readonly items: readonly object[] }).items;
    expect(await of(`owner=${accountOf('ann')}`)).toHaveLength(1);
    expect(await of(`owner=${accountOf('bob')}`)).toHaveLength(0);
    expect(await of('state=held')).toHaveLength(1);
    expect(await of('state=released')).toHaveLength(0);
    expect((await get('/api/v1/leases?state=gone')).status).toBe(400);
    expect((await get('/api/v1/leases?owner=nobody')).status).toBe(400);
    expect((await get('/api/v1/capacity?owner=nobody')).status).toBe(400);
    expect((await get('/api/v1/capacity?owner=default/shop')).status).toBe(200);
    expect((await get('/api/v1/leases?onwer=x')).status).toBe(400);
    expect((await get('/api/v1/leases?constructor=x')).status).toBe(400);
  });

  test('to an address equal leasehold who and history', async () => {
    const { root } = await remadeTwoLeases();
    const { json } = await serving(root);
    const who = await runInProcess(['who', ann, '-o', 'json'], root);
    const answer = { ...JSON.parse(who.out), day: '2026-01-10' };
    expect(answer.commit).toMatch(/^[0-9a-f]{40}$/);
    expect(await json(`/api/v1/addresses/${ann}`)).toEqual(answer);
    expect(await json(`/api/v1/who/${ann}`)).toEqual({ ...answer, total: 1 });
    const history = await runInProcess(['history', ann, '-o', 'json'], root);
    const { periods } = JSON.parse(history.out) as { readonly periods: readonly object[] };
    expect(periods).toHaveLength(1);
    expect(await json(`/api/v1/addresses/${ann}/history`)).toMatchObject({ periods });
  });

  test('to hostnames equal leasehold list, who and history', { tags: 'slow' }, async () => {
    const { root } = await remadeCheckout({
      'leases/pools.yaml': routedPoolText,
      'leases/shop/name.yaml': hostnameText('shop.example.com'),
    });
    const { json, get } = await serving(root);
    const list = await runInProcess(
      ['list', '--hostnames', '--today', '2026-01-10', '-o', 'json'],
      root,
    );
    const printed = JSON.parse(list.out);
    expect(printed.items).toHaveLength(1);
    expect(await json('/api/v1/hostnames')).toEqual({ ...printed, total: 1 });
    for (const name of ['shop.example.com', 'shop%2Fweb', 'shop']) {
      expect(await json(`/api/v1/who/${name}`)).toMatchObject({
        items: [],
        hostnames: printed.items,
        total: 0,
      });
    }
    expect((await get('/api/v1/who/www.example.com')).status).toBe(404);
    const history = await runInProcess(['history', 'shop.example.com', '-o', 'json'], root);
    const { periods } = JSON.parse(history.out) as { readonly periods: readonly object[] };
    expect(periods).toHaveLength(1);
    const answer = await json('/api/v1/hostnames/shop.example.com/history');
    expect(answer).toMatchObject({ kind: 'HostnameHistory', periods });
  });

  test('refuse an invalid address, and are 404 for an unknown name', async () => {
    const { root } = await remadeTwoLeases();
    const { get } = await serving(root);
    expect((await get('/api/v1/addresses/1.2.3')).status).toBe(400);
    expect((await get('/api/v1/addresses/1.2.3/history')).status).toBe(400);
    expect((await get('/api/v1/hostnames/Shop.example.com/history')).status).toBe(400);
    expect((await get('/api/v1/who/nobody')).status).toBe(404);
  });

  test('to a plan compare the served commit with its first parent', { tags: 'slow' }, async () => {
    const repository = await remadeTwoLeases();
    repository.git('checkout', '-q', 'bob');
    const { json } = await serving(repository.root);
    const argv = ['plan', '--base', 'main', '--head', 'bob', '-o', 'json'];
    const printed = await runInProcess(argv, repository.root);
    expect(await json('/api/v1/plan')).toEqual(JSON.parse(printed.out));
  });

  test('that need git are 404 outside of git, and the others work', async () => {
    const bare = tempTree({ 'leases/pools.yaml': poolsOf('203.0.113.0/28') });
    const { get } = await serving(bare);
    expect((await get('/api/v1/pools')).status).toBe(200);
    expect((await get('/api/v1/plan')).status).toBe(404);
    expect((await get(`/api/v1/addresses/${ann}/history`)).status).toBe(404);
  });
});

function poolsOf(block: string): string {
  return defaultPoolText(`'${block}'`);
}

describe('a tree that breaks', () => {
  test('is served in its last good state with the reason, and anew once it is fixed', {
    tags: 'slow',
  }, async () => {
    const { root } = await remadeTwoLeases();
    const { json, get, poll, setDay } = await serving(root);
    const good = await json('/api/v1/pools');
    setDay('2026-01-11');
    putFile(root, 'leases/pools.yaml', 'kind: Pools\n');
    await poll();
    const answer = await get('/api/v1/pools');
    expect(answer.headers.get('leasehold-stale')).toBe('2026-01-11T08:00:00Z');
    expect(await answer.json()).toEqual({ ...(good as object), day: '2026-01-11' });
    setDay('2026-01-12');
    await poll();
    expect(await json('/api/v1/status')).toMatchObject({
      ready: true,
      stale: {
        since: '2026-01-11T08:00:00Z',
        problems: expect.arrayContaining([
          expect.objectContaining({ at: expect.stringContaining('leases/pools.yaml:') }),
        ]),
      },
    });
    putFile(root, 'leases/pools.yaml', poolsOf('203.0.113.0/27'));
    await poll();
    const mended = await get('/api/v1/pools');
    expect(mended.headers.get('leasehold-stale')).toBeNull();
    expect(await mended.text()).toContain('"total": "32"');
    expect(await json('/api/v1/status')).not.toHaveProperty('stale');
  });

  test('with an SDL of wrong types is served in its last good state, and the file is reported', async () => {
    const { root } = await remadeTwoLeases();
    const { poll, json } = await serving(root);
    const sdl = 'apiVersion: leasehold.dev/v1\nkind: Lease\nspec:\n  sdl: odd.sdl.yaml\n';
    const id = `  id: { owner: ${accountOf('odd')}, dseq: '7', gseq: 1, oseq: 1 }\n`;
    putFile(root, 'leases/odd.yaml', `${sdl}${id}`);
    putFile(root, 'leases/odd.sdl.yaml', 'version: { a: b }\n');
    await poll();
    expect(await json('/api/v1/status')).toMatchObject({
      ready: true,
      problems: expect.arrayContaining([
        expect.objectContaining({ code: 'SDL_VERSION', at: 'leases/odd.sdl.yaml:1:10' }),
      ]),
    });
  });

  test('with a read that throws is served in its last good state, and the bug is reported', async () => {
    const { root } = await remadeTwoLeases();
    let bug: Error | undefined;
    const beforeRead = () => {
      if (bug) throw bug;
    };
    const { json, get, poll } = await serving(root, { beforeRead });
    const good = await json('/api/v1/pools');
    bug = new TypeError('Cannot convert object to primitive value');
    putFile(root, 'leases/pools.yaml', poolsOf('203.0.113.0/27'));
    expect(await poll()).toBe(false);
    expect(await json('/api/v1/pools')).toEqual(good);
    expect((await get('/ready')).status).toBe(200);
    const reason = 'this is a bug of leasehold: Cannot convert object to primitive value';
    expect(await json('/api/v1/status')).toMatchObject({ ready: true, stale: { reason } });
    bug = undefined;
    await poll();
    expect(await json('/api/v1/status')).not.toHaveProperty('stale');
    expect(await json('/api/v1/pools')).not.toEqual(good);
  });

  test('without an earlier good state answers with the reason, not with an empty list', async () => {
    const root = tempTree({ 'leases/pools.yaml': 'kind: Pools\n' });
    const { get, json } = await serving(root);
    const answer = await get('/api/v1/leases');
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await answer.json()).toMatchObject({
      kind: 'Failure',
      reason: expect.stringContaining('leases/pools.yaml:'),
    });
    expect((await get('/health')).status).toBe(200);
    expect(await json('/api/v1/status')).toMatchObject({ ready: false });
  });

  test('with an unreadable record is served in its last good state: no address seems free', async () => {
    const { root } = await remadeTwoLeases();
    const { poll, json } = await serving(root);
    putFile(root, 'leases/allocations/203.0.113/203.0.113.9.yaml', 'x\n');
    await poll();
    expect(await json('/api/v1/status')).toHaveProperty('stale');
    expect(await json('/api/v1/addresses/203.0.113.0')).toMatchObject({
      items: [{ state: 'held' }],
    });
  });
});
