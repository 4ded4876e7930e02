import type { Lease } from '../model/lease.ts';
import type { Pools } from '../model/pools.ts';
import type { Outcome } from '../model/problem.ts';
import type { DeclaredService, Reservation } from '../model/service.ts';
import { readYaml } from '../text/yaml/yaml-document.ts';
import { declarationKind } from './kind.ts';
import { readLease, type SdlLease } from './lease/lease-file.ts';
import { readReservation } from './service/reservation-file.ts';
import { readService } from './service/service-file.ts';

/** What one file below `leases/` declares. */
export type Declaration = Lease | SdlLease | DeclaredService | Reservation;

/**
 * The declaration of a file, whichever it is. Undefined when the pools are not known and all that can be
 * told without them is sound. Problems: those of {@link readYaml}, KIND_UNKNOWN, and those of
 * {@link readLease}, {@link readService} and {@link readReservation}.
 */
export function readDeclaration(
  file: string,
  bytes: Uint8Array,
  pools: Pools | undefined,
): Outcome<Declaration | undefined> {
  const read = readYaml(file, bytes, 'refused');
  if (!read.ok) return read;
  const kind = declarationKind(read.value);
  if (typeof kind !== 'string') return { ok: false, problems: [kind] };
  if (kind === 'Lease') return readLease(read.value, pools);
  return kind === 'Service' ? readService(read.value, pools) : readReservation(read.value, pools);
}
