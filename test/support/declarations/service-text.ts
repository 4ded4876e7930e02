/** What a test says of a Service declaration; the rest has defaults. */
export interface ServiceTextWords {
  readonly namespace?: string;
  readonly type?: string;
  readonly port?: number;
  /** Annotations of ipam.vitistack.io, without that prefix. */
  readonly ipam?: Readonly<Record<string, string>>;
  /** The annotation leasehold.dev/dns. */
  readonly dns?: string;
  /** More fields of the spec. */
  readonly spec?: Readonly<Record<string, unknown>>;
}

/** A Service declaration as a person writes it; by default a LoadBalancer in `shop` on port 80. */
export function serviceText(name: string, words: ServiceTextWords = {}): string {
  const { namespace = 'shop', type = 'LoadBalancer', port = 80, ipam = {}, dns, spec = {} } = words;
  const annotations = Object.entries(ipam).map(([key, value]) => [
    `ipam.vitistack.io/${key}`,
    value,
  ]);
  if (dns !== undefined) annotations.push(['leasehold.dev/dns', dns]);
  return `apiVersion: v1
kind: Service
metadata:
  name: ${name}
  namespace: ${namespace}
  annotations: ${JSON.stringify(Object.fromEntries(annotations))}
spec: ${JSON.stringify({ type, selector: { app: name }, ports: [{ port }], ...spec })}
`;
}
