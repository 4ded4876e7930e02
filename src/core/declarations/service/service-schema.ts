import * as z from 'zod';
import { familyBits } from '../../net/address.ts';
import { isRange, parseRange } from '../../net/range.ts';
import { dnsLabel, labelKey, labelValue } from '../../text/common-fields.ts';
import { valueText } from '../../text/message-text.ts';
import { type Refusal, refusing } from '../../text/shape.ts';
import { serviceAnnotations, serviceLabels } from './service-metadata.ts';

/** The name of a Service: an RFC 1035 label, which may not start with a digit. */
export const serviceNameField = z
  .string()
  .regex(
    /^[a-z](?:[-a-z0-9]{0,61}[a-z0-9])?$/,
    'expected at most 63 lower-case letters, digits and -, with a letter first and no - at the end',
  );

const port = z.int().min(1).max(65535);

/** The default range of the API server (--service-node-port-range). */
const nodePort = z.int().min(30000).max(32767);

/** IANA_SVC_NAME. Kubernetes: apimachinery validation, IsValidPortName. */
const portName = z
  .string()
  .regex(
    /^(?=.{1,15}$)(?=.*[a-z])[a-z0-9](?:-?[a-z0-9])*$/,
    "expected the name of a pod's port: at most 15 of a-z, 0-9 and -, with a letter",
  );

const servicePort = z.strictObject({
  name: dnsLabel.optional().describe('Required when there is more than one port.'),
  protocol: z.enum(['TCP', 'UDP', 'SCTP']).default('TCP').describe('Default: TCP.'),
  port: port.describe('The port on the leased address.'),
  targetPort: z.union([port, portName]).optional().describe("The pods' port; default: port."),
  nodePort: nodePort.optional().describe('Default: the API server picks one.'),
  appProtocol: labelKey.optional().describe('The application protocol of the port.'),
});

const sourceRange = z
  .string()
  .superRefine(refusing(checkSourceRange))
  .describe('A CIDR block that may connect.');

const serviceType = z
  .string()
  .superRefine(refusing(checkType))
  .meta({ enum: ['LoadBalancer', 'ClusterIP', 'NodePort'] })
  .default('ClusterIP')
  .describe('LoadBalancer leases an address.');

const spec = z.strictObject({
  type: serviceType,
  ports: z.array(servicePort).min(1).max(1000).describe('At least one.'),
  selector: z.record(labelKey, labelValue).optional().describe('Labels of the pods.'),
  externalTrafficPolicy: z.enum(['Cluster', 'Local']).optional(),
  internalTrafficPolicy: z.enum(['Cluster', 'Local']).optional(),
  healthCheckNodePort: nodePort.optional().describe('Only with externalTrafficPolicy: Local.'),
  sessionAffinity: z.enum(['None', 'ClientIP']).optional(),
  sessionAffinityConfig: z
    .strictObject({
      clientIP: z.strictObject({ timeoutSeconds: z.int().min(1).max(86400).optional() }).optional(),
    })
    .optional(),
  ipFamilies: z
    .array(z.enum(['IPv4', 'IPv6']))
    .min(1)
    .max(2)
    .optional()
    .describe('The first one is the primary family.'),
  ipFamilyPolicy: z.enum(['SingleStack', 'PreferDualStack', 'RequireDualStack']).optional(),
  loadBalancerIP: z.string().optional().describe('A pin: the address to assign.'),
  loadBalancerClass: labelKey
    .optional()
    .describe("Must equal the cluster's metallb.loadBalancerClass, which is the default."),
  loadBalancerSourceRanges: z.array(sourceRange).max(1000).optional(),
  allocateLoadBalancerNodePorts: z.boolean().optional(),
  publishNotReadyAddresses: z.boolean().optional(),
  trafficDistribution: z.enum(['PreferClose', 'PreferSameZone', 'PreferSameNode']).optional(),
  clusterIP: refusedField(clusterIPRefusal),
  clusterIPs: refusedField(clusterIPRefusal),
  externalIPs: refusedField(() => ({
    message: "'spec.externalIPs' receives traffic for addresses that are not leased",
    hint: 'remove it; to get a specific address, pin it with ipam.vitistack.io/addresses',
  })),
  externalName: refusedField(() => ({
    message: "'spec.externalName' points to another host, which has no leased address",
    hint: 'remove it, or declare the Service outside leases/',
  })),
});

const metadata = z.strictObject({
  name: serviceNameField.describe('The name of the Service.'),
  namespace: dnsLabel.default('default').describe('Default: default.'),
  labels: serviceLabels,
  annotations: serviceAnnotations,
  ...serverFields(),
});

/** A `v1 Service`, with or without a leased address. */
export const serviceSchema = z
  .strictObject({
    apiVersion: z.literal('v1'),
    kind: z.literal('Service'),
    metadata,
    spec,
    status: refusedField(() => ({
      message: "'status' is set by the cluster and cannot be declared",
      hint: 'remove it',
    })),
  })
  .describe('A Service declaration of leasehold.');

/** A Service declaration with defaults filled in. */
export type WrittenServiceFile = z.output<typeof serviceSchema>;

export type WrittenServiceSpec = WrittenServiceFile['spec'];

/** A field of Services that may not be declared: SERVICE_FIELD_REFUSED. */
function refusedField(explain: (value: unknown) => Pick<Refusal, 'message' | 'hint'>) {
  return z
    .unknown()
    .superRefine(
      refusing((value: unknown): Refusal | undefined =>
        value === undefined ? undefined : { code: 'SERVICE_FIELD_REFUSED', ...explain(value) },
      ),
    )
    .optional()
    .meta({ not: {} });
}

/** Metadata fields that only the API server or a controller sets. */
function serverFields() {
  const fields = [
    'creationTimestamp',
    'deletionGracePeriodSeconds',
    'deletionTimestamp',
    'finalizers',
    'generateName',
    'generation',
    'managedFields',
    'ownerReferences',
    'resourceVersion',
    'selfLink',
    'uid',
  ] as const;
  const explain = (name: string) => () => ({
    message: `'metadata.${name}' is set by the cluster and cannot be declared`,
    hint: name === 'generateName' ? 'write metadata.name' : 'remove it',
  });
  const entries = fields.map((name) => [name, refusedField(explain(name))] as const);
  return Object.fromEntries(entries) as Record<
    (typeof fields)[number],
    ReturnType<typeof refusedField>
  >;
}

function clusterIPRefusal(value: unknown): Pick<Refusal, 'message' | 'hint'> {
  const isHeadless = value === 'None' || (Array.isArray(value) && value.includes('None'));
  return isHeadless
    ? {
        message: 'a headless Service (clusterIP: None) cannot have a leased address',
        hint: 'remove clusterIP, or declare the headless Service outside leases/',
      }
    : {
        message: 'the API server assigns the cluster IP and never changes it',
        hint: 'remove clusterIP and clusterIPs',
      };
}

function checkType(type: string): Refusal | undefined {
  if (['LoadBalancer', 'ClusterIP', 'NodePort'].includes(type)) return undefined;
  if (type === 'ExternalName') {
    const message = 'a Service of type ExternalName has no address';
    const hint = 'write type: LoadBalancer, or declare the Service outside leases/';
    return { code: 'SERVICE_FIELD_REFUSED', message, hint };
  }
  const message = `'spec.type' is ${valueText(type)}, expected LoadBalancer, ClusterIP or NodePort`;
  return { code: 'FIELD_VALUE', message };
}

function checkSourceRange(text: string): Refusal | undefined {
  if (text === '0.0.0.0/0' || text === '::/0') return undefined;
  const parsed = parseRange(text);
  if (!isRange(parsed)) return { code: 'ADDRESS_INVALID', message: parsed.reason };
  if (text.includes('/')) return undefined;
  const message = `'${text}' is not a CIDR block`;
  const hint = `write one address as ${text}/${familyBits[parsed.from.family]}`;
  return { code: 'ADDRESS_INVALID', message, ...(text.includes('-') ? {} : { hint }) };
}
