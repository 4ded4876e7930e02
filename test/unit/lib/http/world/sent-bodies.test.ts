import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { WebAnswer } from '../../../../../src/lib/http/web.ts';
import { limits } from '../../../../../src/lib/http/world/connections.ts';
import { encodedTag, SentBodies } from '../../../../../src/lib/http/world/sent-bodies.ts';

function answer(length: number): WebAnswer {
  return { status: 200, type: 'text/plain', body: 'é'.repeat(length) };
}

/** The connection of a client, which closes when a test says so. */
function client(): ServerResponse {
  return new EventEmitter() as unknown as ServerResponse;
}

test('an answer is compressed once, whoever asks', async () => {
  const bodies = new SentBodies();
  const one = answer(5_000);
  const first = bodies.take(one, 'gzip', client());
  expect(bodies.take(one, 'gzip', client())).toBe(first);
  expect(gunzipSync((await first) ?? '').toString()).toBe(one.body);
  const plain = bodies.take(one, 'identity', client());
  expect(bodies.take(one, 'identity', client())).toBe(plain);
  expect(bodies.take(answer(5_000), 'gzip', client())).not.toBe(first);
});

test('an answer below a kilobyte is sent as it is', () => {
  const bodies = new SentBodies();
  expect(bodies.encodingOf(answer(limits.compressedBody - 1), 'gzip')).toBe('identity');
  expect(bodies.encodingOf(answer(limits.compressedBody), 'gzip')).toBe('gzip');
  expect(bodies.encodingOf(answer(limits.compressedBody), 'identity')).toBe('identity');
});

test('while many answers are compressed, another one is sent as it is, and those are not', async () => {
  const bodies = new SentBodies();
  const busy = Array.from({ length: limits.mostCompressing }, () => answer(5_000));
  const sent = busy.map((one) => bodies.take(one, 'gzip', client()));
  expect(bodies.encodingOf(answer(5_000), 'gzip')).toBe('identity');
  expect(bodies.encodingOf(busy[0] as WebAnswer, 'gzip')).toBe('gzip');
  await Promise.all(sent);
  expect(bodies.encodingOf(answer(5_000), 'gzip')).toBe('gzip');
});

test('clients of one large answer share its bytes, also slow clients', () => {
  const bodies = new SentBodies();
  const one = answer(limits.largeBody);
  const first = bodies.take(one, 'identity', client());
  expect(first).toHaveLength(2 * limits.largeBody);
  for (let clients = 0; clients < 100; clients += 1) {
    expect(bodies.take(one, 'identity', client())).toBe(first);
  }
});

test('large answers that slow clients hold are bounded in both encodings together', async () => {
  const bodies = new SentBodies();
  const clients = Array.from({ length: limits.mostLarge }, client);
  const held = clients.map((one, index) =>
    bodies.take(answer(limits.largeBody), index % 2 === 0 ? 'gzip' : 'identity', one),
  );
  expect(held).not.toContain(undefined);
  const next = answer(limits.largeBody);
  expect(bodies.take(next, 'gzip', client())).toBeUndefined();
  expect(bodies.take(next, 'identity', client())).toBeUndefined();
  expect(bodies.take(answer(limits.largeBody - 1), 'identity', client())).toBeDefined();
  clients[0]?.emit('close');
  expect(bodies.take(next, 'gzip', client())).toBeDefined();
  expect(bodies.take(next, 'identity', client())).toBeDefined();
  await Promise.all(held);
});

test('the tag of an encoding has its name', () => {
  expect(encodedTag('"abc"', 'identity')).toBe('"abc"');
  expect(encodedTag('"abc"', 'gzip')).toBe('"abc-gzip"');
});
