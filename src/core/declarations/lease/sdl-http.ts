import { defaultHttp, type HttpOptions, mostHttp, nextCases } from '../../model/lease.ts';
import type { Position, Problem } from '../../model/problem.ts';
import { objectName } from '../../text/common-fields.ts';
import { valueText } from '../../text/message-text.ts';
import { type SdlNode, type SdlReader, sdlFieldName } from './sdl-reader.ts';

/** A host that an expose accepts. */
export interface SdlHost {
  readonly name: string;
  /**
   * The number of entries under `to` in its expose. Akash reads the host once for each entry, and
   * once when there is none.
   */
  readonly targets: number;
  /** True when Akash routes its expose: TCP, global and on the external port 80. */
  readonly isIngress: boolean;
  readonly http: HttpOptions;
  readonly at: Position;
}

/**
 * The number options: the highest value that Akash accepts, and the field of {@link HttpOptions}.
 * Source: chain-sdk, go/sdl/v2.go.
 */
const numberOptions: Readonly<
  Record<
    string,
    { readonly most?: number; readonly field?: Exclude<keyof HttpOptions, 'nextCases'> }
  >
> = {
  max_body_size: { most: mostHttp.maxBodySize, field: 'maxBodySize' },
  // The Akash operator does not apply it.
  proxy_buffer_size: { most: 1_048_576 },
  read_timeout: { most: mostHttp.readTimeout, field: 'readTimeout' },
  send_timeout: { most: mostHttp.sendTimeout, field: 'sendTimeout' },
  next_tries: { field: 'nextTries' },
  next_timeout: { field: 'nextTimeout' },
};

/** The hosts under `accept`. Adds FIELD_TYPE to the reader's problems. */
export function readHosts(
  reader: SdlReader,
  accept: SdlNode | undefined,
  expose: Pick<SdlHost, 'targets' | 'isIngress' | 'http'>,
): readonly SdlHost[] {
  const hosts = accept ? reader.texts(accept) : [];
  return hosts.map((node) => ({ name: node.text, ...expose, at: reader.at(node) }));
}

/** The HTTP options of an expose, and those that Akash refuses in a deployed service. */
interface SdlHttp {
  readonly http: HttpOptions;
  /** SDL_HTTP_OPTION. */
  readonly refused: readonly Problem[];
}

/**
 * Reads HTTP options, with Akash's defaults; 0 and an empty list mean the default too. FIELD_TYPE
 * and FIELD_VALUE, which Akash refuses in any service, are added to the reader's problems. Like
 * Akash, this ignores unknown options and those under `to`.
 */
export function readHttpOptions(reader: SdlReader, section: SdlNode | undefined): SdlHttp {
  const fields =
    section === undefined || section.value === null ? undefined : reader.mapping(section);
  const http = { ...defaultHttp };
  const problems = [...(fields ?? [])].flatMap(([name, node]) => {
    if (name === 'next_cases') {
      const cases = reader.texts(node);
      if (cases.length > 0) http.nextCases = cases.map(({ text }) => text);
      return badNextCases(reader, cases);
    }
    const option = Object.hasOwn(numberOptions, name) ? numberOptions[name] : undefined;
    if (!option) return [];
    const value = reader.uint32(node);
    const { most = Number.POSITIVE_INFINITY, field } = option;
    if (value && field) http[field] = value;
    return value !== undefined && value > most
      ? [refused(`${sdlFieldName(node)} is ${value}, expected at most ${most}`, reader.at(node))]
      : [];
  });
  return { http, refused: problems };
}

type SdlText = SdlNode & { readonly text: string };

function badNextCases(reader: SdlReader, cases: readonly SdlText[]): readonly Problem[] {
  return cases.flatMap((node) => {
    if (!nextCases.some((known) => known === node.text)) {
      const message = `${valueText(node.text)} is not one of ${nextCases.join(', ')}`;
      return [refused(message, reader.at(node))];
    }
    if (node.text !== 'off' || cases.length === 1) return [];
    return [refused("'off' is listed with other cases, expected it alone", reader.at(node))];
  });
}

function refused(message: string, at: Position): Problem {
  return { code: 'SDL_HTTP_OPTION', message, at };
}

/** The hosts of a deployed service, and the number of its placements. */
export interface Hosting {
  readonly hosts: readonly SdlHost[];
  readonly placements: number;
}

/**
 * SDL_HOST for an invalid host name, and SDL_HOST_TAKEN for a host that Akash would read twice,
 * over all deployed services: chain-sdk, go/manifest/v2beta3/serviceexpose.go validate.
 */
export function checkHosts(services: readonly Hosting[]): readonly Problem[] {
  const first = new Map<string, SdlHost>();
  return services.flatMap(({ hosts, placements }) =>
    hosts.flatMap((host): Problem[] => {
      if (!objectName.safeParse(host.name).success) return [badHost(host)];
      const other = first.get(host.name);
      if (other) return [{ ...taken(host, 'is listed under accept twice'), also: [other.at] }];
      first.set(host.name, host);
      if (host.targets > 1) return [{ ...taken(host, perTarget(host)), hint: oneTarget }];
      if (placements === 1) return [];
      return [taken(host, `belongs to a service that is deployed to ${placements} placements`)];
    }),
  );
}

const oneTarget = 'keep one entry under to, and move the others to another expose';

function perTarget({ targets }: SdlHost): string {
  return `is read once for each of the ${targets} entries under to`;
}

function badHost({ name, at }: SdlHost): Problem {
  return {
    code: 'SDL_HOST',
    message: `${valueText(name)} is not a host name that Akash accepts`,
    at,
    hint: 'use lower-case letters, digits, - and ., with a letter or digit at both ends, without * and port',
  };
}

function taken({ name, at }: SdlHost, why: string): Problem {
  return {
    code: 'SDL_HOST_TAKEN',
    message: `host ${valueText(name)} ${why}, but Akash accepts a host only once`,
    at,
  };
}
