/**
 * The fields that a generated class names otherwise than Kubernetes, by the name in its props.
 * A manifest has the names of Kubernetes.
 */
export const writtenNames = {
  clientIp: 'clientIP',
  clusterIp: 'clusterIP',
  externalPort: 'external_port',
  leaseId: 'lease_id',
  loadBalancerIp: 'loadBalancerIP',
  recordTtl: 'recordTTL',
  serviceName: 'service_name',
  sharingKey: 'sharing_key',
} as const;

type WrittenNames = typeof writtenNames;

/**
 * What the props of a generated class, or a part of them, are in a manifest. An `IntOrString` is a
 * number or a string there.
 */
export type Written<Props> = Props extends { readonly value: string | number }
  ? string | number
  : Props extends readonly (infer Item)[]
    ? readonly Written<Item>[]
    : Props extends object
      ? {
          readonly [Key in keyof Props as Key extends keyof WrittenNames
            ? WrittenNames[Key]
            : Key]: Written<Props[Key]>;
        }
      : Props;
