import type { Position, Problem } from '../../model/problem.ts';
import { valueText } from '../../text/field-text.ts';
import { objectName } from '../../text/name-fields.ts';
import { fieldName, type SdlNode, type SdlReader } from './sdl-reader.ts';

/** A host that an expose accepts. */
export interface SdlHost {
  readonly name: string;
  /** How many entries its expose has under `to`. Akash reads the host once for each, and once without any. */
  readonly targets: number;
  readonly at: Position;
}

/** What Akash refuses above these; 0 stands for what it has when nothing is said (chain-sdk: go/sdl/v2.go). */
const mostOfOptions: Readonly<Record<string, number>> = {
  max_body_size: 104_857_600,
  proxy_buffer_size: 1_048_576,
  read_timeout: 60_000,
  send_timeout: 60_000,
};

const otherNumbers = ['next_tries', 'next_timeout'];

const nextCases = 'error timeout 500 502 503 504 403 404 429 off'.split(' ');

/** The hosts under `accept`. FIELD_TYPE is noted in the reader. */
export function readHosts(
  reader: SdlReader,
  accept: SdlNode | undefined,
  targets: number,
): readonly SdlHost[] {
  const hosts = accept ? reader.texts(accept) : [];
  return hosts.map((node) => ({ name: node.text, targets, at: reader.at(node) }));
}

/**
 * SDL_HTTP_OPTION for each option that Akash refuses in a service that is deployed. What it refuses in any service,
 * FIELD_TYPE and FIELD_VALUE, is noted in the reader. Options that it does not know it passes over, and all under `to`.
 */
export function readHttpOptions(
  reader: SdlReader,
  section: SdlNode | undefined,
): readonly Problem[] {
  const fields =
    section === undefined || section.value === null ? undefined : reader.mapping(section);
  return [...(fields ?? [])].flatMap(([name, node]) => {
    if (name === 'next_cases') return badNextCases(reader, node);
    const most = mostOfOptions[name];
    if (most === undefined && !otherNumbers.includes(name)) return [];
    const value = reader.uint32(node);
    return value !== undefined && most !== undefined && value > most
      ? [refused(`${fieldName(node)} is ${value}, expected at most ${most}`, reader.at(node))]
      : [];
  });
}

function badNextCases(reader: SdlReader, section: SdlNode): readonly Problem[] {
  const cases = reader.texts(section);
  return cases.flatMap((node) => {
    if (!nextCases.includes(node.text)) {
      const message = `${valueText(node.text)} is none of the cases ${nextCases.join(', ')}`;
      return [refused(message, reader.at(node))];
    }
    if (node.text !== 'off' || cases.length === 1) return [];
    return [refused("'off' stands beside other cases, expected it alone", reader.at(node))];
  });
}

function refused(message: string, at: Position): Problem {
  return { code: 'SDL_HTTP_OPTION', message, at };
}

/** A service that is deployed, and to how many placements. */
export interface Hosting {
  readonly hosts: readonly SdlHost[];
  readonly placements: number;
}

/**
 * SDL_HOST for a host that is no name, and SDL_HOST_TAKEN for one that Akash would read twice, over all services that
 * are deployed: chain-sdk, go/manifest/v2beta3/serviceexpose.go validate.
 */
export function checkHosts(services: readonly Hosting[]): readonly Problem[] {
  const first = new Map<string, SdlHost>();
  return services.flatMap(({ hosts, placements }) =>
    hosts.flatMap((host): Problem[] => {
      if (!objectName.safeParse(host.name).success) return [badHost(host)];
      const other = first.get(host.name);
      if (other) return [{ ...taken(host, 'stands under accept twice'), also: [other.at] }];
      first.set(host.name, host);
      if (host.targets > 1) return [{ ...taken(host, perTarget(host)), hint: oneTarget }];
      if (placements === 1) return [];
      return [taken(host, `is of a service that is deployed to ${placements} placements`)];
    }),
  );
}

const oneTarget = 'give the expose one entry under to, and write another expose for the others';

function perTarget({ targets }: SdlHost): string {
  return `counts once for each of the ${targets} entries under to`;
}

function badHost({ name, at }: SdlHost): Problem {
  return {
    code: 'SDL_HOST',
    message: `${valueText(name)} is no host that Akash takes`,
    at,
    hint: 'use lower-case letters, digits, - and ., with a letter or digit at both ends: no * and no port',
  };
}

function taken({ name, at }: SdlHost, why: string): Problem {
  return {
    code: 'SDL_HOST_TAKEN',
    message: `host ${valueText(name)} ${why}, and Akash takes a host once`,
    at,
  };
}
