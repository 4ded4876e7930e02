import { expect, test } from 'vitest';
import { byAddress, byText, pagedAnswer } from '../../../../../src/features/serve/routes/paging.ts';
import type { WebAnswer } from '../../../../../src/lib/http/web.ts';

interface Item {
  readonly name: string;
}

interface Body {
  readonly items: readonly Item[];
  readonly total: number;
  readonly next?: string;
}

const order = byText(({ name }: Item) => name);

function named(count: number): readonly Item[] {
  return Array.from({ length: count }, (_, index) => ({ name: `n${1000 + index}` }));
}

const document = (items: readonly unknown[]) => ({ items });

function ask(items: readonly Item[], query: Readonly<Record<string, string>> = {}): WebAnswer {
  const request = { path: '/api/v1/x/{name}', params: { name: 'a/b c' }, query };
  return pagedAnswer(request, items, { order, document });
}

const bodyOf = ({ body }: WebAnswer) => JSON.parse(body) as Body;

test.each([1, 2, 3, 7, 12, 13, 1000])('a walk in parts of %i has each item once', (limit) => {
  const items = named(12);
  const seen: Item[] = [];
  let query: Record<string, string> = { limit: String(limit) };
  for (;;) {
    const { items: part, total, next } = bodyOf(ask(items, query));
    expect([part.length <= limit, total]).toEqual([true, 12]);
    seen.push(...part);
    if (next === undefined) break;
    query = { ...query, cursor: next };
  }
  expect(seen).toEqual(items);
});

test('without a limit an answer has 500 items', () => {
  expect(bodyOf(ask(named(500)))).not.toHaveProperty('next');
  const { items, next } = bodyOf(ask(named(501)));
  expect([items.length, next !== undefined]).toEqual([500, true]);
});

test('the header Link has the next part with the filters, encoded', () => {
  const answer = ask(named(3), { owner: 'a&b', limit: '2' });
  const link = /^<(.*)>; rel="next"$/.exec(answer.headers?.Link ?? '')?.[1] ?? '';
  const { pathname, searchParams } = new URL(link, 'http://localhost');
  expect(pathname).toBe('/api/v1/x/a%2Fb%20c');
  expect(Object.fromEntries(searchParams)).toEqual({
    owner: 'a&b',
    limit: '2',
    cursor: bodyOf(answer).next,
  });
  expect(ask(named(2), { limit: '2' }).headers).toBeUndefined();
});

test('a walk goes on when the item at the cursor is gone and others came', () => {
  const items = named(6);
  const { next = '' } = bodyOf(ask(items, { limit: '3' }));
  const later = [{ name: 'n0' }, ...items.filter(({ name }) => name !== 'n1002'), { name: 'n9' }];
  expect(bodyOf(ask(later, { cursor: next })).items.map(({ name }) => name)).toEqual([
    'n1003',
    'n1004',
    'n1005',
    'n9',
  ]);
  expect(bodyOf(ask([], { cursor: next }))).toEqual({ items: [], total: 0 });
});

test('addresses are walked in their order, not in that of their texts', () => {
  const addresses = ['9.0.0.1', '10.0.0.1', '10.0.0.9', '2001:db8::1'].map((address) => ({
    address,
  }));
  const part = (items: typeof addresses, query: Readonly<Record<string, string>>) =>
    bodyOf(pagedAnswer({ path: '/a', params: {}, query }, items, { order: byAddress, document }));
  const { next = '' } = part(addresses, { limit: '2' });
  const rest = addresses.filter(({ address }) => address !== '10.0.0.1');
  expect(part(rest, { cursor: next }).items).toEqual(addresses.slice(2));
});

test('a list without an order of keys is gone at a cursor whose item is gone', () => {
  const part = (items: readonly Item[], query: Readonly<Record<string, string>>) =>
    pagedAnswer<Item>({ path: '/a', params: {}, query }, items, {
      order: { keyOf: ({ name }) => name },
      document,
    });
  const items = [{ name: 'z' }, { name: 'a' }, { name: 'm' }];
  const { next = '' } = bodyOf(part(items, { limit: '2' }));
  expect(bodyOf(part(items, { cursor: next })).items).toEqual([{ name: 'm' }]);
  expect(part([{ name: 'z' }, { name: 'm' }], { cursor: next })).toMatchObject({ status: 410 });
});

test.each(['', '0', '-1', '1001', '1e2', '0x10', ' 5', '5.0', '99999999999999999999', 'all'])(
  'the limit "%s" is refused',
  (limit) => {
    expect(ask(named(3), { limit }).status).toBe(400);
  },
);

const encoded = (text: string) => Buffer.from(text).toString('base64url');

test('an empty cursor is the start of the list', () => {
  expect(bodyOf(ask(named(3), { cursor: '' })).items).toEqual(named(3));
});

test.each([
  ['n1001'],
  ['\u0000'],
  ['..%2f..'],
  [encoded('n1001')],
  [encoded('/api/v1/y n1001')],
  [encoded('/api/v1/x/{name}')],
  [encoded('["__proto__"]')],
])('the cursor "%s" of no answer of the path is refused', (cursor) => {
  expect(ask(named(3), { cursor }).status).toBe(400);
});

test('a cursor with a key that is no address is refused in a list of addresses', () => {
  const query = { cursor: encoded('/a 10.0.0.256') };
  const items = [{ address: '10.0.0.1' }];
  const answer = pagedAnswer({ path: '/a', params: {}, query }, items, {
    order: byAddress,
    document,
  });
  expect(answer.status).toBe(400);
});
