import { fieldAt, type LiveObject, listAt, textAt } from '../../core/model/live.ts';

/** The class of an Ingress. The annotation is older than the field, and is still read. */
export function ingressClass({ metadata, spec }: LiveObject): string {
  const annotated = metadata.annotations?.['kubernetes.io/ingress.class'];
  return annotated ?? textAt(spec, 'ingressClassName') ?? '';
}

/** True for a route that the Gateway has not accepted, through any of its listeners. */
export function isRefused(
  route: LiveObject,
  { namespace, name }: { readonly namespace: string; readonly name: string },
): boolean {
  const own = listAt(route, 'status', 'parents').filter(
    (one) =>
      (textAt(one, 'parentRef', 'namespace') ?? route.metadata.namespace) === namespace &&
      textAt(one, 'parentRef', 'name') === name,
  );
  const accepted = own.map((one) =>
    listAt(one, 'conditions').find((condition) => textAt(condition, 'type') === 'Accepted'),
  );
  return accepted.length > 0 && accepted.every((one) => textAt(one, 'status') === 'False');
}

/** True for a match of an HTTPRoute or a GRPCRoute that is not of all requests. */
export function isClose(match: unknown): boolean {
  const isAny =
    (textAt(match, 'path', 'type') ?? 'PathPrefix') === 'PathPrefix' &&
    (textAt(match, 'path', 'value') ?? '/') === '/';
  const others = ['headers', 'queryParams', 'method'];
  return !isAny || others.some((field) => fieldAt(match, field) !== undefined);
}
