import * as z from 'zod';
import {
  annotationPrefixes,
  ciliumClasses,
  firstCilium,
  firstMetalLB,
  isSince,
  layouts,
  type Plane,
  planeNames,
  usualCilium,
  usualMetalLB,
} from '../../model/planes.ts';
import { dnsLabel, labelKey } from '../../text/common-fields.ts';
import { type Refusal, refusing } from '../../text/shape.ts';

function version(example: string) {
  return z.string().regex(/^(?:0|[1-9]\d{0,3})(?:\.(?:0|[1-9]\d{0,3})){2}$/, {
    error: `expected a version such as ${example}`,
    abort: true,
  });
}

/** A supported MetalLB version. Problem: METALLB_VERSION. */
export const metallbVersion = version(usualMetalLB.version)
  .superRefine(refusing(checkVersion))
  .describe(`The MetalLB version that runs in the cluster, ${firstMetalLB.supported} or later.`);
const metallbNamespace = dnsLabel.describe('The namespace that MetalLB runs in.');
const layout = z
  .enum(layouts)
  .describe(
    'lease: one IPAddressPool per held address. pool: one per declared pool; needs Kubernetes 1.31 or later. both: only between the two, for leasehold migrate-layout.',
  );
const annotationPrefix = z
  .enum(annotationPrefixes)
  .optional()
  .describe(
    `The prefix of MetalLB's annotations; default: metallb.io from MetalLB ${firstMetalLB.metallbIoAnnotations} on. Earlier versions read only metallb.universe.tf, whatever is set.`,
  );
const loadBalancerClass = labelKey
  .optional()
  .describe(
    'The loadBalancerClass that MetalLB serves (--lb-class); default: Services without one.',
  );
/** The plane that a cluster had before. */
function movedFrom<Kind extends Plane['kind']>(kind: Kind) {
  return z
    .literal(kind)
    .optional()
    .describe(
      `${planeNames[kind]} had the live addresses before; \`leasehold migrate-plane\` writes it. Remove it once that is gone.`,
    );
}

/** The fields of a MetalLB, of all clusters or of one. */
export const metallbFields = {
  version: metallbVersion.optional(),
  namespace: metallbNamespace.optional(),
  layout: layout.optional(),
  annotationPrefix,
  loadBalancerClass,
  movedFrom: movedFrom('cilium'),
};
/** A supported version of Cilium. Problem: CILIUM_VERSION. */
export const ciliumVersion = version(usualCilium.version)
  .superRefine(refusing(checkCiliumVersion))
  .describe(`The Cilium version that runs in the cluster, ${firstCilium.supported} or later.`);
/** The fields of a Cilium, of all clusters or of one. */
export const ciliumFields = {
  version: ciliumVersion.optional(),
  namespace: dnsLabel.optional().describe('The namespace that Cilium runs in.'),
  loadBalancerClass: z
    .enum(Object.values(ciliumClasses))
    .optional()
    .describe('The loadBalancerClass of all Services; default: none, which Cilium serves too.'),
  movedFrom: movedFrom('metallb'),
};

/** The data plane of all clusters, or of one. */
interface WrittenPlane {
  readonly metallb?: object | undefined;
  readonly cilium?: object | undefined;
}

/** FIELD_VALUE for two data planes at one place. */
export function onePlane({ metallb, cilium }: WrittenPlane): Refusal[] {
  if (metallb === undefined || cilium === undefined) return [];
  const message = 'there are metallb and cilium, expected one of them';
  return [{ code: 'FIELD_VALUE', message, path: ['cilium'] }];
}

/** The same for JSON Schema. */
export const notBoth = { not: { required: ['metallb', 'cilium'] } };

function checkVersion(text: string): Refusal | undefined {
  if (isSince(text, firstMetalLB.supported)) return undefined;
  const message = `MetalLB ${text} is not supported, expected ${firstMetalLB.supported} or later`;
  return { code: 'METALLB_VERSION', message };
}

function checkCiliumVersion(text: string): Refusal | undefined {
  if (isSince(text, firstCilium.supported)) return undefined;
  const message = `Cilium ${text} is not supported, expected ${firstCilium.supported} or later`;
  return { code: 'CILIUM_VERSION', message };
}
