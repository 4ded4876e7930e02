import type { Position, Problem } from '../../model/problem.ts';
import { valueText } from '../../text/field-text.ts';
import { endpointNamePattern, serviceNamePattern } from '../akash-fields.ts';
import { checkHosts } from './sdl-http.ts';
import type { SdlParts, SdlRequest, SdlService } from './sdl-parts.ts';

/**
 * The rules that hold for the whole SDL, over all placements: SDL_INVALID, SDL_ENDPOINT_NAME,
 * SDL_ENDPOINT_UNKNOWN, SDL_ENDPOINT_UNUSED, SDL_NOT_GLOBAL, SDL_HTTP_OPTION, SDL_HOST, SDL_HOST_TAKEN and PORT_TAKEN. Only deployed services
 * count, as for Akash (go/sdl/v2.go validate). Of that the port rule is put right: it compares what
 * the address would really get.
 */
export function checkSdlRules(parts: SdlParts): readonly Problem[] {
  const deployed = deployedServices(parts);
  const requests = deployed.flatMap(([, service]) => service.requests);
  const hostings = deployed.map(([name, { hosts }]) => ({
    hosts,
    placements: parts.deployment?.get(name)?.placements.size ?? 0,
  }));
  return [
    ...checkDeployment(parts),
    ...checkServiceNames(parts),
    ...requests.flatMap((request) => checkRequest(request, parts)),
    ...checkDeclared(parts, requests),
    ...checkPorts(parts),
    ...deployed.flatMap(([, service]) => service.refusedOptions),
    ...checkHosts(hostings),
  ];
}

/** A service with its name. */
export type NamedService = readonly [name: string, service: SdlService];

/** The services that some placement deploys, in the order of the file. */
function deployedServices(parts: SdlParts): readonly NamedService[] {
  return [...(parts.services ?? [])].filter(
    ([name]) => (parts.deployment?.get(name)?.placements.size ?? 0) > 0,
  );
}

/** The services that each placement deploys, in the order of the file; the placements in no order. */
export function servicesByPlacement(parts: SdlParts): ReadonlyMap<string, readonly NamedService[]> {
  const deployed = new Map<string, NamedService[]>();
  for (const { placements } of parts.deployment?.values() ?? []) {
    for (const name of placements.keys()) deployed.set(name, []);
  }
  for (const service of parts.services ?? []) {
    const placements = parts.deployment?.get(service[0])?.placements ?? [];
    for (const [placement] of placements) deployed.get(placement)?.push(service);
  }
  return deployed;
}

function checkDeployment(parts: SdlParts): readonly Problem[] {
  const problems: Problem[] = [];
  for (const [service, { placements, at }] of parts.deployment ?? []) {
    if (parts.services && !parts.services.has(service)) {
      problems.push(
        invalid(`the deployment names service '${service}', which is not declared`, at),
      );
    }
    for (const [placement, place] of placements) {
      if (parts.placements && !parts.placements.has(placement)) {
        const message = `service '${service}' is deployed to '${placement}', which is not declared`;
        problems.push({ ...invalid(message, place), hint: 'declare it under profiles.placement' });
      }
    }
  }
  return problems;
}

function checkServiceNames(parts: SdlParts): readonly Problem[] {
  return deployedServices(parts)
    .filter(([name]) => !serviceNamePattern.test(name))
    .map(([name, { at }]) => ({
      ...invalid(`${valueText(name)} is no service name that Akash takes`, at),
      hint: 'use lower-case letters, digits and -, with a letter first and no - last',
    }));
}

function checkRequest(request: SdlRequest, parts: SdlParts): readonly Problem[] {
  const { name, service, syntax, at } = request;
  const problems: Problem[] = [];
  if (!request.global) {
    problems.push({
      code: 'SDL_NOT_GLOBAL',
      message: `service '${service}' asks for IP endpoint '${name}' without global: true`,
      at,
      hint: 'write global: true in the to entry',
    });
  }
  const { endpoints } = parts;
  if (endpoints === undefined || (endpoints !== 'absent' && endpoints.has(name))) return problems;
  if (!endpointNamePattern.test(name)) {
    problems.push(badName(name, at));
  } else if (syntax === 'ip' || endpoints !== 'absent') {
    problems.push({
      code: 'SDL_ENDPOINT_UNKNOWN',
      message: `service '${service}' asks for IP endpoint '${name}', which is not declared`,
      at,
      hint: `declare it: endpoints: {${name}: {kind: ip}}`,
    });
  }
  return problems;
}

function checkDeclared(parts: SdlParts, requests: readonly SdlRequest[]): readonly Problem[] {
  if (parts.endpoints === 'absent' || parts.endpoints === undefined) return [];
  const used = new Set(requests.map((request) => request.name));
  const canSeeUse = parts.services !== undefined && parts.deployment !== undefined;
  const problems: Problem[] = [];
  for (const [name, at] of parts.endpoints) {
    if (!endpointNamePattern.test(name)) problems.push(badName(name, at));
    if (canSeeUse && !used.has(name)) {
      problems.push({
        code: 'SDL_ENDPOINT_UNUSED',
        message: `IP endpoint '${name}' is declared, but no deployed service uses it`,
        at,
      });
    }
  }
  return problems;
}

/**
 * Akash's own parser compares the raw `as` and `proto`: it refuses two exposes without `as`, and
 * lets `port: 80` beside `as: 80` pass, and `tcp` beside `TCP`.
 */
function checkPorts(parts: SdlParts): readonly Problem[] {
  const others = new Map<SdlRequest, Set<SdlRequest>>();
  for (const services of servicesByPlacement(parts).values()) {
    const first = new Map<string, SdlRequest>();
    for (const request of services.flatMap(([, { requests }]) => requests)) {
      const key = `${request.name} ${request.externalPort} ${request.protocol}`;
      const other = first.get(key);
      if (other) others.set(request, (others.get(request) ?? new Set()).add(other));
      else first.set(key, request);
    }
  }
  return [...others].map(([request, taken]) => portTaken(request, [...taken]));
}

function portTaken(request: SdlRequest, taken: readonly SdlRequest[]): Problem {
  const { name, service, externalPort, protocol, at } = request;
  const by = [...new Set(taken.map((other) => `'${other.service}'`))].join(' and ');
  return {
    code: 'PORT_TAKEN',
    message: `service '${service}' wants ${externalPort}/${protocol} of IP endpoint '${name}', which service ${by} has already`,
    at,
    hint: 'write another port in as, or use another IP endpoint',
    also: taken.map((other) => other.at),
  };
}

function badName(name: string, at: Position): Problem {
  return {
    code: 'SDL_ENDPOINT_NAME',
    message: `${valueText(name)} is no IP endpoint name that Akash takes`,
    at,
    hint: 'use two or more characters: a lower-case letter, then letters, digits, - and _',
  };
}

function invalid(message: string, at: Position): Problem {
  return { code: 'SDL_INVALID', message, at };
}
