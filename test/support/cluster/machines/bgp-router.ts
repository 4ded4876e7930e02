import { createServer, type Socket } from 'node:net';
import { isFree } from './free-port.ts';

/** A router that takes sessions from MetalLB's speakers and keeps what they announce. */
export interface BgpRouter {
  readonly port: number;
  /** The prefixes that a speaker announces now, by its router id, such as `10.0.0.1`: sorted. */
  announcedBy(routerId: string): readonly string[];
  close(): Promise<void>;
}

/** The number of the autonomous system that the router and all speakers are in. */
export const routerAsn = 64_512;

const routerId = [192, 0, 2, 254] as const;
const [open, update, keepalive] = [1, 2, 4];

/** Starts a router on loopback, on a port that MetalLB's BGPPeer takes: 16384 at most. */
export async function startBgpRouter(): Promise<BgpRouter> {
  const routes = new Map<string, Set<string>>();
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    serve(socket, routes);
  });
  let port = 16_000;
  while (!(await isFree(port, '127.0.0.1'))) port += 1;
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    port,
    announcedBy: (id) => [...(routes.get(id) ?? [])].sort(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** One session: what it announced goes when it ends. RFC 4271, as far as MetalLB's own speaker goes. */
function serve(socket: Socket, routes: Map<string, Set<string>>): void {
  let rest = Buffer.alloc(0);
  const own = new Set<string>();
  let speaker = '';
  const take = (type: number, body: Buffer): void => {
    if (type === open) {
      speaker = body.subarray(5, 9).join('.');
      routes.set(speaker, own);
      // The same version, system, times and capabilities, and another router id.
      socket.write(
        message(
          open,
          Buffer.concat([body.subarray(0, 5), Buffer.from(routerId), body.subarray(9)]),
        ),
      );
    }
    if (type === open || type === keepalive) socket.write(message(keepalive, Buffer.alloc(0)));
    if (type === update) takeUpdate(body, own);
  };
  socket.on('data', (part) => {
    rest = Buffer.concat([rest, part]);
    while (rest.length >= 19 && rest.length >= rest.readUInt16BE(16)) {
      const length = rest.readUInt16BE(16);
      take(rest.readUInt8(18), rest.subarray(19, length));
      rest = rest.subarray(length);
    }
  });
  socket.on('error', () => socket.destroy());
  socket.on('close', () => {
    if (routes.get(speaker) === own) routes.delete(speaker);
  });
}

function message(type: number, body: Buffer): Buffer {
  const head = Buffer.alloc(19, 0xff);
  head.writeUInt16BE(19 + body.length, 16);
  head.writeUInt8(type, 18);
  return Buffer.concat([head, body]);
}

/** Withdrawn routes, attributes, announced routes: RFC 4271, 4.3. */
function takeUpdate(body: Buffer, routes: Set<string>): void {
  const withdrawn = 2 + body.readUInt16BE(0);
  const attributes = withdrawn + 2 + body.readUInt16BE(withdrawn);
  for (const prefix of prefixesIn(body.subarray(2, withdrawn))) routes.delete(prefix);
  for (const prefix of prefixesIn(body.subarray(attributes))) routes.add(prefix);
}

function prefixesIn(part: Buffer): readonly string[] {
  const prefixes: string[] = [];
  for (let at = 0; at < part.length; ) {
    const length = part.readUInt8(at);
    const bytes = Math.ceil(length / 8);
    const octets = [...part.subarray(at + 1, at + 1 + bytes), 0, 0, 0, 0].slice(0, 4);
    prefixes.push(`${octets.join('.')}/${length}`);
    at += 1 + bytes;
  }
  return prefixes;
}
