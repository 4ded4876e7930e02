import type { Protocol } from '../../model/lease.ts';
import { compareText } from '../../model/order.ts';
import { compareProblems, type Outcome, type Position, type Problem } from '../../model/problem.ts';
import { readYaml } from '../../text/yaml/yaml-document.ts';
import { readSdlParts } from './sdl-parts.ts';
import { SdlReader } from './sdl-reader.ts';
import { checkSdlRules, type NamedService, servicesByPlacement } from './sdl-rules.ts';

/** One exposed port of an SDL's service that asks for a leased address. */
export interface SdlEndpoint {
  /** The tenant's IP endpoint name. */
  readonly name: string;
  readonly service: string;
  /** The container's port, 1 to 65535. */
  readonly port: number;
  /** The port on the leased address, 1 to 65535. */
  readonly externalPort: number;
  readonly protocol: Protocol;
  /** Where the SDL names the IP endpoint. */
  readonly at: Position;
}

/** How many aliases an SDL may use. */
const maxAliases = 100;

/** A placement of an SDL, and what it asks for. */
interface SdlPlacement {
  /** From 1, in the order of the names, as Akash numbers its groups. */
  readonly gseq: number;
  readonly name: string;
  /** By service name, then in the order of the file. Two may want one port of one service on different addresses. */
  readonly endpoints: readonly SdlEndpoint[];
  /** Where the SDL deploys to it first. */
  readonly at: Position;
}

/** A sound SDL of a tenant. */
export interface Sdl {
  /** In the order of their `gseq`. */
  readonly placements: readonly SdlPlacement[];
  /** Where it says what is deployed. */
  readonly at: Position;
}

/**
 * Reads a tenant's SDL. Aliases are followed, up to 100 of them, and merge keys. Problems: those of {@link readYaml},
 * FIELD_*, SDL_*, and PORT_TAKEN, over all placements.
 */
export function openSdl(file: string, bytes: Uint8Array): Outcome<Sdl> {
  const document = readYaml(file, bytes, maxAliases, { looseQuotes: true });
  if (!document.ok) return document;
  const reader = new SdlReader(document.value);
  const parts = readSdlParts(reader);
  const problems = [...reader.problems, ...checkSdlRules(parts)];
  if (problems.length > 0) return { ok: false, problems: problems.toSorted(compareProblems) };
  const at = document.value.at(['deployment']);
  const placements = [...servicesByPlacement(parts)]
    .sort(([left], [right]) => compareText(left, right))
    .map(([name, services], index) => ({
      gseq: index + 1,
      name,
      endpoints: endpointsOf(services),
      at: parts.deployment?.get(services[0]?.[0] ?? '')?.placements.get(name) ?? at,
    }));
  return { ok: true, value: { placements, at } };
}

/** What one placement of an SDL asks for. Problems: SDL_GROUP_UNKNOWN, SDL_NO_ENDPOINT. */
export function endpointsIn(sdl: Sdl, gseq: number): Outcome<readonly SdlEndpoint[]> {
  const placement = sdl.placements[gseq - 1];
  if (!placement) return { ok: false, problems: [groupUnknown(sdl, gseq)] };
  const { endpoints } = placement;
  return endpoints.length > 0
    ? { ok: true, value: endpoints }
    : { ok: false, problems: [noEndpoint(placement)] };
}

/** Both at once: {@link openSdl} and {@link endpointsIn}. */
export function readSdl(
  file: string,
  bytes: Uint8Array,
  gseq: number,
): Outcome<readonly SdlEndpoint[]> {
  const sdl = openSdl(file, bytes);
  return sdl.ok ? endpointsIn(sdl.value, gseq) : sdl;
}

function endpointsOf(services: readonly NamedService[]): readonly SdlEndpoint[] {
  return services
    .toSorted(([left], [right]) => compareText(left, right))
    .flatMap(([, service]) => service.requests)
    .map(({ name, service, port, externalPort, protocol, at }) => ({
      name,
      service,
      port,
      externalPort,
      protocol,
      at,
    }));
}

/** A hint names no more placements than these. */
const mostNames = 10;

function groupUnknown({ placements, at }: Sdl, gseq: number): Problem {
  const names = placements.slice(0, mostNames).map(({ name }) => name);
  const more = placements.length > names.length ? ', …' : '';
  return {
    code: 'SDL_GROUP_UNKNOWN',
    message: `the lease is of placement ${gseq}, but the SDL deploys to ${placements.length}`,
    at,
    ...(names.length > 0 && { hint: `in name order they are ${names.join(', ')}${more}` }),
  };
}

function noEndpoint({ name, at }: SdlPlacement): Problem {
  return {
    code: 'SDL_NO_ENDPOINT',
    message: `no service deployed to '${name}' asks for an IP endpoint`,
    at,
    hint: 'remove the declaration: such a lease needs no address',
  };
}
