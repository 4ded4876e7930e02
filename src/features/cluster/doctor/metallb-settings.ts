import { isSince } from '../../../model/metallb-version.ts';
import type { Pool } from '../../../model/pools.ts';
import { listAt, textAt } from '../../../model/unstructured.ts';
import type { Finding } from '../diagnosis-answer.ts';
import { type Check, objectsOf } from './facts.ts';
import {
  classOf,
  containerOf,
  metalLBIn,
  releaseIn,
  runningImage,
  runningRelease,
} from './metallb-workload.ts';

/** The oldest MetalLB that leases/pools.yaml can declare. */
const oldest = '0.13.9';
/** The first MetalLB that reads `metallb.io/` annotations. MetalLB: controller/service.go. */
const newPrefix = '0.14.9';
/** The first MetalLB whose metrics are served over HTTPS only. MetalLB: release notes of 0.16.0. */
const secureMetrics = '0.16.0';

/** METALLB_RELEASE; nothing when there is no controller, which METALLB_CONTROLLER tells. */
export const checkRelease: Check = ({ deployments }, { cluster }) => {
  const code = 'METALLB_RELEASE';
  const { version: declared, namespace } = cluster.metallb;
  const image = runningImage(objectsOf(deployments), namespace);
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
export const checkMetrics: Check = ({ deployments, operators }, { cluster }) => {
  const running = runningRelease(objectsOf(deployments), cluster.metallb.namespace);
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

/** The variable that MetalLB takes its mode from; `native` without it. MetalLB: controller/main.go. */
const variable = 'METALLB_BGP_TYPE';

/**
 * What pools ask of BGP that MetalLB's native mode cannot do, such as `IPv6 (pool public)`, in the order of the pools.
 * MetalLB: internal/config/validation.go DiscardFRROnly.
 */
export function beyondNativeBGP(pools: readonly Pool[]): readonly string[] {
  return pools.flatMap(({ name, ranges, advertise }) => {
    if (advertise.kind !== 'bgp') return [];
    const families = ranges.some(({ from }) => from.family === 'ipv6') ? ['IPv6'] : [];
    const communities = advertise.communities.filter((text) => text.startsWith('large:'));
    return [...families, ...communities].map((need) => `${need} (pool ${name})`);
  });
}

/** METALLB_BGP: nothing unless pools ask for what native mode cannot do, and there is a controller. */
export const checkBGP: Check = ({ deployments }, { cluster, beyondNative }) => {
  const code = 'METALLB_BGP';
  const controller = metalLBIn(objectsOf(deployments), cluster.metallb.namespace, 'controller');
  if (!controller || beyondNative.length === 0) return [];
  const setting = listAt(containerOf(controller, 'controller'), 'env').find(
    (one) => textAt(one, 'name') === variable,
  );
  const mode = setting === undefined ? 'native' : textAt(setting, 'value');
  const needs = beyondNative.join(', ');
  if (mode === undefined) {
    const found = `the mode in which MetalLB speaks BGP is not to be read, and pools ask for ${needs}`;
    return [{ level: 'unknown', code, found, means: 'native mode cannot do that' }];
  }
  if (mode !== 'native') {
    return [{ level: 'ok', code, found: `MetalLB speaks BGP in ${mode} mode, as pools need it` }];
  }
  return [
    {
      level: 'problem',
      code,
      found: `MetalLB speaks BGP in native mode, and pools ask for ${needs}`,
      means:
        'its webhook refuses their BGPAdvertisements, so that nothing announces their addresses',
      fix: "run MetalLB in FRR mode (the chart's frrk8s.enabled or speaker.frr.enabled), or change the pools in leases/pools.yaml",
    },
  ];
};

/** METALLB_CLASS: nothing when neither MetalLB nor the pool file has a class. */
export const checkClass: Check = ({ deployments }, { cluster }) => {
  const { namespace, loadBalancerClass: ours } = cluster.metallb;
  const controller = metalLBIn(objectsOf(deployments), namespace, 'controller');
  if (!controller) return [];
  const code = 'METALLB_CLASS';
  const live = classOf(controller);
  if (live === undefined && ours === undefined) return [];
  const found = `MetalLB serves only Services ${live === undefined ? 'without a loadBalancerClass' : `of loadBalancerClass ${live}`}`;
  if (live === ours) return [{ level: 'ok', code, found }];
  const has = ours === undefined ? 'no class' : `the class ${ours}`;
  return [
    {
      level: 'problem',
      code,
      found,
      means: `the Services of leasehold have ${has}, so that none gets an address`,
      fix:
        live === undefined
          ? `start the controller and the speakers with --lb-class=${ours} (the chart's loadBalancerClass), or take metallb.loadBalancerClass out of leases/pools.yaml`
          : `set metallb.loadBalancerClass: ${live} in leases/pools.yaml and run leasehold synth`,
    },
  ];
};
