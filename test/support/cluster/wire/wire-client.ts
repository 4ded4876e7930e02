import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createConnection, isIPv6 } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import type { Running } from '../machines/keeper.ts';
import { ip } from '../machines/own-network.ts';
import { until } from '../wait.ts';
import { bridge, greeting } from './wire.ts';

/** What `ip -json neighbour` tells of an address. */
interface Neighbour {
  readonly dst: string;
  readonly lladdr?: string;
  readonly state: readonly string[];
}

/**
 * The MAC that answers for each address on the bridge, by ARP or neighbour discovery; `silent` after the kernel
 * has asked three times, a second apart.
 */
export async function macsOf(addresses: readonly string[]): Promise<ReadonlyMap<string, string>> {
  for (const family of ['-4', '-6']) ip(family, 'neighbour', 'flush', 'dev', bridge);
  await Promise.all(addresses.map(knock));
  // All of this can be over without the event loop: who asks again and again would let nobody read from a socket.
  await setImmediate();
  const ask = (): ReadonlyMap<string, string> | undefined => {
    const neighbours: readonly Neighbour[] = JSON.parse(
      ip('-json', 'neighbour', 'show', 'dev', bridge) || '[]',
    );
    const known = new Map(neighbours.map((one) => [one.dst, one]));
    const answers = addresses.map((address) => [address, answerOf(known.get(address))] as const);
    const isOver = answers.every((answer): answer is [string, string] => answer[1] !== undefined);
    return isOver ? new Map(answers as readonly [string, string][]) : undefined;
  };
  return until(ask, { what: `an answer of ${addresses.join(', ')}`, within: 20_000 });
}

function answerOf(neighbour: Neighbour | undefined): string | undefined {
  if (neighbour?.lladdr) return neighbour.lladdr;
  return neighbour?.state.includes('FAILED') ? 'silent' : undefined;
}

/** Sends a datagram, so that the kernel must find out who has the address. */
async function knock(address: string): Promise<void> {
  const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4');
  await new Promise((sent) => socket.send('', 9, address, sent));
  socket.close();
}

/** Waits until a TCP connection to an address reaches the pod: kube-proxy is a moment behind. */
export async function untilHeard(address: string, programs: readonly Running[]): Promise<void> {
  const isHeard = async () => ((await heardFrom(address, 80)) === greeting ? true : undefined);
  await until(isHeard, { what: `the pod behind ${address}`, within: 30_000, programs });
}

/** What a TCP listener says; `no answer` when nothing takes the connection within some milliseconds. */
export async function heardFrom(address: string, port: number, within = 3_000): Promise<string> {
  const socket = createConnection({ host: address, port });
  const giveUp = setTimeout(() => socket.destroy(new Error('too late')), within);
  try {
    await once(socket, 'connect');
    return await text(socket);
  } catch {
    return 'no answer';
  } finally {
    clearTimeout(giveUp);
    socket.destroy();
  }
}
