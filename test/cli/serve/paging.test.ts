import { expect, test } from 'vitest';
import { accountOf, leaseText } from '../../support/declarations/lease-text.ts';
import { defaultPoolText } from '../../support/declarations/pools-text.ts';
import { remadeCheckout } from '../../support/repositories/cached-repository.ts';
import { runInProcess } from '../../support/run/run-in-process.ts';
import { serving } from '../../support/serve/server.ts';

const tenants = ['amy', 'ben', 'cid', 'dot', 'eve'];

function leaseOf(tenant: string): string {
  return leaseText(tenant, 1000, [{ name: 'front', service: 'web', port: 80 }]);
}

/** A service over five leases with an address each, and one of `eve` with two more. */
async function served() {
  const more = ['one', 'two'].map((name) => ({ name, service: name, port: 80 }));
  const checkout = await remadeCheckout({
    'leases/pools.yaml': defaultPoolText(),
    ...Object.fromEntries(tenants.map((name) => [`leases/${name}.yaml`, leaseOf(name)])),
    'leases/more.yaml': leaseText('eve', 2000, more),
  });
  return { checkout, ...(await serving(checkout.root)) };
}

interface Listed {
  readonly items: readonly { readonly holder?: string; readonly address?: string }[];
  readonly total: number;
  readonly next?: string;
}

const linked = /^<(.*)>; rel="next"$/;

/** All answers from a path on, as a client follows the header Link. */
async function walk(
  get: (path: string) => Promise<Response>,
  path: string,
): Promise<readonly Listed[]> {
  const answers: Listed[] = [];
  for (let next: string | undefined = path; next !== undefined; ) {
    const answer: Response = await get(next);
    expect(answer.status).toBe(200);
    answers.push((await answer.json()) as Listed);
    next = linked.exec(answer.headers.get('link') ?? '')?.[1];
  }
  return answers;
}

test.each([
  ['/api/v1/leases?limit=2', [2, 2, 2, 1]],
  ['/api/v1/leases?state=held&limit=4', [4, 3]],
  [`/api/v1/leases?owner=${accountOf('eve')}&limit=2`, [2, 1]],
  ['/api/v1/addresses?limit=3', [3, 3, 1]],
  ['/api/v1/owners?limit=2', [2, 2, 1]],
  ['/api/v1/pools?limit=1', [1]],
  [`/api/v1/who/${accountOf('eve')}?limit=2`, [2, 1]],
  ['/api/v1/who/203.0.113.0%2F28?limit=4', [4, 3]],
])('the answers from %s on have %j items, and all of the list', async (path, sizes) => {
  const { get } = await served();
  const answers = await walk(get, path);
  expect(answers.map(({ items }) => items.length)).toEqual(sizes);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  expect(answers.map((answer) => answer.total)).toEqual(sizes.map(() => total));
  const [whole] = await walk(get, path.replace(/.limit=\d+$/, ''));
  expect(answers.flatMap(({ items }) => items)).toEqual(whole?.items);
});

test('a walk goes on at the next state, and answers which commit each part is of', {
  tags: 'slow',
}, async () => {
  const { checkout, get, poll } = await served();
  const first = await get('/api/v1/addresses?limit=3');
  const link = linked.exec(first.headers.get('link') ?? '')?.[1] ?? '';
  const { items } = (await first.json()) as Listed;
  await runInProcess(['release', items[2]?.address ?? '', '--today', '2026-01-03'], checkout.root);
  checkout.put('leases/fay.yaml', leaseOf('fay'));
  await checkout.synth('2026-01-03');
  await poll();
  const second = await get(link);
  const rest = (await second.json()) as Listed;
  expect(rest.total).toBe(8);
  const addresses = [...items, ...rest.items].map(({ address }) => address);
  expect(new Set(addresses).size).toBe(addresses.length);
  expect(second.headers.get('leasehold-revision')).not.toBe(
    first.headers.get('leasehold-revision'),
  );
});

test('a history is answered in parts too', async () => {
  const { json } = await served();
  const history = (await json('/api/v1/addresses/203.0.113.0/history?limit=1')) as object;
  expect(history).toMatchObject({ kind: 'AddressHistory', total: expect.any(Number) });
});

test.each([
  '/api/v1/leases?limit=0',
  '/api/v1/addresses?limit=1001',
  '/api/v1/leases?cursor=bogus',
  '/api/v1/owners?cursor=L2FwaS92MS9vd25lcnM',
  '/api/v1/pools?cursor=%00%ff',
  '/api/v1/who/web?limit=x',
  '/api/v1/addresses/203.0.113.0/history?limit=-1',
  '/api/v1/capacity?limit=5',
  '/api/v1/status?cursor=x',
])('%s is refused', async (path) => {
  const { get } = await served();
  expect((await get(path)).status).toBe(400);
});

test('a cursor of another list is refused', async () => {
  const { get } = await served();
  const { next = '' } = (await (await get('/api/v1/leases?limit=1')).json()) as Listed;
  expect((await get(`/api/v1/leases?cursor=${next}`)).status).toBe(200);
  expect((await get(`/api/v1/owners?cursor=${next}`)).status).toBe(400);
});

test("the paths of Akash's operator are not answered in parts", async () => {
  const { get } = await served();
  const state = await get('/state?limit=1');
  expect(state.status).toBe(200);
  expect(Object.keys((await state.json()) as object)).toHaveLength(6);
});
