import { stringify } from 'yaml';
import type { KubeObject } from './kube.ts';

/** What a test's author writes of a Service. */
interface Written {
  readonly annotations?: Readonly<Record<string, string>>;
  readonly spec?: object;
}

/** A Service of type LoadBalancer with the port 80, or what its author writes instead. */
export function service(
  namespace: string | undefined,
  name: string,
  { annotations, spec }: Written = {},
): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      name,
      ...(namespace ? { namespace } : {}),
      ...(annotations ? { annotations } : {}),
    },
    spec: { type: 'LoadBalancer', selector: { app: name }, ports: [{ port: 80 }], ...spec },
  };
}

/** The declaration of a Service. */
export function declared(...of: Parameters<typeof service>): string {
  return stringify(service(...of));
}

/** The declaration of a lease with these endpoints. */
export function leaseOf(owner: string, dseq: string, ...endpoints: readonly object[]): string {
  return stringify({
    apiVersion: 'leasehold.dev/v1',
    kind: 'Lease',
    spec: { id: { owner, dseq, gseq: 1, oseq: 1 }, endpoints },
  });
}

/** The declaration of a Reservation with the port 80. */
export function reservation(namespace: string, service: string, more: object = {}): string {
  return stringify({
    apiVersion: 'leasehold.dev/v1',
    kind: 'Reservation',
    spec: { namespace, service, ports: [{ port: 80 }], ...more },
  });
}

/** The Service that a chart renders with the values that `leasehold list -o values` prints. */
export function chartService(namespace: string, name: string, values: KubeObject): KubeObject {
  const { annotations, labels, ...spec } = values.service;
  const { metadata, ...rest } = service(namespace, name, { annotations, spec });
  return { ...rest, metadata: { ...metadata, labels } } as KubeObject;
}
