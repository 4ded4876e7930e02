import type { Problem } from '../../../core/model/problem.ts';
import type { WebAnswer, WebRequest } from '../../../lib/http/web.ts';
import { jsonType, type Route, textAnswer } from '../../../lib/service/route.ts';
import { memoized, type ServedTree } from '../../../lib/service/serve-state.ts';
import { goTime, httpDate } from '../time-formats.ts';
import { clusterIn, type OperatorScope } from './operator-leases.ts';

/** The parts of a route that is one of an operator of Akash. */
export function operatorInfo(id: string, path: string, summary: string, kind: string) {
  return { id, path, summary, kind, media: jsonType, access: 'operator' } as const;
}

/** Errors have the format of that client: `{"Error", "Code"}`, with -1 for no specific code. */
export function operatorRoute(
  info: ReturnType<typeof operatorInfo>,
  scope: OperatorScope,
  answer: (served: ServedTree, request: WebRequest) => WebAnswer,
): Route {
  return {
    ...info,
    of: 'state',
    answer({ served }, request) {
      if (served === undefined) return operatorError(503, 'nothing is served yet');
      if (clusterIn(served.snapshot.pools, scope) === undefined) {
        return operatorError(503, `leases/pools.yaml declares no cluster ${scope.cluster}`);
      }
      if (Object.keys(request.params).length > 0) return answer(served, request);
      return memoized(served, info.path, () => answer(served, request));
    },
  };
}

export function operatorError(status: number, error: string): WebAnswer {
  const body = `${JSON.stringify({ Error: error, Code: -1 })}\n`;
  const headers = status === 503 ? { 'Retry-After': '5' } : {};
  return { status, type: jsonType, body, headers };
}

/** A JSON answer that ends as those of Go do. */
export function goJson(value: object): WebAnswer {
  return textAnswer(`${JSON.stringify(value)}\n`, jsonType);
}

/** The operator sends Last-Modified with the answers that it prepares in advance. */
export function prepared({ revision }: ServedTree, body: string): WebAnswer {
  const answer = textAnswer(body, jsonType);
  return { ...answer, headers: { 'Last-Modified': httpDate(revision.seenAt) } };
}

/** A dseq is a uint64, which Go prints as a number with all digits. */
export function withNumbers(text: string): string {
  return text.replaceAll(/"dseq":"(\d+)"/g, '"dseq":$1');
}

/** A lease that an operator leaves out, in its answers; what the operator counts was seen once. */
export function ignoredLease(
  { code, message }: Pick<Problem, 'code' | 'message'>,
  { revision }: ServedTree,
  { hostnames, namespace }: { readonly hostnames: readonly string[]; readonly namespace: string },
) {
  return {
    hostnames: [...new Set(hostnames)],
    'last-error': message,
    'last-error-type': code,
    'failed-at': goTime(revision.seenAt),
    'failure-count': 1,
    namespace,
  };
}
