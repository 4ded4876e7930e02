import type { Imported } from '../model/import.ts';
import type { LiveLeasedIP, LiveService, TakenAddress } from '../model/live-lease.ts';
import type { Outcome } from '../model/problem.ts';
import type { ForeignReader } from './foreign-reader.ts';
import { readLeasedIP } from './live-leased-ip.ts';
import type { ReadService } from './live-service.ts';
import type { ForeignObject } from './metallb-objects.ts';
import { type ForeignDocuments, type OtherReader, readObjects } from './metallb-source.ts';
import { readPlainService } from './vitistack-service.ts';

/** Reads a Service in the way of a source. */
export type ServiceReader = (reader: ForeignReader, object: ForeignObject) => ReadService;

/**
 * Reads what a cluster has: MetalLB's objects, its Services, and what the Akash provider leases. Problems: those of
 * readMetalLB, and of readLiveService.
 */
export function readClusterObjects(
  sources: readonly ForeignDocuments[],
  readService: ServiceReader = readPlainService,
): Outcome<Imported> {
  const services: LiveService[] = [];
  const leasedIPs: LiveLeasedIP[] = [];
  const taken: TakenAddress[] = [];
  const others = new Map<string, OtherReader>([
    [
      'v1 Service',
      (reader, object) => {
        const read = readService(reader, object);
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
