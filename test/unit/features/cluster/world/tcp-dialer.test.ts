import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { tcpDialer } from '../../../../../src/features/cluster/world/tcp-dialer.ts';

describe('tcpDialer', () => {
  it('finds an open port, and then nothing at the same port', async () => {
    const server = createServer((socket) => socket.end()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    expect(await tcpDialer().dial('127.0.0.1', port)).toBe('answers');
    await new Promise((resolve) => server.close(resolve));
    expect(await tcpDialer().dial('127.0.0.1', port)).toBe('refuses');
  });

  it('takes an unreachable network for silent when this machine has a route to it', async () => {
    // Linux opens no TCP connection to a broadcast address: ENETUNREACH.
    expect(await tcpDialer().dial('127.255.255.255', 80)).toBe('silent');
  });

  it('ends a connection that is being opened when its signal aborts, and opens no other', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const controller = new AbortController();
    const { dial } = tcpDialer(controller.signal);
    const dialing = dial('127.0.0.1', port);
    controller.abort();
    await expect(dialing).rejects.toThrow(/abort/);
    await expect(dial('127.0.0.1', port)).rejects.toThrow(/abort/);
    await new Promise((resolve) => server.close(resolve));
  });
});
