import { describe, expect, test } from 'vitest';
import { type CommentOrder, postComments } from '../../../../src/features/forge/comment.ts';
import { type FakeForge, fakeForge } from '../../../support/forge/fake-forge.ts';
import { bodyOf, forgeAt, recordedWaiting } from '../../../support/forge/forge-client.ts';

const kinds = ['github', 'gitlab', 'forgejo', 'gitea'] as const;
const bot = 'leasehold-bot';

const textsOf = (fake: FakeForge) => fake.comments.map(({ id, body }) => `${id} ${body}`);

describe.each(kinds)('comments on %s', (kind) => {
  const post = (fake: FakeForge, order: Partial<CommentOrder>, waiting = recordedWaiting()) =>
    postComments(forgeAt(kind, fake, waiting), { key: 'default', bodies: [], ...order }, waiting);
  const changes = (fake: FakeForge) => fake.log().filter((line) => !line.startsWith('GET '));

  test('the first plan is written once', async () => {
    const fake = await fakeForge(kind);
    fake.comments.push({ id: 3, author: 'alice', body: 'Nice' });
    const posted = await post(fake, { bodies: [bodyOf('new')] });
    expect(posted).toEqual({ created: 1, updated: 0, removed: 0, untouched: 0 });
    expect(textsOf(fake)).toEqual(['3 Nice', `101 ${bodyOf('new')}`]);
    expect(changes(fake)).toHaveLength(1);
  });

  test('an earlier plan is updated in place', async () => {
    const fake = await fakeForge(kind);
    fake.comments.push({ id: 3, author: bot, body: bodyOf('old') });
    const posted = await post(fake, { bodies: [bodyOf('new')] });
    expect(posted).toEqual({ created: 0, updated: 1, removed: 0, untouched: 0 });
    expect(textsOf(fake)).toEqual([`3 ${bodyOf('new')}`]);
  });

  test.each([
    ['as it was sent', bodyOf('a\nb')],
    ['with other line ends', bodyOf('a\nb').replaceAll('\n', '\r\n')],
    ['without the last line end', bodyOf('a\nb').trimEnd()],
  ])('an equal plan is left alone, %s', async (_, body) => {
    const fake = await fakeForge(kind);
    fake.comments.push({ id: 3, author: bot, body });
    const posted = await post(fake, { bodies: [bodyOf('a\nb')] });
    expect(posted).toEqual({ created: 0, updated: 0, removed: 0, untouched: 1 });
    expect(changes(fake)).toEqual([]);
  });

  test('an earlier plan is found on the last of many pages', async () => {
    const fake = await fakeForge(kind);
    fake.pageSize = 10;
    for (let id = 1; id <= 45; id += 1) fake.comments.push({ id, author: 'alice', body: 'x' });
    fake.comments.push({ id: 46, author: bot, body: bodyOf('old') });
    await post(fake, { bodies: [bodyOf('new')] });
    expect(fake.comments.at(-1)).toMatchObject({ id: 46, body: bodyOf('new') });
    expect(fake.comments).toHaveLength(46);
  });

  test('a comment of another user with the marker is left alone', async () => {
    const fake = await fakeForge(kind);
    fake.comments.push({ id: 3, author: 'mallory', body: bodyOf('approved!') });
    await post(fake, { bodies: [bodyOf('new')] });
    expect(textsOf(fake)).toEqual([`3 ${bodyOf('approved!')}`, `101 ${bodyOf('new')}`]);
  });

  test.each([
    ['another key', bodyOf('other', 1, 'staging')],
    ['a longer key', bodyOf('other', 1, 'default2')],
    ['a marker in the middle', `Look:\n${bodyOf('quoted')}`],
    ['part zero', bodyOf('other', 0)],
    ['an invalid part number', '<!-- leasehold:plan:default:x -->\n'],
  ])('a comment of ours with %s stays', async (_, body) => {
    const fake = await fakeForge(kind);
    fake.comments.push({ id: 3, author: bot, body });
    await post(fake, { bodies: [bodyOf('new')] });
    expect(textsOf(fake)).toEqual([`3 ${body}`, `101 ${bodyOf('new')}`]);
  });

  test('parts that a shorter plan has no use for are removed', async () => {
    const fake = await fakeForge(kind);
    for (const part of [1, 2, 3, 4]) {
      fake.comments.push({ id: part, author: bot, body: bodyOf('old', part) });
    }
    const posted = await post(fake, { bodies: [bodyOf('new', 1), bodyOf('old', 2)] });
    expect(posted).toEqual({ created: 0, updated: 1, removed: 2, untouched: 1 });
    expect(textsOf(fake)).toEqual([`1 ${bodyOf('new', 1)}`, `2 ${bodyOf('old', 2)}`]);
  });

  test('parts that a longer plan needs are added', async () => {
    const fake = await fakeForge(kind);
    fake.comments.push({ id: 1, author: bot, body: bodyOf('a', 1) });
    const bodies = [bodyOf('a', 1), bodyOf('b', 2), bodyOf('c', 3)];
    const posted = await post(fake, { bodies });
    expect(posted).toEqual({ created: 2, updated: 0, removed: 0, untouched: 1 });
    expect(fake.comments.map(({ body }) => body)).toEqual(bodies);
  });

  test('the first duplicate is kept, whatever the order of the list', async () => {
    const fake = await fakeForge(kind);
    for (const id of [1000, 999, 20]) fake.comments.push({ id, author: bot, body: bodyOf('old') });
    const posted = await post(fake, { bodies: [bodyOf('new')] });
    expect(posted).toEqual({ created: 0, updated: 1, removed: 2, untouched: 0 });
    expect(textsOf(fake)).toEqual([`20 ${bodyOf('new')}`]);
  });

  test('two jobs that write at once leave one comment', async () => {
    const fake = await fakeForge(kind);
    fake.interfere = ({ method }) => {
      const isFirst = method === 'POST' && fake.comments.length === 0;
      if (isFirst) fake.comments.push({ id: 50, author: bot, body: bodyOf('of the other job') });
      return undefined;
    };
    const posted = await post(fake, { bodies: [bodyOf('new')] });
    expect(textsOf(fake)).toEqual([`50 ${bodyOf('new')}`]);
    expect(posted).toEqual({ created: 0, updated: 1, removed: 0, untouched: 0 });
  });

  test('a comment that is deleted between list and update is written again', async () => {
    const fake = await fakeForge(kind);
    fake.comments.push({ id: 3, author: bot, body: bodyOf('old') });
    fake.interfere = ({ method }) => {
      if (method === 'PATCH' || method === 'PUT') fake.comments.length = 0;
      return undefined;
    };
    const posted = await post(fake, { bodies: [bodyOf('new')] });
    expect(posted).toEqual({ created: 1, updated: 0, removed: 0, untouched: 0 });
    expect(textsOf(fake)).toEqual([`101 ${bodyOf('new')}`]);
  });

  test('a duplicate that is already deleted is ignored', async () => {
    const fake = await fakeForge(kind);
    for (const id of [1, 2]) fake.comments.push({ id, author: bot, body: bodyOf('new') });
    fake.interfere = ({ method }) => {
      if (method === 'DELETE') fake.comments.length = 1;
      return undefined;
    };
    await post(fake, { bodies: [bodyOf('new')] });
    expect(textsOf(fake)).toEqual([`1 ${bodyOf('new')}`]);
  });

  test('a connection lost while a comment is written leads to a look, and not to a second comment', async () => {
    const fake = await fakeForge(kind);
    const waiting = recordedWaiting();
    fake.interfere = ({ method }) => (method === 'POST' ? 'drop after doing it' : undefined);
    const posted = await post(fake, { bodies: [bodyOf('new')] }, waiting);
    expect(fake.comments).toHaveLength(1);
    expect(changes(fake)).toHaveLength(1);
    expect(waiting.pauses).toEqual([2000]);
    expect(posted.created).toBe(0);
  });

  test('a comment that was not written is written after the look', async () => {
    const fake = await fakeForge(kind);
    fake.interfere = ({ method }, earlier) =>
      method === 'POST' && earlier === 0 ? { status: 502 } : undefined;
    await post(fake, { bodies: [bodyOf('new')] });
    expect(fake.comments).toHaveLength(1);
    expect(changes(fake)).toHaveLength(2);
  });

  test('a forge that never takes a comment is a failure', async () => {
    const fake = await fakeForge(kind);
    fake.interfere = ({ method }) => (method === 'POST' ? { status: 500 } : undefined);
    await expect(post(fake, { bodies: [bodyOf('new')] })).rejects.toThrow(/ answers 500$/);
    expect(changes(fake)).toHaveLength(5);
  });

  test('a list that shows a new comment late is believed no earlier', async () => {
    const fake = await fakeForge(kind);
    const posting = post(fake, { bodies: [bodyOf('new')] });
    fake.interfere = ({ method }) =>
      method === 'GET' && fake.comments.length > 0 ? { status: 200, text: '[]' } : undefined;
    await posting;
    expect(fake.comments).toHaveLength(1);
  });

  test('comments that change all the time are given up', async () => {
    const fake = await fakeForge(kind);
    let id = 3;
    fake.interfere = ({ method, path }) => {
      if (method !== 'GET') return { status: 404, text: '{"message":"Not Found"}' };
      id += 1;
      const author = { login: bot, username: bot };
      const comment = { id, body: bodyOf('old'), user: author, author };
      return path.includes('sort=') || path.includes('comments')
        ? { status: 200, text: JSON.stringify([comment]) }
        : undefined;
    };
    await expect(post(fake, { bodies: [bodyOf('new')] })).rejects.toThrow(
      /^the comments on \w+ request 7 of acme\/leases keep changing while they are written/,
    );
    expect(changes(fake)).toHaveLength(5);
  });

  test('the author of a comment comes from the forge', async () => {
    const fake = await fakeForge(kind);
    fake.writer = 'Other-Bot';
    fake.comments.push({ id: 3, author: 'other-bot', body: bodyOf('old') });
    await post(fake, { bodies: [bodyOf('new')] });
    expect(textsOf(fake)).toEqual([`3 ${bodyOf('new')}`]);
  });

  test('an author that is named is not asked for', async () => {
    const fake = await fakeForge(kind);
    fake.comments.push({ id: 3, author: 'My-App[bot]', body: bodyOf('old') });
    await post(fake, { bodies: [bodyOf('new')], author: 'my-app[bot]' });
    expect(textsOf(fake)).toEqual([`3 ${bodyOf('new')}`]);
    expect(fake.log().filter((line) => line.endsWith('/user'))).toEqual([]);
  });
});
