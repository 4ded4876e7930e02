import { describe, expect, test } from 'vitest';
import { netBoxApi } from '../../../../../../src/features/export/netbox/world/netbox-api.ts';
import { recordedWaiting } from '../../../../../support/forge/forge-client.ts';
import { fakeNetBox, type OtherAnswer } from '../../../../../support/netbox/fake-netbox.ts';

/** A NetBox that gives other answers to the first requests. */
async function answering(...answers: readonly OtherAnswer[]) {
  const fake = await fakeNetBox();
  fake.interfere = () => answers[fake.requests.length - 1];
  const clock = recordedWaiting();
  const access = { url: fake.url, token: 'nbt_key.fake-token', tokenFrom: 'NETBOX_TOKEN' };
  return { fake, clock, netbox: netBoxApi(access, { clock }) };
}

describe('the REST API of NetBox', () => {
  test.each(['', '/', '/api', '/api/'])(
    'is found at an address that ends with "%s"',
    async (end) => {
      const fake = await fakeNetBox();
      const access = { url: `${fake.url}${end}`, token: 'nbt_key.fake-token', tokenFrom: 'T' };
      const netbox = netBoxApi(access, { clock: recordedWaiting() });
      expect(netbox.address).toBe(`${fake.url}/api`);
      expect(await netbox.list('extras/tags', [])).toEqual([]);
    },
  );

  test('takes a token of version 1', async () => {
    const fake = await fakeNetBox();
    fake.authorization = 'Token 0123456789abcdef';
    const access = { url: fake.url, token: '0123456789abcdef', tokenFrom: 'T' };
    const netbox = netBoxApi(access, { clock: recordedWaiting() });
    expect(await netbox.list('extras/tags', [])).toEqual([]);
  });

  test('has all pages of a list, and passes a filter with several values', async () => {
    const { fake, netbox } = await answering();
    fake.pageSize = 2;
    for (const name of ['a', 'b', 'c', 'd']) fake.model.add('extras/tags', { name, slug: name });
    const names = async (...filters: readonly (readonly [string, string])[]) =>
      (await netbox.list('extras/tags', filters)).map(({ name }) => name);
    expect(await names()).toEqual(['a', 'b', 'c', 'd']);
    expect(await names(['name', 'b'], ['name', 'd'])).toEqual(['b', 'd']);
  });

  test('waits for a rate limit, and tries a change again after an outage', async () => {
    const { fake, clock, netbox } = await answering(
      { status: 429, headers: { 'Retry-After': '7' } },
      { status: 502 },
    );
    const [tag] = [fake.model.add('extras/tags', { name: 'a', slug: 'a' })];
    const objects = [{ id: tag.id }];
    const write = { method: 'DELETE', list: 'extras/tags', objects } as const;
    expect(await netbox.write(write)).toEqual({ objects: [] });
    expect(clock.pauses).toEqual([7000, 2000]);
    expect(fake.model.lists.get('extras/tags')).toEqual([]);
  });

  test('returns new objects with their ids, in order', async () => {
    const { netbox } = await answering();
    const objects = ['a', 'b'].map((name) => ({ name, slug: name }));
    const write = { method: 'POST', list: 'extras/tags', objects } as const;
    expect(await netbox.write(write)).toMatchObject({
      objects: [
        { id: 1, name: 'a' },
        { id: 2, name: 'b' },
      ],
    });
  });

  test('sends new objects once: an outage may have come after them', async () => {
    const { fake, netbox } = await answering('drop after doing it');
    const write = { method: 'POST', list: 'extras/tags', objects: [{ name: 'a' }] } as const;
    await expect(netbox.write(write)).rejects.toThrow('it closed the connection (ECONNRESET)');
    expect(fake.requests).toHaveLength(1);
  });

  test.each<[string, unknown, string]>([
    ['a field', { address: ['Duplicate IP address.'] }, 'address: Duplicate IP address.'],
    ['one of many', [{}, { __all__: ['Defined addresses overlap'] }], 'Defined addresses overlap'],
    [
      'a custom field',
      { custom_fields: { a: ['No.', 'Not so.'] } },
      'custom_fields: a: No.; Not so.',
    ],
    [
      'a detail',
      { detail: 'The token nbt_key.fake-token\nis read-only' },
      'The token *** is read-only',
    ],
    ['nothing', undefined, 'NetBox answers 400'],
  ])('gives the reason of a refusal: %s', async (_, value, reason) => {
    const { netbox } = await answering({ status: 400, value });
    const write = { method: 'PATCH', list: 'ipam/prefixes', objects: [{ id: 1 }] } as const;
    expect(await netbox.write(write)).toEqual({ refused: reason });
  });

  test.each<[string, OtherAnswer, string]>([
    [
      '403',
      { status: 403, value: { detail: 'Token expired' } },
      '(Token expired): the token in NETBOX_TOKEN is wrong or expired',
    ],
    ['404', { status: 404, value: {} }, 'name the address of NetBox with --api'],
    [
      'another server',
      { status: 200, value: { message: 'hello' } },
      'is not NetBox: its answer has no results',
    ],
    ['418', { status: 418, value: {} }, 'with 418 ({}): nothing more was done'],
  ])('names the solution for %s', async (_, answer, message) => {
    const { netbox } = await answering(answer);
    await expect(netbox.list('ipam/prefixes', [])).rejects.toThrow(message);
  });
});
