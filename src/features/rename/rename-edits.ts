import { leaseholdKeys, planeKeys } from '../../core/declarations/service/service-metadata.ts';
import type { AnycastGroup } from '../../core/model/pools.ts';
import type { DeclaredService, Reservation } from '../../core/model/service.ts';
import {
  hasKey,
  type NodePath,
  withEntry,
  withoutEntry,
  withValue,
} from '../../lib/edit/yaml-edit.ts';

type Declared = DeclaredService | Reservation;

/** The name of a Service or Reservation; a missing field stays. */
export interface NewName {
  readonly namespace?: string;
  readonly name?: string;
  readonly sharingKey?: string;
}

const sharingKeys = [leaseholdKeys.sharingKey, ...planeKeys.map(({ sharingKey }) => sharingKey)];

/** Gives a `Service` or a `Reservation` another name, namespace or sharing key. */
export function withServiceName(text: string, { kind }: Declared, name: NewName): string {
  const fields: (readonly [path: NodePath, value: string | undefined])[] =
    kind === 'Service'
      ? [
          [['metadata', 'name'], name.name],
          [['metadata', 'namespace'], name.namespace],
          ...sharingKeys.map((key) => [['metadata', 'annotations', key], name.sharingKey] as const),
        ]
      : [
          [['metadata', 'name'], name.name],
          [['spec', 'service'], name.name],
          [['spec', 'namespace'], name.namespace],
          [['spec', 'sharingKey'], name.sharingKey],
        ];
  return fields.reduce((before, [path, value]) => withField(before, path, value), text);
}

/** Gives an endpoint of a `Lease` another name. */
export function withEndpointName(text: string, index: number, name: string): string {
  return withValue(text, ['spec', 'endpoints', index, 'name'], scalar(name));
}

/** Gives an endpoint of a `Lease` the sharing key that its live Services keep, or none. */
export function withLiveKey(text: string, index: number, key: string | undefined): string {
  const path: NodePath = ['spec', 'endpoints', index];
  const isThere = hasKey(text, [...path, 'liveSharingKey']);
  if (key === undefined) return isThere ? withoutEntry(text, path, 'liveSharingKey') : text;
  return isThere ? text : withEntry(text, path, 'liveSharingKey', scalar(key));
}

/** Gives the endpoint of a `Promise` another name. */
export function withPromisedEndpoint(text: string, name: string): string {
  return withValue(text, ['spec', 'endpoint'], scalar(name));
}

/** Routes a `Hostname` to a Service of another name. */
export function withHostnameService(
  text: string,
  to: Required<Pick<NewName, 'namespace' | 'name'>>,
): string {
  return withField(
    withField(text, ['spec', 'namespace'], to.namespace),
    ['spec', 'service'],
    to.name,
  );
}

/** A member of a group, and its new name. */
interface RenamedMember {
  readonly group: AnycastGroup;
  readonly member: Pick<Declared, 'cluster' | 'namespace' | 'name'>;
  readonly to: Required<Pick<NewName, 'namespace' | 'name'>>;
}

/** Gives a member of an anycast group of the pool file another name. */
export function withMember(
  text: string,
  groups: readonly AnycastGroup[],
  { group, member, to }: RenamedMember,
): string {
  const index = group.members.findIndex(
    ({ cluster, namespace, service }) =>
      cluster === member.cluster && namespace === member.namespace && service === member.name,
  );
  const path: NodePath = ['anycast', groups.indexOf(group), 'members', index];
  return withField(
    withField(text, [...path, 'namespace'], to.namespace),
    [...path, 'service'],
    to.name,
  );
}

/** Sets a field that is there. A missing namespace is `default`, and gets a line. */
function withField(text: string, path: NodePath, value: string | undefined): string {
  if (value === undefined) return text;
  if (hasKey(text, path)) return withValue(text, path, scalar(value));
  const key = path.at(-1);
  return key === 'namespace' ? withEntry(text, path.slice(0, -1), key, scalar(value)) : text;
}

/** A word, in quotes where a YAML reader could take it for something else, also in a flow map. */
function scalar(value: string): string {
  const isPlain =
    /^[a-z][-a-z0-9_]*$/.test(value) && !/^(?:y|n|yes|no|on|off|true|false|null)$/.test(value);
  return isPlain ? value : JSON.stringify(value);
}
