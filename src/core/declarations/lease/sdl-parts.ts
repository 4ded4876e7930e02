import type { Protocol } from '../../model/lease.ts';
import type { Position, Problem } from '../../model/problem.ts';
import { valueText } from '../../text/message-text.ts';
import { ingressPort } from '../hostname-file.ts';
import { readHosts, readHttpOptions, type SdlHost } from './sdl-http.ts';
import {
  imageProblems,
  readDeployed,
  readNeeds,
  readProfiles,
  rootProblems,
  type SdlDeployed,
  type SdlNeeds,
  type SdlProfiles,
} from './sdl-profiles.ts';
import { type SdlNode, type SdlReader, sdlFieldName } from './sdl-reader.ts';

/** The parts of an SDL that leasehold reads; a part with problems is undefined. */
export interface SdlParts {
  /** The places of the declared IP endpoints by name; `absent` without an `endpoints` section. */
  readonly endpoints: ReadonlyMap<string, Position> | 'absent' | undefined;
  /** By name, in the order of the file. */
  readonly services: ReadonlyMap<string, SdlService> | undefined;
  /** By service name, in the order of the file. */
  readonly deployment: ReadonlyMap<string, SdlDeployment> | undefined;
  readonly profiles: SdlProfiles | undefined;
}

/** A service of an SDL. */
export interface SdlService {
  readonly ipExposes: readonly IpExpose[];
  /** The hosts that its exposes accept, in the order of the file. */
  readonly hosts: readonly SdlHost[];
  readonly needs: SdlNeeds;
  /** Faults that Akash refuses once the service is deployed: HTTP options, no image. */
  readonly refused: readonly Problem[];
  readonly at: Position;
}

/** The placements that a service is deployed to. */
interface SdlDeployment {
  readonly placements: ReadonlyMap<string, SdlDeployed>;
  readonly at: Position;
}

/** An entry of `expose` that requests an IP endpoint, before the rules are applied. */
export interface IpExpose {
  /** The IP endpoint's name. */
  readonly name: string;
  readonly service: string;
  readonly port: number;
  readonly externalPort: number;
  readonly protocol: Protocol;
  readonly global: boolean;
  /** `ip` is Akash's own syntax; `ip_name` appears in the published documents. */
  readonly syntax: 'ip' | 'ip_name';
  /** The place of the name. */
  readonly at: Position;
}

type Fields = ReadonlyMap<string, SdlNode>;

/**
 * Reads the parts of an SDL that concern IP endpoints, hosts and HTTP options, and ignores all
 * others. These parts are read strictly: FIELD_TYPE, FIELD_VALUE, FIELD_MISSING, SDL_VERSION,
 * SDL_ENDPOINT_KIND and SDL_INVALID are added to the reader's problems.
 */
export function readSdlParts(reader: SdlReader): SdlParts {
  const { root } = reader;
  const fields = reader.mapping(root);
  if (!fields) {
    return {
      endpoints: undefined,
      services: undefined,
      deployment: undefined,
      profiles: undefined,
    };
  }
  reader.problems.push(...rootProblems(reader, fields));
  checkVersion(reader, fields.get('version'));
  const services = reader.required(fields, 'services', root);
  const deployment = reader.required(fields, 'deployment', root);
  return {
    endpoints: readEndpoints(reader, fields.get('endpoints')),
    services: services && ifValid(reader, () => readServices(reader, services)),
    deployment: deployment && ifValid(reader, () => readDeployment(reader, deployment)),
    profiles: ifValid(reader, () => readProfiles(reader, fields.get('profiles'))),
  };
}

/** The result of `read`; undefined when it added a problem. */
function ifValid<Value>(reader: SdlReader, read: () => Value): Value | undefined {
  const before = reader.problems.length;
  const value = read();
  return reader.problems.length === before ? value : undefined;
}

/**
 * 2.0 and 2.1 as the provider reads them: the text of any scalar, with an optional `v`, leading
 * zeros, and optional trailing parts (chain-sdk: go/sdl/sdl.go, semver.ParseTolerant). The provider
 * reads newer versions as 2.1; they are refused here because their meaning is unknown.
 */
const versionPattern = /^v?0*2(?:\.0*[01](?:\.0+)?)?$/;

function checkVersion(reader: SdlReader, version: SdlNode | undefined): void {
  const written = version && reader.written(version);
  if (written !== undefined && versionPattern.test(written.trim())) return;
  reader.problems.push({
    code: 'SDL_VERSION',
    message: `the version of the SDL is ${version ? versionText(version, written) : 'missing'}, expected '2.0' or '2.1'`,
    at: reader.at(version ?? reader.root),
    hint: "write version: '2.0'",
  });
}

function versionText({ value }: SdlNode, written: string | undefined): string {
  return valueText(typeof value === 'number' ? written : value);
}

function readEndpoints(reader: SdlReader, section: SdlNode | undefined): SdlParts['endpoints'] {
  if (!section) return 'absent';
  const endpoints = new Map<string, Position>();
  if (section.value === null) return endpoints;
  const entries = reader.mapping(section);
  if (!entries) return undefined;
  for (const [name, endpoint] of entries) {
    endpoints.set(name, reader.keyAt(endpoint));
    checkKind(reader, endpoint);
  }
  return endpoints;
}

function checkKind(reader: SdlReader, endpoint: SdlNode): void {
  const fields = endpoint.value === null ? new Map() : reader.mapping(endpoint);
  if (!fields) return;
  const kind: SdlNode | undefined = fields.get('kind');
  if (kind?.value === 'ip') return;
  reader.problems.push({
    code: 'SDL_ENDPOINT_KIND',
    message: kind
      ? `IP endpoint ${sdlFieldName(endpoint)} has another kind, expected ip`
      : `IP endpoint ${sdlFieldName(endpoint)} has no kind, expected ip`,
    at: kind ? reader.at(kind) : reader.keyAt(endpoint),
    hint: 'write kind: ip',
  });
}

function readServices(reader: SdlReader, section: SdlNode): ReadonlyMap<string, SdlService> {
  const services = new Map<string, SdlService>();
  for (const [name, service] of reader.mapping(section) ?? []) {
    const fields = reader.mapping(service) ?? new Map<string, SdlNode>();
    const expose = fields.get('expose');
    const exposes = ((expose ? reader.list(expose) : undefined) ?? []).flatMap((node) => {
      const own = reader.mapping(node);
      return own ? [readExpose(reader, name, node, own)] : [];
    });
    services.set(name, {
      ipExposes: exposes.flatMap(({ ipExposes }) => ipExposes),
      hosts: exposes.flatMap(({ hosts }) => hosts),
      needs: readNeeds(reader, fields),
      refused: [
        ...imageProblems(reader, service, fields),
        ...exposes.flatMap(({ refused }) => refused),
      ],
      at: reader.keyAt(service),
    });
  }
  return services;
}

/** An entry of `expose`. */
interface SdlExpose {
  readonly ipExposes: readonly IpExpose[];
  readonly hosts: readonly SdlHost[];
  readonly refused: readonly Problem[];
}

function readExpose(
  reader: SdlReader,
  service: string,
  expose: SdlNode,
  fields: Fields,
): SdlExpose {
  const portField = reader.required(fields, 'port', expose);
  const asField = fields.get('as');
  const port = portField && reader.port(portField);
  const externalPort = asField ? reader.port(asField) : port;
  const protocol = readProtocol(reader, fields.get('proto'));
  const targets = readTargets(reader, fields.get('to'));
  refuseFlag(reader, fields.get('ip_lease'));
  const names = readNames(reader, fields, targets);
  const { http, refused } = readHttpOptions(reader, fields.get('http_options'));
  // Akash: go/manifest/v2beta3/serviceexpose.go IsIngress.
  const isIngress =
    protocol === 'TCP' && externalPort === ingressPort && targets.some(({ global }) => global);
  const how = { targets: targets.length, isIngress, http };
  const hosts = readHosts(reader, fields.get('accept'), how);
  if (port === undefined || externalPort === undefined || !protocol) {
    return { ipExposes: [], hosts, refused };
  }
  const ipExposes = names.map((named) => ({ ...named, service, port, externalPort, protocol }));
  return { ipExposes, hosts, refused };
}

/** TCP when missing or empty; case is ignored (Akash: manifest ParseServiceProtocol). */
function readProtocol(reader: SdlReader, proto: SdlNode | undefined): Protocol | undefined {
  if (!proto) return 'TCP';
  const text = reader.text(proto);
  if (text === undefined) return undefined;
  if (text === '' || /^tcp$/i.test(text)) return 'TCP';
  if (/^udp$/i.test(text)) return 'UDP';
  reader.problems.push({
    code: 'FIELD_VALUE',
    message: "'proto' is neither TCP nor UDP, the only protocols that Akash exposes",
    at: reader.at(proto),
  });
  return undefined;
}

type Named = Pick<IpExpose, 'name' | 'global' | 'syntax' | 'at'>;

/** The IP endpoint names of one expose: those of each `ip` under `to`, or that of `ip_name`. */
function readNames(
  reader: SdlReader,
  fields: Fields,
  targets: readonly SdlTarget[],
): readonly Named[] {
  const byIp = targets.flatMap(({ global, ip }) => nameAt(reader, ip, { global, syntax: 'ip' }));
  const ipName = fields.get('ip_name');
  if (ipName && byIp.length > 0) {
    reader.problems.push({
      code: 'SDL_INVALID',
      message: "the expose has both 'ip_name' and 'ip', expected one of them",
      at: reader.at(ipName),
      hint: "remove ip_name: Akash reads only 'ip'",
    });
    return byIp;
  }
  const global = targets.some((target) => target.global);
  return [...byIp, ...nameAt(reader, ipName, { global, syntax: 'ip_name' })];
}

/** An entry under `to`. */
interface SdlTarget {
  readonly global: boolean;
  readonly ip?: SdlNode;
}

function readTargets(reader: SdlReader, to: SdlNode | undefined): readonly SdlTarget[] {
  return ((to && reader.list(to)) ?? []).map((target) => readTarget(reader, target));
}

function readTarget(reader: SdlReader, target: SdlNode): SdlTarget {
  const fields = reader.mapping(target);
  const globalField = fields?.get('global');
  const global = globalField ? reader.flag(globalField) === true : false;
  refuseFlag(reader, fields?.get('ip_lease'));
  const ip = fields?.get('ip');
  return ip ? { global, ip } : { global };
}

/** SDL_INVALID for a flag by which older pages request an IP endpoint; Akash reads a name only. */
function refuseFlag(reader: SdlReader, flag: SdlNode | undefined): void {
  if (!flag?.value) return;
  reader.problems.push({
    code: 'SDL_INVALID',
    message: "'ip_lease' requests no IP endpoint: Akash reads only 'ip', the name of one",
    at: reader.keyAt(flag),
    hint: 'declare endpoints: {myip: {kind: ip}}, and write ip: myip here instead',
  });
}

function nameAt(
  reader: SdlReader,
  node: SdlNode | undefined,
  how: Pick<IpExpose, 'global' | 'syntax'>,
): readonly Named[] {
  const name = node && reader.text(node);
  return node && name !== undefined ? [{ name, ...how, at: reader.at(node) }] : [];
}

function readDeployment(reader: SdlReader, section: SdlNode): ReadonlyMap<string, SdlDeployment> {
  const deployment = new Map<string, SdlDeployment>();
  for (const [service, node] of reader.mapping(section) ?? []) {
    const placements = new Map<string, SdlDeployed>();
    for (const [placement, deployed] of reader.mapping(node) ?? []) {
      placements.set(placement, readDeployed(reader, deployed));
    }
    deployment.set(service, { placements, at: reader.keyAt(node) });
  }
  return deployment;
}
