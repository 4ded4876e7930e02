import type { Kube, KubeObject } from '../kube.ts';

/** Runs the kubectl commands that a hint prints on an object: `annotate … KEY-`, and `patch --type json -p '…'`. */
export async function runPrinted(kube: Kube, object: KubeObject, command: string): Promise<void> {
  const { name, namespace } = object.metadata;
  const [, verb, rest = ''] =
    new RegExp(`^kubectl -n ${namespace} (annotate|patch) service ${name} (.*)$`).exec(command) ??
    [];
  const [, key] = /^(\S+)-$/.exec(rest) ?? [];
  const [, patch] = /^--type json -p '(.*)'$/.exec(rest) ?? [];
  if (verb === 'annotate' && key !== undefined) {
    await kube.merge(object, { metadata: { annotations: { [key]: null } } });
  } else if (verb === 'patch' && patch !== undefined) {
    const path = `/api/v1/namespaces/${namespace}/services/${name}`;
    await kube.send('PATCH', path, JSON.parse(patch), 'application/json-patch+json');
  } else {
    throw new Error(`nobody knows how to run ${command}`);
  }
}
