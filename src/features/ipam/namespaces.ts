import * as z from 'zod';
import { EnvironmentError } from '../../core/model/problem.ts';

/** The fields of the output of `kubectl get namespaces -o json` that are read. */
const namespaceList = z.object({
  items: z.array(
    z.object({
      kind: z.literal('Namespace'),
      metadata: z.object({ name: z.string(), uid: z.string().min(1) }),
    }),
  ),
});

/**
 * Names of namespaces by their UIDs, for each cluster. The operator's id of a cluster is the UID of
 * its namespace `kube-system`.
 */
export type NamespaceNames = ReadonlyMap<string, ReadonlyMap<string, string>>;

/**
 * Reads files that `kubectl get namespaces -o json` printed, one for each cluster. An
 * EnvironmentError for any other file.
 */
export function namespaceNames(
  files: readonly { readonly name: string; readonly bytes: Uint8Array }[],
): NamespaceNames {
  return new Map(files.map(({ name, bytes }) => clusterIn(name, bytes)));
}

function clusterIn(
  file: string,
  bytes: Uint8Array,
): readonly [cluster: string, names: ReadonlyMap<string, string>] {
  const names = namespacesIn(file, bytes);
  const cluster = [...names].find(([, name]) => name === 'kube-system')?.[0];
  if (cluster === undefined)
    throw new EnvironmentError(`${file} is without the namespace kube-system`);
  return [cluster, names];
}

function namespacesIn(file: string, bytes: Uint8Array): ReadonlyMap<string, string> {
  try {
    const { items } = namespaceList.parse(JSON.parse(new TextDecoder().decode(bytes)));
    return new Map(items.map(({ metadata: { uid, name } }) => [uid, name]));
  } catch {
    throw new EnvironmentError(`${file} is not what \`kubectl get namespaces -o json\` prints`);
  }
}
