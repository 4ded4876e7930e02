import type { Imported } from '../model/import.ts';
import type { LiveLeasedIP, LiveService, TakenAddress } from '../model/live-lease.ts';
import type { Outcome } from '../model/problem.ts';
import { readLeasedIP } from './live-leased-ip.ts';
import { type ForeignDocuments, type OtherReader, readObjects } from './metallb-source.ts';
import { readVitistackService } from './vitistack-service.ts';

/**
 * Reads what a cluster has: MetalLB's objects, its Services, and what the Akash provider leases. What annotations of
 * vitistack's ipam-operator say is read wherever they stand: a key among them is for nobody's eyes. Problems: those of
 * readMetalLB, and of readLiveService.
 */
export function readClusterObjects(sources: readonly ForeignDocuments[]): Outcome<Imported> {
  const services: LiveService[] = [];
  const leasedIPs: LiveLeasedIP[] = [];
  const taken: TakenAddress[] = [];
  const others = new Map<string, OtherReader>([
    [
      'v1 Service',
      (reader, object) => {
        const read = readVitistackService(reader, object);
        if (read.live) services.push(read.live);
        taken.push(...read.taken);
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
