import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KubeObject } from '../kube.ts';
import { objectsIn } from '../manifests.ts';
import { programFolder } from '../programs/programs.ts';
import { until } from '../wait.ts';
import { freePort } from './free-port.ts';
import type { Keeper, Running } from './keeper.ts';

/** A record of a DNS zone, as `NAME TYPE VALUE`. */
type ZoneRecord = `${string} ${string} ${string}`;

/** An external-dns whose zones are in its memory. */
export interface ExternalDns {
  readonly program: Running;
  /** Lets it do one round, and gives the records of its types that its zones have after that, sorted. */
  records(...types: readonly string[]): Promise<readonly ZoneRecord[]>;
}

/** The definition of the DNSEndpoint. */
export function dnsDefinitions(): readonly KubeObject[] {
  const file = join(programFolder('external-dns'), 'dnsendpoints.externaldns.k8s.io.yaml');
  return objectsIn(readFileSync(file, 'utf8'));
}

/** Where external-dns runs. */
interface ExternalDnsPlace {
  readonly keeper: Keeper;
  readonly kubeconfig: string;
  readonly zones: readonly string[];
}

/** Starts external-dns with the options of docs/dns.md, and waits until it answers. */
export async function startExternalDns(place: ExternalDnsPlace): Promise<ExternalDns> {
  const { keeper, kubeconfig, zones } = place;
  const port = await freePort();
  const program = await keeper.start({
    name: 'external-dns',
    command: join(programFolder('external-dns'), 'external-dns'),
    args: [
      String(port),
      zones.join(','),
      '--provider=inmemory',
      `--kubeconfig=${kubeconfig}`,
      '--txt-owner-id=suite',
      '--source=crd',
      '--policy=sync',
      '--create-ptr',
      ...['A', 'AAAA', 'PTR'].map((type) => `--managed-record-types=${type}`),
    ],
  });
  const records: ExternalDns['records'] = async (...types) => {
    const answer = await fetch(`http://127.0.0.1:${port}/`);
    if (!answer.ok) throw new Error(await answer.text());
    const endpoints = (await answer.json()) as readonly {
      readonly dnsName: string;
      readonly recordType: string;
      readonly targets: readonly string[];
    }[];
    return endpoints
      .filter(({ recordType }) => types.includes(recordType))
      .flatMap(({ dnsName, recordType, targets }) =>
        targets.map((target): ZoneRecord => `${dnsName} ${recordType} ${target}`),
      )
      .sort();
  };
  await until(() => records(), { what: 'an external-dns that answers', programs: [program] });
  return { program, records };
}
