import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KubeObject } from '../kube.ts';
import type { Keeper, Running } from '../machines/keeper.ts';
import { metallbNamespace } from '../machines/metallb-pods.ts';
import { systemPath } from '../machines/own-network.ts';
import { client } from './wire.ts';

/** A route as one peer announces it. */
interface BirdRoute {
  readonly prefix: string;
  /** The node that is the next hop. */
  readonly from: string;
  readonly localPref: string;
  /** Such as `(64512,100)`. */
  readonly communities: string;
}

/** A BIRD that takes sessions of the nodes on the wire. The client routes by what they announce. */
export interface Bird {
  readonly program: Running;
  /** All routes that it has now, sorted. */
  routes(): readonly BirdRoute[];
}

const asn = 64_512;

const configurationWith = (more: string): string => `
router id ${client.ipv4};
protocol device {}
protocol kernel { ipv4 { import none; export all; }; }
protocol bgp nodes {
  local ${client.ipv4} as ${asn};
  neighbor range 192.168.77.0/24 as ${asn};
  direct;
  ipv4 { import all; export none; };
  ${more}
}
`;

/** The BGPPeer by which MetalLB's speakers find it. */
export const birdPeer: KubeObject = {
  apiVersion: 'metallb.io/v1beta2',
  kind: 'BGPPeer',
  metadata: { name: 'bird', namespace: metallbNamespace },
  spec: { myASN: asn, peerASN: asn, peerAddress: client.ipv4 },
};

/** Starts BIRD where the client is, with more settings of its sessions. */
export async function startBird(keeper: Keeper, more = ''): Promise<Bird> {
  const folder = mkdtempSync(join(keeper.folder, 'bird-'));
  const [file, socket] = [join(folder, 'bird.conf'), join(folder, 'bird.ctl')];
  writeFileSync(file, configurationWith(more));
  const program = await keeper.start({
    name: 'bird',
    command: 'bird',
    args: ['-f', '-c', file, '-s', socket],
    env: { PATH: systemPath },
  });
  const routes = (): readonly BirdRoute[] => {
    const env = { ...process.env, PATH: systemPath };
    const ask = ['-r', '-s', socket, 'show', 'route', 'all'];
    return routesIn(execFileSync('birdc', ask, { env, encoding: 'utf8' }));
  };
  return { program, routes };
}

/** Reads `show route all`: a prefix, its first peer and that one's attributes, the next peer, and so on. */
function routesIn(shown: string): readonly BirdRoute[] {
  const routes: BirdRoute[] = [];
  let prefix = '';
  for (const part of shown.split(/^(?=\S+\/\d+\s| +unicast )/m)) {
    const found = (pattern: RegExp): string => pattern.exec(part)?.[1] ?? '';
    prefix = found(/^(\S+\/\d+)\s/) || prefix;
    const from = found(/BGP\.next_hop: (\S+)/);
    const localPref = found(/BGP\.local_pref: (\S+)/);
    const communities = found(/BGP\.community: (.+)/);
    if (from) routes.push({ prefix, from, localPref, communities });
  }
  return routes.sort((left, right) => (keyOf(left) < keyOf(right) ? -1 : 1));
}

function keyOf({ prefix, from }: BirdRoute): string {
  return `${prefix} ${from}`;
}
