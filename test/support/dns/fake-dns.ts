import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { decode, encode } from 'dns-packet';
import { onTestFinished } from 'vitest';

/** A DNS server on loopback that knows TXT records. */
export interface FakeDns {
  /** Its address, as `--resolver` takes it. */
  readonly server: string;
  /** By name. `SERVFAIL` fails; a name without an entry does not exist. */
  readonly records: Map<string, readonly string[] | 'SERVFAIL'>;
  /** The names that were asked for, in their order. */
  readonly asked: string[];
}

/** The response codes of RFC 1035, 4.1.1. */
const [serverFailure, nameError] = [2, 3];

/** Starts one, which ends with the test. */
export async function fakeDns(): Promise<FakeDns> {
  const records: FakeDns['records'] = new Map();
  const asked: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (bytes, from) => {
    const { id, questions = [] } = decode(bytes);
    const [{ name = '' } = {}] = questions;
    asked.push(name);
    const found = records.get(name);
    const code = found === 'SERVFAIL' ? serverFailure : found ? 0 : nameError;
    const texts = found === undefined || found === 'SERVFAIL' ? [] : found;
    const answers = texts.map((text) => ({
      type: 'TXT' as const,
      name,
      ttl: 60,
      data: parts(text),
    }));
    const answer = encode({
      type: 'response',
      ...(id !== undefined && { id }),
      flags: code,
      questions,
      answers,
    });
    socket.send(answer, from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  onTestFinished(() => void socket.close());
  return { server: `127.0.0.1:${socket.address().port}`, records, asked };
}

/** A text as the character strings of a record, which have at most 255 bytes each: here 20. */
function parts(text: string): string[] {
  return text.match(/.{1,20}/g) ?? [''];
}
