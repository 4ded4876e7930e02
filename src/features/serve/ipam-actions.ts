import type { Day } from '../../core/model/day.ts';
import { EnvironmentError } from '../../core/model/problem.ts';
import { sanitizedJson } from '../../core/text/print/escape.ts';
import type { WebAction, WebAnswer } from '../../lib/http/web.ts';
import { jsonType } from '../../lib/service/route.ts';
import { failedAction, type IpamAction, type IpamReply, isReply } from '../ipam/ipam-answer.ts';
import { readIpamRequest } from '../ipam/ipam-request.ts';
import { semaphore } from './bounded-git-work.ts';
import type { LongWork } from './long-work.ts';
import type { Operation } from './open-api.ts';

/** One request at a time: each commits to the same branch. */
const bounds = { running: 1, waiting: 32 } as const;

/**
 * The paths of vitistack's ipam-api that its operator uses, with a second path for the end of a
 * lease: ipam-api 1.0.40, internal/routes.
 */
const paths = [
  { method: 'POST', path: '/v2/address', action: 'register', id: 'registerAddress' },
  { method: 'DELETE', path: '/v2/address', action: 'expire', id: 'expireAddress' },
  { method: 'DELETE', path: '/v2/service', action: 'expire', id: 'expireService' },
] as const;

/** Answers the requests of ipam-operator, with its texts and statuses. */
export function ipamWebActions(
  work: Pick<LongWork, 'ipam'>,
  today: () => Day,
): readonly WebAction[] {
  const limit = semaphore(bounds.running, bounds.waiting);
  const carryOut = async (action: IpamAction, body: unknown): Promise<IpamReply> => {
    const request = readIpamRequest(body);
    if (isReply(request)) return request;
    try {
      const reply = await limit.run(() => work.ipam({ action, request, day: today() }));
      return reply ?? failedAction(action, 'too many requests are waiting');
    } catch (error) {
      if (error instanceof EnvironmentError) return failedAction(action, error.message);
      throw error;
    }
  };
  return paths.map(({ method, path, action }) => ({
    method,
    path,
    answer: async (body) => ipamAnswer(await carryOut(action, body)),
    refusal: (status, message) => ipamAnswer({ status, message }),
  }));
}

function ipamAnswer({ status, ...answer }: IpamReply): WebAnswer {
  return { status, type: jsonType, body: sanitizedJson(answer) };
}

const summaries: Readonly<Record<IpamAction, string>> = {
  register: 'Gives a Service an address, as ipam-api does',
  expire: 'Ends the lease of an address, as ipam-api does',
};

/** The same paths for the OpenAPI document. */
export const ipamOperations: readonly Operation[] = paths.map(({ method, path, action, id }) => ({
  id,
  path,
  method: method === 'POST' ? 'post' : 'delete',
  summary: summaries[action],
  media: jsonType,
  kind: 'IpamAnswer',
  isOpen: false,
  isServedOnly: false,
}));
