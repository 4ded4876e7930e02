import { EnvironmentError } from '../../../../core/model/problem.ts';
import {
  type ClientTiming,
  type JsonAnswer,
  JsonClient,
  type JsonRequest,
} from '../../../../lib/http/world/json-client.ts';
import { ListBounds } from '../../../../lib/http/world/list-bounds.ts';
import type { NetBox, NetBoxFields } from '../netbox.ts';

/** The address of a NetBox and a token for it. */
export interface NetBoxAccess {
  /** `https://netbox.example.com`, with or without `/api`. */
  readonly url: string;
  /** A token of version 2, `nbt_…`, or of version 1. */
  readonly token: string;
  /** The variable or the file that the token comes from. */
  readonly tokenFrom: string;
}

/** Objects of one page. NetBox has a limit of its own, 1,000 by default. */
const perPage = 500;
/** Milliseconds for one request: NetBox needs some tens for each object that it writes. */
const longestRequest = 120_000;
const longestReason = 300;

/** The REST API of a NetBox 4. Throws an EnvironmentError for a malformed address or token. */
export function netBoxApi(access: NetBoxAccess, { clock, request }: ClientTiming): NetBox {
  const { token, tokenFrom } = access;
  const root = `${access.url.replace(/\/+$/, '').replace(/\/api$/, '')}/api`;
  const http = new JsonClient(
    {
      ...{ name: 'NetBox', root, token, tokenFrom },
      scheme: token.startsWith('nbt_') ? undefined : 'Token',
      headers: { Accept: 'application/json' },
    },
    { clock, request: request ?? longestRequest },
  );
  async function ask(asked: JsonRequest, ...expected: readonly number[]): Promise<JsonAnswer> {
    const answer = await http.ask(asked);
    const { status } = answer;
    if ((status >= 200 && status < 300) || expected.includes(status)) return answer;
    throw http.refusal(asked, answer, helpFor(status, tokenFrom));
  }
  return {
    address: root,
    async list(list, filters) {
      const found: NetBoxFields[] = [];
      const bounds = new ListBounds(root, list);
      for (;;) {
        const query = new URLSearchParams(filters as [string, string][]);
        query.set('ordering', 'id');
        query.set('limit', String(perPage));
        query.set('offset', String(found.length));
        const path = `/${list}/?${query}`;
        bounds.ask(path);
        const answer = await ask({ method: 'GET', path });
        const { count, results } = Object(answer.value) as NetBoxFields;
        if (typeof count !== 'number' || !Array.isArray(results)) throw unreadable(root);
        bounds.count(results.length, answer);
        for (const one of results) found.push(Object(one) as NetBoxFields);
        if (found.length >= count) return found;
        if (results.length === 0) throw incomplete(root, list, found.length, count);
      }
    },
    async write({ method, list, objects }) {
      const answer = await ask({ method, path: `/${list}/`, body: objects }, 400, 409);
      const { status, value } = answer;
      if (status < 400) return { objects: Array.isArray(value) ? value.map(Object) : [] };
      const reason = reasonIn(value).replace(/\s+/g, ' ').replaceAll(token, '***');
      return { refused: reason.slice(0, longestReason) || `NetBox answers ${status}` };
    },
  };
}

/** The sentences of an answer of NetBox that refuses, each with its field. */
function reasonIn(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value ?? '');
  const isList = Array.isArray(value);
  return Object.entries(value)
    .map(([field, own]) => {
      const text = reasonIn(own);
      return isList || text === '' || wholeObject.has(field) ? text : `${field}: ${text}`;
    })
    .filter((text) => text !== '')
    .join('; ');
}

/** The names of reasons that are not about one field. */
const wholeObject: ReadonlySet<string> = new Set(['detail', '__all__', 'non_field_errors']);

function helpFor(status: number, tokenFrom: string): string {
  if (status === 401 || status === 403) {
    return `the token in ${tokenFrom} is wrong or expired, or its user may not do that: it must view, add, change and delete IP addresses, prefixes and IP ranges, and view and add tags and custom fields`;
  }
  if (status === 404)
    return 'name the address of NetBox with --api, such as https://netbox.example.com';
  return 'nothing more was done';
}

/** An object that is not listed would look as if it did not exist. */
function incomplete(root: string, list: string, found: number, count: number): EnvironmentError {
  return new EnvironmentError(
    `${root} has ${count} objects in ${list}, and lists only ${found} of them: export again`,
  );
}

function unreadable(root: string): EnvironmentError {
  return new EnvironmentError(
    `the server at ${root} is not NetBox: its answer has no results; name its address with --api`,
  );
}
