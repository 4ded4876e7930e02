import { join } from 'node:path';
import { expect } from 'vitest';
import { poolsText } from '../declarations/pools-text.ts';
import { type BotRemote, botRemote } from '../repositories/bot-remote.ts';
import { remade } from '../repositories/cached-repository.ts';
import { checkHere } from '../run/direct-commands.ts';
import { putFile, tempTree } from '../trees/temp-tree.ts';
import { type Serving, serving } from './server.ts';

/** The ids of a cluster and of its namespace `shop`, as the operator sends them. */
const clusterId = '4b0a7a2e-8f6c-4a53-9d0c-6d1c2f1f7a10';
const namespaceId = '123e4567-e89b-12d3-a456-426614174000';

/** Those of another cluster. */
export const west = { cluster_id: 'west-kube-system', namespace_id: 'west-shop' } as const;

/** A value that must not reach git. */
const secret = 'only-its-owner-knows-this';
const token = 'a-token-of-ours';

/** Pools of two zones, for two clusters. */
export const ipamPools = poolsText(`metallb: { version: 0.15.3, layout: pool }
clusters:
  - { name: default, id: ${clusterId} }
  - { name: west, id: ${west.cluster_id} }
defaultCluster: default
defaultZone: inet
pools:
  - name: public
    zone: inet
    addresses: [203.0.113.0/30, '2001:db8::/126']
    retentionDays: 1
    advertise: { l2: {} }
  - name: private
    zone: hnet-private
    addresses: [192.0.2.0/28]
    advertise: { l2: {} }
`);

/** What `kubectl get namespaces -o json` prints for namespaces with these UIDs. */
function namespacesText(uids: Readonly<Record<string, string>>): string {
  const items = Object.entries(uids).map(([name, uid]) => ({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name, uid },
  }));
  return JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
}

/** Writes the namespaces of both clusters to files. Returns their names. */
export function putNamespaces(root: string): readonly string[] {
  const texts = {
    'default.json': { 'kube-system': clusterId, shop: namespaceId, '../../x': 'odd' },
    'west.json': { 'kube-system': west.cluster_id, shop: west.namespace_id },
  };
  for (const [name, uids] of Object.entries(texts)) putFile(root, name, namespacesText(uids));
  return Object.keys(texts).map((name) => join(root, name));
}

/** The body that the operator sends for the Service `web`, with changes. */
export function ipamBody(changes: object = {}, service: object = {}): object {
  const own = { service_name: 'web', namespace_id: namespaceId, cluster_id: clusterId };
  return {
    secret,
    zone: 'inet',
    ip_family: 'ipv4',
    address: '',
    ...changes,
    service: { ...own, ...service },
  };
}

/** An answer of the service: its status, and its JSON. */
type IpamAnswered = readonly [status: number, answer: { message: string; address?: string }];

/** A service that answers the operator from a clone of a remote. */
export interface IpamServing extends Serving {
  readonly remote: BotRemote;
  /** See {@link sender}. */
  send(method: string, path: string, body: unknown): Promise<IpamAnswered>;
  post(body?: object): Promise<IpamAnswered>;
  end(body: object): Promise<IpamAnswered>;
  /** What the branch has of a file. */
  file(path: string): string;
  /** The tree of the branch has no problem, and nothing in its history has the secret. */
  assertSound(): Promise<void>;
}

/** The header that Go makes of the user and the password of a URL. */
export const password = `Basic ${Buffer.from(`leasehold:${token}`).toString('base64')}`;

/** Sends bodies as the operator does: with the token in the URL's place for a password. */
export function sender(url: string): IpamServing['send'] {
  return async (method, path, body) => {
    const headers = { authorization: password, 'content-type': 'application/json' };
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const response = await fetch(`${url}${path}`, { method, headers, body: text });
    return [response.status, (await response.json()) as IpamAnswered[1]];
  };
}

/** Starts a service over a clone of a branch that declares these files. */
export async function ipamServing(
  files: Readonly<Record<string, string>> = {},
): Promise<IpamServing> {
  const { remote, clone, root } = await remade(`ipam ${JSON.stringify(files)}`, async () => {
    const root = tempTree();
    const made = await botRemote(root, { 'leases/pools.yaml': ipamPools, ...files });
    return { root, remote: made, clone: made.clone('serve') };
  });
  const ipam = { branch: 'main', namespaces: putNamespaces(root) };
  const served = await serving(clone.root, { token: Buffer.from(token), ipam });
  const send = sender(served.url);
  return {
    ...served,
    remote,
    send,
    post: (body = ipamBody()) => send('POST', '/v2/address', body),
    end: (body) => send('DELETE', '/v2/service', body),
    file: (path) => remote.git('show', `main:${path}`),
    async assertSound() {
      remote.person.git('pull', '-q', '--ff-only', 'origin', 'main');
      expect(await checkHere(remote.person.root)).toEqual([]);
      expect(remote.git('log', '-p', '--format=%B', 'main')).not.toContain(secret);
    },
  };
}

/** Where a request for the Service `web` of the namespace `shop` declares it. */
export const shopWeb = 'leases/default/shop/web.yaml';

/** The texts of ipam-api. */
export const said = {
  registered: 'Address registered successfully',
  updated: 'Address updated successfully',
  ended: 'Service expiration set successfully',
  cannotRegister: 'Could not register address: ',
  cannotEnd: 'Could not deregister service: ',
} as const;

/** A Service of the namespace `shop`, as a person declares it. */
export function serviceText(name: string, families: string): string {
  return `apiVersion: v1
kind: Service
metadata: { name: ${name}, namespace: shop, annotations: { ipam.vitistack.io/ip-family: ${families} } }
spec: { type: LoadBalancer, ports: [{ port: 80 }], selector: { app: ${name} } }
`;
}
