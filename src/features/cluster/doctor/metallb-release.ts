import type { LiveObject } from '../../../model/live.ts';
import { isSince } from '../../../model/metallb-version.ts';
import { textAt } from '../../../model/unstructured.ts';
import type { Finding } from '../diagnosis-answer.ts';
import { type Check, type Facts, objectsOf } from './facts.ts';
import { containerOf, metalLBIn } from './metallb-workload.ts';

/** The oldest MetalLB that leases/pools.yaml can declare. */
const oldest = '0.13.9';
/** The first MetalLB that reads `metallb.io/` annotations. MetalLB: controller/service.go. */
const newPrefix = '0.14.9';
/** The first MetalLB whose metrics are served over HTTPS only. MetalLB: release notes of 0.16.0. */
const secureMetrics = '0.16.0';

/** METALLB_RELEASE; nothing when there is no controller, which METALLB_CONTROLLER tells. */
export const checkRelease: Check = (facts, { cluster }) => {
  const code = 'METALLB_RELEASE';
  const { version: declared, namespace } = cluster.metallb;
  const image = imageOf(facts, namespace);
  if (image === undefined) return [];
  const running = releaseIn(image);
  if (running === undefined) {
    const found = `the image ${image} of MetalLB's controller names no version`;
    const means = `whether it is the ${declared} of leases/pools.yaml cannot be told`;
    return [{ level: 'unknown', code, found, means }];
  }
  if (running === declared) {
    return [{ level: 'ok', code, found: `MetalLB ${running} runs, as declared` }];
  }
  return [mismatch(running, declared)];
};

function mismatch(running: string, declared: string): Finding {
  const code = 'METALLB_RELEASE';
  const found = `MetalLB ${running} runs, and leases/pools.yaml says ${declared}`;
  const fix = `set metallb.version: ${running} in leases/pools.yaml and run leasehold synth`;
  const isNew = isSince(running, newPrefix);
  const wantsNew = isSince(declared, newPrefix);
  if (!isSince(running, oldest)) {
    const means = `leasehold knows the rules of MetalLB ${oldest} and later`;
    return { level: 'problem', code, found, means, fix: 'upgrade MetalLB' };
  }
  if (wantsNew && !isNew) {
    const means = `MetalLB before ${newPrefix} silently ignores metallb.io/ annotations: Services cannot share an address, and one that asks for two gets none, or any other`;
    return { level: 'problem', code, found, means, fix };
  }
  const means =
    isNew && !wantsNew
      ? 'the annotations metallb.universe.tf/ in dist/ are deprecated, and still read'
      : 'leasehold checks its manifests by the rules of the version that is declared';
  return { level: 'caution', code, found, means, fix };
}

/** METALLB_METRICS: nothing unless an Akash IP operator runs beside a MetalLB that it cannot ask. */
export const checkMetrics: Check = (facts, { cluster }) => {
  const image = imageOf(facts, cluster.metallb.namespace);
  const running = releaseIn(image ?? '');
  const { operators } = facts;
  if (!operators.known || operators.value.length === 0) return [];
  if (running === undefined || !isSince(running, secureMetrics)) return [];
  return [
    {
      level: 'caution',
      code: 'METALLB_METRICS',
      found: `MetalLB ${running} serves its metrics over HTTPS only, and the Akash IP operator asks over HTTP`,
      means:
        "the operator's loop does not start: it answers 503 to everything, and a provider that waits for it does not bid",
      fix: 'scale the operator to 0, as it has to be for leasehold',
    },
  ];
};

/** The version of the MetalLB that runs in a namespace, as its controller's image says; undefined where none does. */
export function runningRelease(
  deployments: readonly LiveObject[],
  namespace: string,
): string | undefined {
  return releaseIn(imageIn(deployments, namespace) ?? '');
}

function imageOf({ deployments }: Facts, namespace: string): string | undefined {
  return imageIn(objectsOf(deployments), namespace);
}

function imageIn(deployments: readonly LiveObject[], namespace: string): string | undefined {
  const controller = metalLBIn(deployments, namespace, 'controller');
  return controller && (textAt(containerOf(controller, 'controller'), 'image') ?? '');
}

/** `0.14.9` of a tag such as `v0.14.9` or `0.14.9-debian-12`; undefined for a digest or `main`. */
function releaseIn(image: string): string | undefined {
  const [name = ''] = image.split('@');
  return /:v?(\d{1,4}\.\d{1,4}\.\d{1,4})(?:[-.][\w.-]*)?$/.exec(name)?.[1];
}
