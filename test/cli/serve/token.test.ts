import { describe, expect, test } from 'vitest';
import { remadeTwoLeases } from '../../support/repositories/cached-repository.ts';
import { type Serving, serving } from '../../support/serve/server.ts';

async function served(more: Parameters<typeof serving>[1] = {}): Promise<Serving> {
  return serving((await remadeTwoLeases()).root, more);
}

describe('a token', () => {
  const token = Buffer.from('a-secret-of-ours');
  const bearer = { authorization: 'Bearer a-secret-of-ours' };

  test('is required on all paths but health, readiness and the page without its data', async () => {
    const { get } = await served({ token });
    for (const path of ['/health', '/ready']) expect((await get(path)).status).toBe(200);
    const page = await get('/');
    expect([page.status, page.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ]);
    expect(await page.text()).not.toMatch(/application\/json|203\.0\.113/);
    for (const path of [
      '/api/v1/picture',
      '/api/v1/picture/first',
      '/api/v1/picture/past',
      '/usage',
      '/state',
      '/api/v1/status',
      '/api/v1/events',
      '/version',
    ]) {
      const refused = await get(path);
      expect([path, refused.status]).toEqual([path, 401]);
      expect(refused.headers.get('www-authenticate')).toBe('Bearer');
    }
    expect((await get('/api/v1/status', bearer)).status).toBe(200);
  });

  test.each([
    'Bearer a-secret-of-our',
    'Bearer a-secret-of-ourss',
    'Bearer ',
    'Basic a-secret-of-ours',
    'a-secret-of-ours',
  ])('that is wrong or malformed is refused: %s', async (authorization) => {
    const { get } = await served({ token });
    expect((await get('/usage', { authorization })).status).toBe(401);
  });

  test("is not required on the paths of Akash's operator when those are opened", async () => {
    const { get } = await served({ token, isOperatorOpen: true });
    expect((await get('/usage')).status).toBe(200);
    expect((await get('/api/v1/pools')).status).toBe(401);
  });
});
