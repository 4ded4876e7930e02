import type { Imported } from '../model/import.ts';
import type { LiveLeasedIP, LiveService, TakenAddress } from '../model/live-lease.ts';
import type { Outcome } from '../model/problem.ts';
import { placeOf } from './foreign-reader.ts';
import { readLeasedIP } from './live-leased-ip.ts';
import { readLiveService, serviceSubject } from './live-service.ts';
import { type ForeignDocuments, type OtherReader, readObjects } from './metallb-source.ts';

/**
 * Reads what a cluster has: MetalLB's objects, its Services, and what the Akash provider leases. Problems: those of
 * readMetalLB, and of {@link readLiveService}.
 */
export function readClusterObjects(sources: readonly ForeignDocuments[]): Outcome<Imported> {
  const services: LiveService[] = [];
  const leasedIPs: LiveLeasedIP[] = [];
  const taken: TakenAddress[] = [];
  const others = new Map<string, OtherReader>([
    [
      'v1 Service',
      (reader, object) => {
        const { live, external } = readLiveService(reader, object);
        if (live) services.push(live);
        const namespace = String(object.metadata.get('namespace')?.value ?? 'default');
        const by = `${serviceSubject(namespace, String(object.name.value))}, as an external address`;
        const at = placeOf(object.name);
        taken.push(...external.map((address) => ({ address, by, at })));
      },
    ],
    [
      'akash.network/v2beta2 ProviderLeasedIP',
      (reader, object) => {
        const leased = readLeasedIP(reader, object);
        if (leased) leasedIPs.push(leased);
      },
    ],
  ]);
  const read = readObjects(sources, others);
  if (!read.ok) return read;
  return { ok: true, value: { ...read.value, live: { services, leasedIPs, taken } } };
}
