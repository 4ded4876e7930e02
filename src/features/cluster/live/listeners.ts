import { type LiveKind, liveKinds } from '../../../core/model/kinds.ts';
import { fieldAt, type LiveObject, listAt, numberAt, textAt } from '../../../core/model/live.ts';
import { selects } from './label-selector.ts';

/** A listener of a Gateway that has a hostname. */
export interface NamedListener {
  readonly name: string;
  readonly hostname: string;
}

/** A live route, and the labels of its namespace. */
interface Attached {
  readonly kind: LiveKind;
  readonly object: LiveObject;
  readonly namespaceLabels: Readonly<Record<string, string>> | undefined;
}

/**
 * The listeners with a hostname that a route attaches to by one of its `parentRefs`: those that the
 * reference names, and that allow routes of its kind and namespace. Gateway API, Listener and
 * ParentReference.
 */
export function attachedListeners(
  gateway: LiveObject,
  parentRef: unknown,
  route: Attached,
): readonly NamedListener[] {
  return listAt(gateway, 'spec', 'listeners').flatMap((listener) => {
    const [name, hostname] = [textAt(listener, 'name') ?? '', textAt(listener, 'hostname') ?? ''];
    const port = numberAt(listener, 'port');
    const isNamed =
      (textAt(parentRef, 'sectionName') ?? name) === name &&
      (numberAt(parentRef, 'port') ?? port) === port;
    const isAllowed = allowsKind(listener, route) && allowsNamespace(listener, gateway, route);
    return hostname !== '' && isNamed && isAllowed ? [{ name, hostname }] : [];
  });
}

/** Without a list of kinds, a listener allows those of its protocol. */
function allowsKind(listener: unknown, { kind }: Attached): boolean {
  if (['TCP', 'TLS', 'UDP'].includes(textAt(listener, 'protocol') ?? '')) return false;
  const kinds = listAt(listener, 'allowedRoutes', 'kinds');
  return kinds.length === 0 || kinds.some((one) => textAt(one, 'kind') === liveKinds[kind].kind);
}

function allowsNamespace(
  listener: unknown,
  gateway: LiveObject,
  { object, namespaceLabels }: Attached,
): boolean {
  const from = textAt(listener, 'allowedRoutes', 'namespaces', 'from') ?? 'Same';
  if (from === 'Same') return object.metadata.namespace === gateway.metadata.namespace;
  if (from !== 'Selector') return from === 'All';
  return selects(fieldAt(listener, 'allowedRoutes', 'namespaces', 'selector'), namespaceLabels);
}
