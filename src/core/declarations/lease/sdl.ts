import type { LeaseHost, Protocol } from '../../model/lease.ts';
import { compareText } from '../../model/order.ts';
import {
  fail,
  failSorted,
  type Outcome,
  ok,
  okUnless,
  type Position,
  type Problem,
} from '../../model/problem.ts';
import { valueText } from '../../text/message-text.ts';
import { readYaml } from '../../text/yaml/yaml-document.ts';
import { endpointNamePattern, serviceNamePattern } from '../akash-fields.ts';
import { leaseHostRefusal } from '../hostname-file.ts';
import { checkHosts } from './sdl-http.ts';
import { type IpExpose, readSdlParts, type SdlParts, type SdlService } from './sdl-parts.ts';
import { checkDeployed } from './sdl-profiles.ts';
import { SdlReader } from './sdl-reader.ts';

/** An exposed port of an SDL's service that requests a leased address. */
export interface SdlEndpoint {
  /** The tenant's IP endpoint name. */
  readonly name: string;
  readonly service: string;
  /** The container's port, 1 to 65535. */
  readonly port: number;
  /** The port on the leased address, 1 to 65535. */
  readonly externalPort: number;
  readonly protocol: Protocol;
  /** The place at which the SDL names the IP endpoint. */
  readonly at: Position;
}

/** The most aliases that an SDL may use. */
export const maxAliases = 100;

/** A placement of an SDL with the endpoints that it requests. */
interface SdlPlacement {
  /** From 1, in the order of the placements' names, as Akash numbers its groups. */
  readonly gseq: number;
  readonly name: string;
  /**
   * By service name, then in the order of the file. Two may request the same port of a service on
   * different addresses.
   */
  readonly endpoints: readonly SdlEndpoint[];
  /** The hostnames that Akash routes, in the same order. */
  readonly hosts: readonly LeaseHost[];
  /** The place of the first deployment to it. */
  readonly at: Position;
}

/** A valid SDL of a tenant. */
export interface Sdl {
  /** In the order of their `gseq`. */
  readonly placements: readonly SdlPlacement[];
  /** The place of `deployment`. */
  readonly at: Position;
}

/**
 * Reads a tenant's SDL. Resolves merge keys and up to 100 aliases. Problems: those of
 * {@link readYaml}, FIELD_*, SDL_*, and PORT_TAKEN, over all placements.
 */
export function openSdl(file: string, bytes: Uint8Array): Outcome<Sdl> {
  const document = readYaml(file, bytes, maxAliases, { looseQuotes: true });
  if (!document.ok) return document;
  const reader = new SdlReader(document.value);
  const parts = readSdlParts(reader);
  const problems = [...reader.problems, ...checkSdlRules(parts)];
  if (problems.length > 0) return failSorted(problems);
  const at = document.value.at(['deployment']);
  const placements = [...servicesByPlacement(parts)]
    .sort(([left], [right]) => compareText(left, right))
    .map(([name, services], index) => ({
      gseq: index + 1,
      name,
      endpoints: endpointsOf(services),
      hosts: hostsOf(services),
      at: parts.deployment?.get(services[0]?.[0] ?? '')?.placements.get(name)?.at ?? at,
    }));
  return ok({ placements, at });
}

/** The requests of the services of one placement. */
type SdlRequests = Pick<SdlPlacement, 'endpoints' | 'hosts'>;

/**
 * The endpoints and hostnames of one placement; without the hostnames unless they are routed.
 * Problems: SDL_GROUP_UNKNOWN, SDL_NO_ENDPOINT, and DNS_INVALID for a routed hostname that
 * leasehold does not allow.
 */
export function requestsIn(
  sdl: Sdl,
  { gseq, isRouted }: { readonly gseq: number; readonly isRouted: boolean },
): Outcome<SdlRequests> {
  const placement = sdl.placements[gseq - 1];
  if (!placement) return fail([groupUnknown(sdl, gseq)]);
  const { endpoints } = placement;
  const hosts = isRouted ? placement.hosts : [];
  if (endpoints.length === 0 && hosts.length === 0) return fail([noEndpoint(placement)]);
  const problems = hosts.flatMap(({ hostname, at }): Problem[] => {
    const refusal = leaseHostRefusal(hostname);
    return refusal ? [{ code: refusal.code, message: refusal.message, at }] : [];
  });
  return okUnless(problems, { endpoints, hosts });
}

function endpointsOf(services: readonly NamedService[]): readonly SdlEndpoint[] {
  return services
    .toSorted(([left], [right]) => compareText(left, right))
    .flatMap(([, service]) => service.ipExposes)
    .map(({ name, service, port, externalPort, protocol, at }) => ({
      name,
      service,
      port,
      externalPort,
      protocol,
      at,
    }));
}

function hostsOf(services: readonly NamedService[]): readonly LeaseHost[] {
  return services
    .toSorted(([left], [right]) => compareText(left, right))
    .flatMap(([service, { hosts }]) =>
      hosts
        .filter(({ isIngress }) => isIngress)
        .map(({ name, http, at }) => ({ service, hostname: name, http, at })),
    );
}

/** The most placements that a hint lists. */
const mostNames = 10;

function groupUnknown({ placements, at }: Sdl, gseq: number): Problem {
  const names = placements.slice(0, mostNames).map(({ name }) => name);
  const more = placements.length > names.length ? ', …' : '';
  return {
    code: 'SDL_GROUP_UNKNOWN',
    message: `the lease has gseq ${gseq}, but the SDL deploys to ${placements.length} placements`,
    at,
    ...(names.length > 0 && {
      hint: `placements are numbered by name: ${names.join(', ')}${more}`,
    }),
  };
}

function noEndpoint({ name, at }: SdlPlacement): Problem {
  return {
    code: 'SDL_NO_ENDPOINT',
    message: `no service deployed to '${name}' requests an IP endpoint`,
    at,
    hint: 'remove the declaration: such a lease needs no address',
  };
}

/**
 * Checks the whole SDL over all placements: SDL_INVALID, SDL_ENDPOINT_NAME, SDL_ENDPOINT_UNKNOWN,
 * SDL_ENDPOINT_UNUSED, SDL_NOT_GLOBAL, SDL_HTTP_OPTION, SDL_HOST, SDL_HOST_TAKEN and PORT_TAKEN. As
 * in Akash (go/sdl/v2.go validate), only deployed services count. Unlike in Akash, the port rule
 * compares the ports that the address really gets.
 */
function checkSdlRules(parts: SdlParts): readonly Problem[] {
  const deployed = deployedServices(parts);
  const ipExposes = deployed.flatMap(([, service]) => service.ipExposes);
  const hostings = deployed.map(([name, { hosts }]) => ({
    hosts,
    placements: parts.deployment?.get(name)?.placements.size ?? 0,
  }));
  return [
    ...checkDeployment(parts),
    ...checkServiceNames(parts),
    ...ipExposes.flatMap((expose) => checkIpExpose(expose, parts)),
    ...checkDeclared(parts, ipExposes),
    ...checkPorts(parts),
    ...deployed.flatMap(([, service]) => service.refused),
    ...checkHosts(hostings),
  ];
}

type NamedService = readonly [name: string, service: SdlService];

/** The services that are deployed to any placement, in the order of the file. */
function deployedServices(parts: SdlParts): readonly NamedService[] {
  return [...(parts.services ?? [])].filter(
    ([name]) => (parts.deployment?.get(name)?.placements.size ?? 0) > 0,
  );
}

/** The services of each placement, in the order of the file; placements are unordered. */
function servicesByPlacement(parts: SdlParts): ReadonlyMap<string, readonly NamedService[]> {
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
    for (const [placement, deployed] of placements) {
      if (!parts.profiles) continue;
      if (!parts.profiles.prices.has(placement)) {
        const message = `service '${service}' is deployed to '${placement}', which is not declared`;
        const hint = 'declare it under profiles.placement';
        problems.push({ ...invalid(message, deployed.at), hint });
      }
      const needs = parts.services?.get(service)?.needs;
      problems.push(...checkDeployed({ service, placement, needs }, deployed, parts.profiles));
    }
  }
  // Several services may have one compute profile.
  return [...new Set(problems)];
}

function checkServiceNames(parts: SdlParts): readonly Problem[] {
  return deployedServices(parts)
    .filter(([name]) => !serviceNamePattern.test(name))
    .map(([name, { at }]) => ({
      ...invalid(`${valueText(name)} is not a service name that Akash accepts`, at),
      hint: 'use lower-case letters, digits and -, starting with a letter and not ending with -',
    }));
}

function checkIpExpose(expose: IpExpose, parts: SdlParts): readonly Problem[] {
  const { name, service, syntax, at } = expose;
  const problems: Problem[] = [];
  if (!expose.global) {
    problems.push({
      code: 'SDL_NOT_GLOBAL',
      message: `service '${service}' requests IP endpoint '${name}' without global: true`,
      at,
      hint: 'add global: true to the entry under to',
    });
  }
  const { endpoints } = parts;
  if (endpoints === undefined || (endpoints !== 'absent' && endpoints.has(name))) return problems;
  if (!endpointNamePattern.test(name)) {
    problems.push(badName(name, at));
  } else if (syntax === 'ip' || endpoints !== 'absent') {
    problems.push({
      code: 'SDL_ENDPOINT_UNKNOWN',
      message: `service '${service}' requests IP endpoint '${name}', which is not declared`,
      at,
      hint: `declare it: endpoints: {${name}: {kind: ip}}`,
    });
  }
  return problems;
}

function checkDeclared(parts: SdlParts, ipExposes: readonly IpExpose[]): readonly Problem[] {
  if (parts.endpoints === 'absent' || parts.endpoints === undefined) return [];
  const used = new Set(ipExposes.map((expose) => expose.name));
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
 * Akash's own parser compares the raw `as` and `proto`: it refuses two exposes without `as`, but
 * accepts `port: 80` with `as: 80`, and `tcp` with `TCP`.
 */
function checkPorts(parts: SdlParts): readonly Problem[] {
  const others = new Map<IpExpose, Set<IpExpose>>();
  for (const services of servicesByPlacement(parts).values()) {
    const first = new Map<string, IpExpose>();
    for (const expose of services.flatMap(([, { ipExposes }]) => ipExposes)) {
      const key = `${expose.name} ${expose.externalPort} ${expose.protocol}`;
      const other = first.get(key);
      if (other) others.set(expose, (others.get(expose) ?? new Set()).add(other));
      else first.set(key, expose);
    }
  }
  return [...others].map(([expose, taken]) => portTaken(expose, [...taken]));
}

function portTaken(expose: IpExpose, taken: readonly IpExpose[]): Problem {
  const { name, service, externalPort, protocol, at } = expose;
  const by = [...new Set(taken.map((other) => `'${other.service}'`))].join(' and ');
  return {
    code: 'PORT_TAKEN',
    message: `service '${service}' requests ${externalPort}/${protocol} of IP endpoint '${name}', which service ${by} already has`,
    at,
    hint: 'write another port in as, or use another IP endpoint',
    also: taken.map((other) => other.at),
  };
}

function badName(name: string, at: Position): Problem {
  return {
    code: 'SDL_ENDPOINT_NAME',
    message: `${valueText(name)} is not an IP endpoint name that Akash accepts`,
    at,
    hint: 'use two or more characters: a lower-case letter, then lower-case letters, digits, - and _',
  };
}

function invalid(message: string, at: Position): Problem {
  return { code: 'SDL_INVALID', message, at };
}
