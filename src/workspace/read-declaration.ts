import { readDeclaration } from '../declarations/declaration-file.ts';
import { endpointsIn, type SdlEndpoint } from '../declarations/lease/sdl.ts';
import type { Endpoint, Lease } from '../model/lease.ts';
import type { Pools } from '../model/pools.ts';
import type { Outcome, Position, Problem } from '../model/problem.ts';
import type { DeclaredService, Reservation } from '../model/service.ts';
import type { TreeEntry } from '../ports/tree.ts';
import type { LeaseFiles } from './lease-files.ts';
import type { TreeReading } from './tree-reading.ts';

/** What one file declares, the endpoints of a lease read from its SDL where it names one. */
export type ReadDeclaration = Lease | DeclaredService | Reservation;

/** True for what is declared of a Service, and not of a lease of Akash. */
export function isOfService(
  declaration: ReadDeclaration,
): declaration is DeclaredService | Reservation {
  return 'kind' in declaration;
}

/**
 * What a declaration file declares. Undefined when the file is sound as far as can be told without the
 * pools, which have problems of their own.
 */
export function readDeclarationOf(
  reading: TreeReading,
  files: LeaseFiles,
  entry: TreeEntry,
  pools: Pools | undefined,
): Outcome<ReadDeclaration | undefined> {
  const written = reading.read(entry, (bytes) => readDeclaration(entry.path, bytes, pools));
  if (!written.ok) return written;
  if (!written.value || !('sdl' in written.value)) return { ok: true, value: written.value };
  const { id, cluster, at, sdl } = written.value;
  const file = files.sdls.get(sdl.path);
  if (!file) return { ok: false, problems: [sdlMissing(sdl)] };
  const read = reading.readSdl(file);
  if (!read.ok) return read;
  const endpoints = endpointsIn(read.value, id.gseq);
  if (!endpoints.ok) return endpoints;
  return { ok: true, value: { id, cluster, at, endpoints: endpoints.value.map(endpointOf) } };
}

/** What an SDL cannot say takes the defaults: IPv4, the default zone, no pin, no retention. */
function endpointOf(endpoint: SdlEndpoint): Endpoint {
  return {
    ...endpoint,
    zone: undefined,
    pool: undefined,
    ipFamily: 'ipv4',
    address: undefined,
    retentionPeriodDays: 0,
    selector: undefined,
  };
}

function sdlMissing(sdl: { readonly path: string; readonly at: Position }): Problem {
  return {
    code: 'FILE_MISSING',
    message: `there is no file ${sdl.path}`,
    at: sdl.at,
    hint: 'name an *.sdl.yaml file beside or below the declaration',
  };
}
