import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { UnsureError } from '../../../../../src/core/model/problem.ts';
import { type FakeAnswer, fakeForge } from '../../../../support/forge/fake-forge.ts';
import { forgeAt, recordedWaiting } from '../../../../support/forge/forge-client.ts';

/** A fake whose first answers are these, each once, and a GitHub adapter before it. */
async function answering(...answers: readonly FakeAnswer[]) {
  const fake = await fakeForge('github');
  const waiting = recordedWaiting();
  fake.interfere = () => answers[fake.requests.length - 1];
  // Where the fake hangs, a request is given up soon; a busy machine answers the others later than that.
  const more = answers.includes('hang') ? { request: 1_000 } : {};
  return { fake, waiting, forge: forgeAt('github', fake, waiting, more) };
}

const date = 'Fri, 20 Nov 2026 10:00:00 GMT';
const epoch = Date.parse(date) / 1000;

describe('a request that is put off', () => {
  test.each<[string, Exclude<FakeAnswer, string>, number]>([
    ['429 with seconds', { status: 429, headers: { 'Retry-After': '7' } }, 7000],
    [
      '429 with a date, by the clock of the server',
      { status: 429, headers: { 'Retry-After': 'Fri, 20 Nov 2026 10:00:09 GMT', Date: date } },
      9000,
    ],
    ['429 with a date that is over', { status: 429, headers: { 'Retry-After': date } }, 0],
    ['429 that names no time', { status: 429 }, 1000],
    [
      '429 of GitLab, used up',
      {
        status: 429,
        headers: { 'RateLimit-Remaining': '0', 'RateLimit-Reset': `${epoch + 30}`, Date: date },
      },
      30_000,
    ],
    [
      "GitHub's primary limit",
      {
        status: 403,
        headers: { 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset': `${epoch + 45}`, Date: date },
      },
      45_000,
    ],
    ["GitHub's secondary limit, named", { status: 403, headers: { 'Retry-After': '60' } }, 60_000],
    [
      "GitHub's secondary limit, not named",
      { status: 403, text: '{"message":"You have exceeded a secondary rate limit."}' },
      60_000,
    ],
    ['503 with seconds', { status: 503, headers: { 'Retry-After': '3' } }, 3000],
    ['502', { status: 502, text: '<html>Bad Gateway</html>' }, 1000],
  ])('%s', async (_, answer, pause) => {
    const { fake, forge, waiting } = await answering(answer);
    expect(await forge.list()).toEqual([]);
    expect(waiting.pauses).toEqual([pause]);
    expect(fake.requests).toHaveLength(2);
  });

  test('pauses grow while no time is named, and six times are enough', async () => {
    const { fake, forge, waiting } = await answering(...Array(9).fill({ status: 500 }));
    await expect(forge.list()).rejects.toThrow(
      /^GitHub at 127\.0\.0\.1:\d+ answers 500; run the job again later$/,
    );
    expect(waiting.pauses).toEqual([1000, 2000, 4000, 8000, 16_000]);
    expect(fake.requests).toHaveLength(6);
  });

  test('a pause longer than a job should take is not taken', async () => {
    const { forge, waiting } = await answering({ status: 429, headers: { 'Retry-After': '2700' } });
    await expect(forge.list()).rejects.toThrow(/ answers 429; run the job again in 45 minutes$/);
    expect(waiting.pauses).toEqual([]);
  });

  test('all pauses together are bounded', async () => {
    const limit: FakeAnswer = { status: 429, headers: { 'Retry-After': '200' } };
    const { forge, waiting } = await answering(limit, limit);
    await expect(forge.list()).rejects.toThrow(/run the job again in 4 minutes$/);
    expect(waiting.pauses).toEqual([200_000]);
  });

  test('a comment that was turned away unwritten is sent again', async () => {
    const { fake, forge } = await answering(
      { status: 429 },
      { status: 403, headers: { 'Retry-After': '1' } },
    );
    await forge.create('text');
    expect(fake.comments).toHaveLength(1);
    expect(fake.requests).toHaveLength(3);
  });

  test.each<FakeAnswer>([{ status: 502 }, { status: 504 }, 'drop', 'drop after doing it', 'hang'])(
    'a comment that is broken off is not sent again: %j',
    async (answer) => {
      const { fake, forge } = await answering(answer);
      await expect(forge.create('text')).rejects.toThrow(UnsureError);
      expect(fake.requests).toHaveLength(1);
    },
  );

  test.each<FakeAnswer>(['drop', 'hang'])(
    'a look that is broken off is done again: %s',
    async (answer) => {
      const { forge, waiting } = await answering(answer);
      expect(await forge.list()).toEqual([]);
      expect(waiting.pauses).toEqual([1000]);
    },
  );

  test('an update and a removal are done again', async () => {
    const { fake, forge } = await answering('drop after doing it', 'drop after doing it');
    fake.comments.push({ id: 5, author: 'x', body: 'old' });
    expect(await forge.update('5', 'new')).toBe(true);
    await forge.remove('5');
    expect(fake.comments).toEqual([]);
  });

  test('a POST is sent again when nothing listens, and the failure says so', async () => {
    const server = createServer();
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    await new Promise((done) => server.close(done));
    const waiting = recordedWaiting();
    const forge = forgeAt('github', { api: `http://127.0.0.1:${port}` }, waiting);
    await expect(forge.create('text')).rejects.toThrow(
      `GitHub at 127.0.0.1:${port} cannot be reached: nothing listens there (ECONNREFUSED); run the job again later`,
    );
    expect(waiting.pauses).toHaveLength(5);
  });
});

describe('where the token goes', () => {
  test.each([
    'http://api.example.com',
    'http://10.0.0.1',
    'http://127.0.0.1.example.com',
    'http://localhost.example.com',
    'ftp://127.0.0.1',
    'https://user:password@api.example.com',
    'https://api.example.com?x=1',
    'api.example.com',
    '',
  ])('not to %j', (api) => {
    expect(() => forgeAt('github', { api }, recordedWaiting())).toThrow(
      'the address of an API is https://…, without user, password and query; http is for the loopback only',
    );
  });

  test.each([
    'https://api.example.com',
    'http://localhost:1',
    'http://[::1]:1',
    'http://127.9.9.9',
  ])('to %s', (api) => {
    expect(() => forgeAt('github', { api }, recordedWaiting())).not.toThrow();
  });

  test.each([301, 302, 307, 308])('not along a redirect to another server: %i', async (status) => {
    const other = await fakeForge('github');
    const { forge } = await answering({ status, headers: { Location: `${other.api}/user` } });
    await expect(forge.author()).rejects.toThrow(
      `leads to ${other.api}, and the token is not sent there: name the address of its API with --api`,
    );
    expect(other.requests).toEqual([]);
  });

  test('along a redirect on the same server, and what is sent goes along', async () => {
    const { fake, forge } = await answering();
    fake.interfere = ({ path }) =>
      path === '/repos/acme/leases/issues/7/comments'
        ? undefined
        : { status: 307, headers: { Location: '/repos/acme/leases/issues/7/comments' } };
    fake.comments.push({ id: 5, author: 'x', body: 'old' });
    expect(await forge.list()).toHaveLength(1);
    fake.interfere = (_, earlier) =>
      earlier === 1
        ? { status: 308, headers: { Location: '/repos/acme/leases/issues/7/comments' } }
        : undefined;
    await forge.create('text');
    expect(fake.comments.at(-1)?.body).toBe('text');
  });

  test('not round in circles', async () => {
    const { fake, forge } = await answering();
    fake.interfere = ({ path }) => ({ status: 302, headers: { Location: path } });
    await expect(forge.author()).rejects.toThrow(/redirects more than 3 times/);
    expect(fake.requests).toHaveLength(4);
  });

  test('not to the next page on another server', async () => {
    const other = await fakeForge('github');
    const { forge } = await answering({
      status: 200,
      text: '[]',
      headers: { Link: `<${other.api}/x?page=2>; rel="next"` },
    });
    await expect(forge.list()).rejects.toThrow(/the token is not sent there/);
    expect(other.requests).toEqual([]);
  });

  test.each(['fake token', 'fake-token\n', 'tökén', ''])(
    '%j is not a valid token, and is not quoted',
    (token) => {
      expect(() =>
        forgeAt('github', { api: 'https://x.example' }, recordedWaiting(), { token }),
      ).toThrow(
        'SOME_TOKEN is not a valid token: it has a space, a line break or another character that no token has',
      );
    },
  );

  test('a server that repeats it does not make us show it', async () => {
    const echo = '{"message":"no: Bearer fake-token"}';
    const { forge } = await answering(
      { status: 422, text: echo },
      ...Array(6).fill({ status: 500, text: echo }),
    );
    await expect(forge.author()).rejects.toThrow(/no: Bearer \*\*\*/);
    await expect(forge.author()).rejects.toThrow(/no: Bearer \*\*\*.*run the job again/);
  });

  test('nor one that repeats it again and again', async () => {
    const { forge } = await answering({ status: 422, text: 'fake-token/'.repeat(4) });
    await expect(forge.author()).rejects.toThrow('(***/***/***/***/)');
  });

  test.each([422, 500])('nor one whose %i is cut short in the middle of it', async (status) => {
    const text = JSON.stringify({ message: `${'-'.repeat(195)}fake-token` });
    const { forge } = await answering(...Array(6).fill({ status, text }));
    await expect(forge.author()).rejects.toThrow(/ \(-{195}\*\*\*\)/);
  });
});
