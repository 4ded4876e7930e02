import type { Protocol } from '../model/lease.ts';
import { compareText } from '../model/order.ts';
import { compareProblems, type Outcome, type Position, type Problem } from '../model/problem.ts';
import { readSdlParts, type SdlParts } from './sdl-parts.ts';
import { SdlReader } from './sdl-reader.ts';
import { checkSdlRules, deployedServices, placementNames } from './sdl-rules.ts';
import { readYaml } from './yaml-document.ts';

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

/**
 * The IP endpoints of a tenant's SDL, as far as its `gseq`-th placement deploys them, by service
 * name and then in the order of the file. `gseq` counts placements from 1 in name order, as Akash
 * numbers its groups. Two endpoints may want one port of one service on different addresses.
 * Aliases are followed, up to 100 of them, and merge keys. Problems: those of
 * {@link readYaml}, FIELD_*, SDL_*, and PORT_TAKEN, for the whole SDL and not only that placement.
 */
export function readSdl(
  file: string,
  bytes: Uint8Array,
  gseq: number,
): Outcome<readonly SdlEndpoint[]> {
  const document = readYaml(file, bytes, maxAliases);
  if (!document.ok) return document;
  const reader = new SdlReader(document.value);
  const parts = readSdlParts(reader);
  const group = placementNames(parts).toSorted(compareText)[gseq - 1];
  const endpoints = group === undefined ? [] : endpointsOf(parts, group);
  const problems = [...reader.problems, ...checkSdlRules(parts)];
  if (parts.deployment && group === undefined) {
    problems.push(groupUnknown(parts, gseq, reader.at({ value: undefined, path: ['deployment'] })));
  } else if (problems.length === 0 && endpoints.length === 0) {
    problems.push(noEndpoint(parts, group ?? '', reader.at(reader.root)));
  }
  return problems.length > 0
    ? { ok: false, problems: problems.toSorted(compareProblems) }
    : { ok: true, value: endpoints };
}

/** A placement of an SDL, and what it asks for. */
export interface SdlPlacement {
  /** From 1, in the order of the names. */
  readonly gseq: number;
  readonly name: string;
  readonly endpoints: readonly SdlEndpoint[];
}

/** All placements of an SDL that {@link readSdl} takes, in the order of their `gseq`. */
export function sdlPlacements(file: string, bytes: Uint8Array): readonly SdlPlacement[] {
  const document = readYaml(file, bytes, maxAliases);
  if (!document.ok) return [];
  const parts = readSdlParts(new SdlReader(document.value));
  return placementNames(parts)
    .toSorted(compareText)
    .map((name, index) => ({ gseq: index + 1, name, endpoints: endpointsOf(parts, name) }));
}

function endpointsOf(parts: SdlParts, group: string): readonly SdlEndpoint[] {
  return deployedServices(parts, group)
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

function groupUnknown(parts: SdlParts, gseq: number, at: Position): Problem {
  const names = placementNames(parts).toSorted(compareText);
  return {
    code: 'SDL_GROUP_UNKNOWN',
    message: `the lease is of placement ${gseq}, but the SDL deploys to ${names.length}`,
    at,
    ...(names.length > 0 && { hint: `in name order they are ${names.join(', ')}` }),
  };
}

function noEndpoint(parts: SdlParts, group: string, fallback: Position): Problem {
  const [deployed] = deployedServices(parts, group);
  const at = deployed && parts.deployment?.get(deployed[0])?.placements.get(group);
  return {
    code: 'SDL_NO_ENDPOINT',
    message: `no service deployed to '${group}' asks for an IP endpoint`,
    at: at ?? fallback,
    hint: 'remove the declaration: such a lease needs no address',
  };
}
