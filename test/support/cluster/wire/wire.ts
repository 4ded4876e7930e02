import type { Keeper } from '../machines/keeper.ts';
import { ip } from '../machines/own-network.ts';
import { makeNamespace, type NetworkNamespace } from './network-namespace.ts';

/** The bridge in the network of this process: a switch, and the client that asks. */
export const bridge = 'br0';
/** The addresses of the client. */
export const client = { ipv4: '192.168.77.2', ipv6: 'fd77::2' } as const;
/** The addresses of the pod. It listens on port 80, and for HTTP on {@link httpPort}. */
export const podAddresses = { ipv4: '10.244.0.2', ipv6: 'fd00:244::2' } as const;

/** Where the pod takes HTTP requests. It answers with the host that was asked for, and with the path. */
export const httpPort = 8080;

/** A node with a cable to the bridge. */
export interface WireNode {
  readonly name: 'node-a' | 'node-b';
  readonly ipv4: string;
  readonly ipv6: string;
  readonly mac: string;
  readonly namespace: NetworkNamespace;
}

/** Two nodes on a bridge, and a pod behind the first of them. */
export interface Wire {
  readonly nodes: readonly [WireNode, WireNode];
  /** Takes the bridge away, and ends the namespaces. */
  close(): Promise<void>;
}

/** What the pod says to each client. */
export const greeting = 'the pod answers';

/** Lays the wire. The client has the addresses {@link client} in 192.168.77.0/24 and fd77::/64. */
export async function layWire(keeper: Keeper): Promise<Wire> {
  ip('link', 'add', bridge, 'type', 'bridge', 'mcast_snooping', '0');
  ip('link', 'set', bridge, 'up');
  ip('addr', 'add', `${client.ipv4}/24`, 'dev', bridge);
  ip('addr', 'add', `${client.ipv6}/64`, 'dev', bridge, 'nodad');
  const [a, b] = [await addNode(keeper, 'node-a', 11), await addNode(keeper, 'node-b', 12)];
  const pod = await addPod(keeper, a);
  b.namespace.run('ip', 'route', 'add', '10.244.0.0/24', 'via', a.ipv4);
  b.namespace.run('ip', 'route', 'add', 'fd00:244::/64', 'via', a.ipv6);
  const close = async (): Promise<void> => {
    ip('link', 'delete', bridge);
    await Promise.all([a.namespace, b.namespace, pod].map((namespace) => namespace.stop()));
  };
  return { nodes: [a, b], close };
}

async function addNode(keeper: Keeper, name: WireNode['name'], host: number): Promise<WireNode> {
  const namespace = await makeNamespace(keeper, name);
  const [ipv4, ipv6] = [`192.168.77.${host}`, `fd77::${host}`];
  const mac = `02:00:00:00:00:${host}`;
  // Its addresses are unique, so duplicate address detection is off.
  namespace.set('ipv6/conf/default/accept_dad', '0');
  for (const variable of ['ipv4/ip_forward', 'ipv6/conf/all/forwarding'])
    namespace.set(variable, '1');
  connect(name, namespace, mac);
  ip('link', 'set', name, 'master', bridge, 'up');
  setUp(namespace, 'eth0', [`${ipv4}/24`, `${ipv6}/64`]);
  return { name, ipv4, ipv6, mac, namespace };
}

async function addPod(keeper: Keeper, { namespace: node }: WireNode): Promise<NetworkNamespace> {
  const pod = await makeNamespace(keeper, 'pod');
  const peer = ['peer', 'name', 'eth0', 'netns', pod.pid];
  node.run('ip', 'link', 'add', 'pod', 'type', 'veth', ...peer);
  setUp(node, 'pod', ['10.244.0.1/24', 'fd00:244::1/64']);
  setUp(pod, 'eth0', [`${podAddresses.ipv4}/24`, `${podAddresses.ipv6}/64`]);
  pod.run('ip', 'route', 'add', 'default', 'via', '10.244.0.1');
  pod.run('ip', 'route', 'add', 'default', 'via', 'fd00:244::1');
  // A client that hangs up at once is an error of its socket, and must not end the pod.
  const answer = `(to) => to.on('error', () => {}).end('${greeting}')`;
  const echo = `({ headers, url }, to) => to.end(headers.host + url)`;
  const listen = [
    `require('node:net').createServer(${answer}).listen(80, '::')`,
    `require('node:http').createServer(${echo}).listen(${httpPort}, '::')`,
  ].join(';');
  await pod.start({ name: 'pod', command: process.execPath, args: ['-e', listen] });
  return pod;
}

/** A cable: `name` at this end, `eth0` with the MAC in the namespace. */
function connect(name: string, { pid }: NetworkNamespace, mac: string): void {
  ip('link', 'add', name, 'type', 'veth', 'peer', 'name', 'eth0', 'address', mac, 'netns', pid);
}

function setUp(namespace: NetworkNamespace, device: string, addresses: readonly string[]): void {
  namespace.run('ip', 'link', 'set', device, 'up');
  for (const address of addresses) {
    const more = address.includes(':') ? ['nodad'] : [];
    namespace.run('ip', 'addr', 'add', address, 'dev', device, ...more);
  }
}
