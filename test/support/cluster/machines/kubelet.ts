import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { KubeObject } from '../kube.ts';
import type { Machine } from './machine.ts';

/** A node without pods of DaemonSets, whose kubelet knows nothing but logs. */
export interface LoggingNode {
  readonly node: KubeObject;
  close(): Promise<void>;
}

/** Adds a node to a cluster. Its kubelet answers every question with the same log; the API server asks it as any other. */
export async function startLoggingNode(
  { plane, folder }: Machine,
  name: string,
  log: string,
): Promise<LoggingNode> {
  // The API server checks no certificate of a kubelet unless told to.
  const file = (ending: string) => readFileSync(join(folder, 'plane/certs', `apiserver.${ending}`));
  const server = createServer({ key: file('key'), cert: file('crt') }, (_, answer) => {
    answer.setHeader('content-type', 'text/plain').end(log);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const node = { apiVersion: 'v1', kind: 'Node', metadata: { name } };
  await plane.kube.apply(node);
  const status = {
    addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
    daemonEndpoints: { kubeletEndpoint: { Port: port } },
  };
  await plane.kube.merge(node, { status }, '/status');
  const close = async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  };
  return { node, close };
}
