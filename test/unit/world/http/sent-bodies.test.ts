import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import type { WebAnswer } from '../../../../src/ports/web.ts';
import { limits, SentBodies } from '../../../../src/world/http/connections.ts';

const answerOf = (length: number): WebAnswer => ({
  status: 200,
  type: 'application/json',
  body: 'é'.repeat(length),
});
const client = () => new EventEmitter() as ServerResponse;

test('clients of one answer share its bytes, also slow clients', () => {
  const bodies = new SentBodies();
  const answer = answerOf(limits.largeBody);
  const first = bodies.take(answer, client());
  expect(first?.byteLength).toBe(2 * limits.largeBody);
  for (let clients = 0; clients < 100; clients += 1) {
    expect(bodies.take(answer, client())).toBe(first);
  }
});

test('large answers for one client each are bounded until they are through, and small ones are not', () => {
  const bodies = new SentBodies();
  const clients = Array.from({ length: limits.mostLarge }, client);
  for (const one of clients) expect(bodies.take(answerOf(limits.largeBody), one)).toBeDefined();
  expect(bodies.take(answerOf(limits.largeBody), client())).toBeUndefined();
  expect(bodies.take(answerOf(limits.largeBody - 1), client())).toBeDefined();
  clients[0]?.emit('close');
  expect(bodies.take(answerOf(limits.largeBody), client())).toBeDefined();
  expect(bodies.take(answerOf(limits.largeBody), client())).toBeUndefined();
});
