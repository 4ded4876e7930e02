import type { Kube, KubeObject } from './kube.ts';

const apiVersions: Readonly<Record<string, readonly [apiVersion: string, kind: string]>> = {
  service: ['v1', 'Service'],
  ipaddresspool: ['metallb.io/v1beta1', 'IPAddressPool'],
  l2advertisement: ['metallb.io/v1beta1', 'L2Advertisement'],
  bgpadvertisement: ['metallb.io/v1beta1', 'BGPAdvertisement'],
};

/** The commands that a text of verify prints for fields that another field manager has set. */
export function removalCommands(text: string): readonly string[] {
  return [...text.matchAll(/ has set it, .*: (kubectl .*)/g)].map(([, command = '']) => command);
}

/** Runs a kubectl command that a hint prints: `annotate … KEY-`, or `patch … --type json -p '…'`. */
export async function runPrinted(kube: Kube, command: string): Promise<void> {
  const [, namespace, verb, word = '', name = '', rest = ''] =
    /^kubectl -n (\S+) (annotate|patch) (\S+) (\S+) (.*)$/.exec(command) ?? [];
  const [, key] = /^(\S+)-$/.exec(rest) ?? [];
  const [, patch] = /^--type json -p '(.*)'$/.exec(rest) ?? [];
  const [apiVersion, kind] = apiVersions[word] ?? [];
  if (namespace === undefined || apiVersion === undefined || kind === undefined) {
    throw new Error(`nobody knows how to run ${command}`);
  }
  const object: KubeObject = { apiVersion, kind, metadata: { name, namespace } };
  if (verb === 'annotate' && key !== undefined) {
    await kube.merge(object, { metadata: { annotations: { [key]: null } } });
  } else if (patch !== undefined) {
    await kube.patch(object, JSON.parse(patch));
  } else {
    throw new Error(`nobody knows how to run ${command}`);
  }
}
