import { Resolver } from 'node:dns/promises';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { programFolder } from '../programs/programs.ts';
import { until } from '../wait.ts';
import { freePort } from './free-port.ts';
import type { Machine } from './machine.ts';

/** CoreDNS on loopback, which answers for the Services of a machine as the DNS of a cluster does. */
export interface ClusterDns {
  /** The addresses of a name in a namespace, IPv4 first; empty when there is no such name. */
  addressesOf(name: string, namespace: string): Promise<readonly string[]>;
}

/** Starts CoreDNS and waits until it answers. Its keeper ends it. */
export async function startClusterDns({ keeper, folder, plane }: Machine): Promise<ClusterDns> {
  const port = await freePort();
  const corefile = join(folder, 'Corefile');
  writeFileSync(
    corefile,
    `.:${port} {
  bind 127.0.0.1
  errors
  kubernetes cluster.local {
    kubeconfig ${plane.kubeconfig}
  }
}
`,
  );
  const program = await keeper.start({
    name: 'coredns',
    command: join(programFolder('coredns'), 'coredns'),
    args: ['-conf', corefile],
  });
  const resolver = new Resolver({ timeout: 1000, tries: 1 });
  resolver.setServers([`127.0.0.1:${port}`]);
  const ask = async (type: 'A' | 'AAAA', name: string): Promise<readonly string[]> => {
    try {
      return await (type === 'A' ? resolver.resolve4(name) : resolver.resolve6(name));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOTFOUND' || code === 'ENODATA') return [];
      throw error;
    }
  };
  const addressesOf: ClusterDns['addressesOf'] = async (name, namespace) => {
    const full = `${name}.${namespace}.svc.cluster.local`;
    return [...(await ask('A', full)), ...(await ask('AAAA', full))];
  };
  // A name that every cluster has.
  await until(async () => (await addressesOf('kubernetes', 'default')).length > 0 || undefined, {
    what: 'a DNS that knows the Services',
    programs: [program],
  });
  return { addressesOf };
}
