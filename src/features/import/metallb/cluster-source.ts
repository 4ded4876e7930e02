import type { ImportNote } from '../../../model/input-file.ts';
import type { Outcome, Position } from '../../../model/problem.ts';
import type { ForeignReader } from '../../../text/foreign-reader.ts';
import type { LiveLeasedIP, LiveService, TakenAddress } from '../adopt/live-lease.ts';
import type { Imported } from '../import.ts';
import { readPlainService } from '../sources/vitistack-service.ts';
import { readLeasedIP } from './live-leased-ip.ts';
import type { ReadService } from './live-service.ts';
import type { ForeignObject } from './metallb-objects.ts';
import { type ForeignDocuments, type OtherReader, readObjects } from './metallb-source.ts';

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
  const unsigned = new UnsignedFiles();
  const others = new Map<string, OtherReader>([
    [
      'v1 Service',
      (reader, object) => {
        const read = readService(reader, object);
        if (read.live) services.push(read.live);
        taken.push(...read.taken);
        unsigned.meet(object, read);
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
  const notes = [...read.value.notes, ...unsigned.notes()];
  return { ok: true, value: { ...read.value, notes, live: { services, leasedIPs, taken } } };
}

/** Files in which nothing says who wrote the Services. */
class UnsignedFiles {
  readonly #signed = new Set<string>();
  /** The first Service of each file that is taken for a person's. */
  readonly #first = new Map<string, Position>();

  meet({ at, metadata }: ForeignObject, { live }: ReadService): void {
    if (metadata.has('managedFields')) this.#signed.add(at.file);
    else if (live && !live.manager && !live.isOfLease && !this.#first.has(at.file)) {
      this.#first.set(at.file, at);
    }
  }

  notes(): readonly ImportNote[] {
    const first = [...this.#first].filter(([file]) => !this.#signed.has(file));
    return first.map(([file, at]) => ({
      effect: 'changed',
      subject: file,
      message:
        'no Service in it says who writes it: one that a program writes, such as Terraform, is taken for a person’s unless its labels say otherwise; export again with kubectl get --show-managed-fields',
      at,
    }));
  }
}
