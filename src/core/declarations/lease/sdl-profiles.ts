import type { Position, Problem } from '../../model/problem.ts';
import { valueText } from '../../text/message-text.ts';
import type { SdlNode, SdlReader } from './sdl-reader.ts';

/*
 * The requirements of Akash for a deployed service beside its endpoints and hosts: chain-sdk, go/sdl/v2.go and
 * storage.go, go/manifest/v2beta3/service.go. A limit or unit that Akash may change is not judged, so that no
 * valid SDL is refused; docs/differences.md names what is left out.
 */

/** The profiles that services are deployed with, by name. */
export interface SdlProfiles {
  readonly compute: ReadonlyMap<string, SdlCompute>;
  /** Faults of the price of each compute profile that Akash refuses, by the placement that has it. */
  readonly prices: ReadonlyMap<string, ReadonlyMap<string, readonly Problem[]>>;
}

interface SdlCompute {
  /** Faults that Akash refuses once a service is deployed with it. */
  readonly refused: readonly Problem[];
  /** The place at which a volume is persistent. */
  readonly persistent: Position | undefined;
  readonly hasGpu: boolean;
}

/** The needs of a service of its compute profile. */
export interface SdlNeeds {
  readonly mountsVolumes: boolean;
  /** The place of `tee: cpu-gpu`. */
  readonly gpu: Position | undefined;
}

/** A service in one placement. */
export interface SdlDeployed {
  readonly profile: string;
  /** The place of the profile's name, or of the placement without one. */
  readonly profileAt: Position;
  /** Faults of the count that Akash refuses. */
  readonly refused: readonly Problem[];
  readonly at: Position;
}

type Fields = ReadonlyMap<string, SdlNode>;

/** Reads the profiles. Adds FIELD_TYPE to the reader's problems. */
export function readProfiles(reader: SdlReader, profiles: SdlNode | undefined): SdlProfiles {
  const fields = fieldsOf(reader, profiles);
  const compute = fieldsOf(reader, fields.get('compute'));
  const placement = fieldsOf(reader, fields.get('placement'));
  return {
    compute: new Map([...compute].map(([name, node]) => [name, readCompute(reader, name, node)])),
    prices: new Map([...placement].map(([name, node]) => [name, readPrices(reader, node)])),
  };
}

function readPrices(
  reader: SdlReader,
  placement: SdlNode,
): ReadonlyMap<string, readonly Problem[]> {
  const prices = fieldsOf(reader, fieldsOf(reader, placement).get('pricing'));
  return new Map(
    [...prices].map(([name, price]) => [
      name,
      quantityProblems(reader, price, fieldsOf(reader, price), {
        field: 'amount',
        of: `the price of compute profile '${name}'`,
      }),
    ]),
  );
}

function readCompute(reader: SdlReader, name: string, profile: SdlNode): SdlCompute {
  const resources = fieldsOf(reader, profile).get('resources');
  const fields = fieldsOf(reader, resources);
  const quantity = (resource: string, node: SdlNode | undefined, field: string) => {
    const own = fieldsOf(reader, node);
    const of = `${resource} of compute profile '${name}'`;
    return {
      own,
      problems: quantityProblems(reader, node ?? resources ?? profile, own, { field, of }),
    };
  };
  const storage = fields.get('storage');
  const list = storage && Array.isArray(storage.value) ? reader.list(storage) : undefined;
  const volumes = (list?.length === 0 ? [undefined] : (list ?? [storage])).map((volume) => {
    const { own, problems } = quantity('storage', volume, 'size');
    const attributes = fieldsOf(reader, own.get('attributes'));
    const persistent = attributes.get('persistent');
    const isPersistent = persistent && reader.written(persistent) === 'true';
    const at = isPersistent ? reader.at(persistent) : undefined;
    const isBad = at && attributes.get('class')?.value === 'ram';
    const bad = isBad ? [invalid('storage of class ram cannot be persistent', at)] : [];
    return { persistent: at, problems: [...problems, ...bad] };
  });
  return {
    refused: [
      ...quantity('cpu', fields.get('cpu'), 'units').problems,
      ...quantity('memory', fields.get('memory'), 'size').problems,
      ...volumes.flatMap(({ problems }) => problems),
    ],
    persistent: volumes.find(({ persistent }) => persistent)?.persistent,
    hasGpu: isPositive(reader, fieldsOf(reader, fields.get('gpu')).get('units')),
  };
}

/** Reads what a service needs of its compute profile. Adds FIELD_TYPE to the reader's problems. */
export function readNeeds(reader: SdlReader, service: Fields): SdlNeeds {
  const params = fieldsOf(reader, service.get('params'));
  const tee = params.get('tee');
  return {
    mountsVolumes: fieldsOf(reader, params.get('storage')).size > 0,
    gpu: tee?.value === 'cpu-gpu' ? reader.at(tee) : undefined,
  };
}

/** Reads the deployment of a service to one placement. Adds FIELD_TYPE to the reader's problems. */
export function readDeployed(reader: SdlReader, deployed: SdlNode): SdlDeployed {
  const fields = reader.mapping(deployed);
  const profile = fields?.get('profile');
  return {
    profile: (profile && reader.written(profile)) ?? '',
    profileAt: reader.at(profile ?? deployed),
    refused: fields
      ? quantityProblems(reader, deployed, fields, {
          field: 'count',
          of: `the deployment to ${valueText(deployed.path.at(-1))}`,
        })
      : [],
    at: reader.keyAt(deployed),
  };
}

/** SDL_INVALID for a service without an image. */
export function imageProblems(reader: SdlReader, service: SdlNode, fields: Fields): Problem[] {
  const image = fields.get('image');
  if (image && reader.written(image)) return [];
  const at = image ? reader.at(image) : reader.keyAt(service);
  return [invalid(`service ${valueText(service.path.at(-1))} has no image`, at)];
}

/** SDL_INVALID for a part of an SDL that Akash does not know, and for a bad reclamation. */
export function rootProblems(reader: SdlReader, fields: Fields): readonly Problem[] {
  const unknown = [...fields].filter(([name]) => !knownParts.includes(name));
  const reclamation = fields.get('reclamation');
  return [
    ...unknown.map(([name, node]) => ({
      ...invalid(`${valueText(name)} is not a part of an SDL that Akash reads`, reader.keyAt(node)),
      hint: 'remove it: Akash refuses the deployment',
    })),
    ...(reclamation
      ? quantityProblems(reader, reclamation, fieldsOf(reader, reclamation), {
          field: 'min_window',
          of: 'the reclamation',
        })
      : []),
  ];
}

/** Akash: go/sdl/v2.go UnmarshalYAML. */
const knownParts: readonly string[] = [
  ...['version', 'include', 'services', 'profiles'],
  ...['deployment', 'endpoints', 'reclamation'],
];

/** SDL_INVALID for what Akash refuses of a service in one placement, and of its profile. */
export function checkDeployed(
  {
    service,
    placement,
    needs,
  }: { service: string; placement: string; needs: SdlNeeds | undefined },
  { profile, profileAt, refused }: SdlDeployed,
  { compute, prices }: SdlProfiles,
): readonly Problem[] {
  const problems = [...refused];
  const add = (message: string, at: Position, hint?: string) => {
    problems.push({ ...invalid(message, at), ...(hint && { hint }) });
  };
  const named = compute.get(profile);
  if (!named) {
    const profileText = profile ? `compute profile ${valueText(profile)}, which` : 'a profile that';
    const message = `service '${service}' is deployed with ${profileText} is not declared`;
    add(message, profileAt, 'declare it under profiles.compute');
    return problems;
  }
  problems.push(...named.refused);
  const price = prices.get(placement)?.get(profile);
  if (price) problems.push(...price);
  else if (prices.has(placement)) {
    const message = `placement '${placement}' has no price for compute profile '${profile}'`;
    add(message, profileAt, `declare it under profiles.placement.${placement}.pricing`);
  }
  if (named.persistent && needs?.mountsVolumes === false) {
    const message = `compute profile '${profile}' has persistent storage, which service '${service}' does not mount`;
    add(message, named.persistent, `write its mount under services.${service}.params.storage`);
  }
  if (needs?.gpu && !named.hasGpu) {
    const message = `service '${service}' has tee: cpu-gpu, but compute profile '${profile}' has no GPU`;
    add(message, needs.gpu);
  }
  return problems;
}

/** SDL_INVALID for a quantity that is missing or not above 0. */
function quantityProblems(
  reader: SdlReader,
  parent: SdlNode,
  fields: Fields,
  { field, of }: { readonly field: string; readonly of: string },
): readonly Problem[] {
  const value = fields.get(field);
  if (isPositive(reader, value)) return [];
  const written = value && reader.written(value);
  const is = written === undefined ? `has no '${field}'` : `has '${field}' ${valueText(written)}`;
  return [invalid(`${of} ${is}, expected more than 0`, reader.at(value ?? parent))];
}

/** True for a number above 0, with any unit. */
function isPositive(reader: SdlReader, value: SdlNode | undefined): boolean {
  const written = (value && reader.written(value)) ?? '';
  return /[1-9]/.test(written) && !written.trim().startsWith('-');
}

/** The entries of a mapping; none for a field that is missing or empty, as for Akash. */
function fieldsOf(reader: SdlReader, node: SdlNode | undefined): Fields {
  return (node && node.value !== null && reader.mapping(node)) || new Map();
}

function invalid(message: string, at: Position): Problem {
  return { code: 'SDL_INVALID', message, at };
}
