import type { ServiceHostname } from '../model/hostname.ts';
import type { AddressPromise, Lease } from '../model/lease.ts';
import type { Pools } from '../model/pools.ts';
import { fail, type Outcome } from '../model/problem.ts';
import type { DeclaredService, Reservation } from '../model/service.ts';
import { readYaml } from '../text/yaml/yaml-document.ts';
import { readHostname } from './hostname-file.ts';
import { readLease, type SdlLease } from './lease/lease-file.ts';
import { type DeclarationKind, declarationKind } from './object-meta.ts';
import { readPromise } from './promise/promise-file.ts';
import { type Renames, readRename } from './rename-file.ts';
import { readReservation } from './service/reservation-file.ts';
import { readService } from './service/service-file.ts';

/** The declaration of one file in `leases/`. */
export type Declaration =
  | Lease
  | SdlLease
  | DeclaredService
  | Reservation
  | AddressPromise
  | ServiceHostname
  | Renames;

/**
 * Reads a declaration of any kind. The value is undefined when the pools are unknown and everything
 * else is valid. Problems: those of {@link readYaml}, KIND_UNKNOWN, and those of
 * {@link readLease}, {@link readService}, {@link readReservation}, {@link readPromise},
 * {@link readHostname} and {@link readRename}.
 */
export function readDeclaration(
  file: string,
  bytes: Uint8Array,
  pools: Pools | undefined,
): Outcome<Declaration | undefined> {
  const read = readYaml(file, bytes, 'refused');
  if (!read.ok) return read;
  const kind = declarationKind(read.value);
  if (typeof kind !== 'string') return fail([kind]);
  return readers[kind](read.value, pools);
}

const readers = {
  Lease: readLease,
  Service: readService,
  Reservation: readReservation,
  Promise: readPromise,
  Hostname: readHostname,
  Rename: readRename,
} as const satisfies Record<DeclarationKind, unknown>;
