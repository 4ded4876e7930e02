import { listAt, textAt } from '../../../../../core/model/live.ts';
import { firstMetalLB, isSince } from '../../../../../core/model/planes.ts';
import { type Cluster, planeField } from '../../../../../core/model/pools.ts';
import { objectsOf } from '../../../../../lib/kubernetes/doctor-checks.ts';
import {
  classOf,
  containerOf,
  metalLBIn,
  releaseIn,
  runningImage,
  runningRelease,
} from '../../../../../lib/kubernetes/metallb-workload.ts';
import type { Finding } from '../../../diagnosis-answer.ts';
import { ignoresAnnotations } from '../metallb-findings.ts';
import type { MetalLBCheck } from './facts.ts';

const { supported: oldest, metallbIoAnnotations: newPrefix, reprocessesAll } = firstMetalLB;

/** METALLB_RELEASE; nothing without a controller, which METALLB_CONTROLLER reports. */
export const checkRelease: MetalLBCheck = ({ deployments }, { cluster }) => {
  const code = 'METALLB_RELEASE';
  const { version: declared, namespace } = cluster.plane;
  const image = runningImage(objectsOf(deployments), namespace);
  if (image === undefined) return [];
  const running = releaseIn(image);
  if (running === undefined) {
    const found = `the image ${image} of MetalLB's controller has no version in its tag`;
    const means = `it cannot be compared with ${declared} in leases/pools.yaml`;
    return [{ level: 'unknown', code, found, means }];
  }
  if (running === declared) {
    return [{ level: 'ok', code, found: `MetalLB ${running} runs, as declared` }];
  }
  return [mismatch(running, cluster)];
};

/** The order of the steps: docs/metallb-upgrade.md. */
function mismatch(running: string, cluster: Cluster): Finding {
  const code = 'METALLB_RELEASE';
  const { plane } = cluster;
  const declared = plane.version;
  const found = `MetalLB ${running} runs, but leases/pools.yaml declares ${declared}`;
  if (!isSince(running, oldest)) {
    const means = `leasehold supports MetalLB ${oldest} and later`;
    return { level: 'problem', code, found, means, fix: 'upgrade MetalLB' };
  }
  const isCrossing = isSince(running, newPrefix) && !isSince(declared, newPrefix);
  const kept = isCrossing ? ' with annotationPrefix: metallb.universe.tf' : '';
  const set = `set ${planeField(cluster, 'version')}: ${running}${kept} in leases/pools.yaml and run \`leasehold synth\``;
  if (isSince(running, declared)) {
    const means = 'leasehold checks its manifests against the rules of the declared version';
    return { level: 'caution', code, found, means, fix: set };
  }
  const fix = `upgrade MetalLB to ${declared}; to stay at ${running}, ${set}`;
  if (ignoresAnnotations(running, plane)) {
    const means = `MetalLB before ${newPrefix} silently ignores metallb.io/ annotations: Services cannot share an address, and one that requests two gets none, or a different one`;
    return { level: 'problem', code, found, means, fix: `${fix}, and restart the controller` };
  }
  const isStranding = isSince(declared, reprocessesAll) && !isSince(running, reprocessesAll);
  const means = isStranding
    ? `leasehold accepts changes of sharing keys after which MetalLB before ${reprocessesAll} leaves a Service without its address`
    : 'leasehold checks its manifests against the rules of the declared version';
  return { level: isStranding ? 'problem' : 'caution', code, found, means, fix };
}

/** METALLB_METRICS; nothing unless an Akash IP operator runs that cannot read MetalLB's metrics. */
export const checkMetrics: MetalLBCheck = ({ deployments, operators }, { cluster }) => {
  const running = runningRelease(objectsOf(deployments), cluster.plane.namespace);
  if (!operators.known || operators.value.length === 0) return [];
  if (running === undefined || !isSince(running, firstMetalLB.secureMetrics)) return [];
  return [
    {
      level: 'caution',
      code: 'METALLB_METRICS',
      found: `MetalLB ${running} serves its metrics over HTTPS only, but the Akash IP operator reads them over HTTP`,
      means:
        "the operator's loop does not start: it answers 503 to everything, and a provider that waits for it does not bid",
      fix: 'scale the operator to 0: it must not run beside leasehold',
    },
  ];
};

/** Sets MetalLB's BGP mode; `native` when unset. MetalLB: controller/main.go. */
const variable = 'METALLB_BGP_TYPE';

/** METALLB_BGP; nothing unless pools need more than native mode and there is a controller. */
export const checkBGP: MetalLBCheck = ({ deployments }, { cluster, beyondNative }) => {
  const code = 'METALLB_BGP';
  const controller = metalLBIn(objectsOf(deployments), cluster.plane.namespace, 'controller');
  if (!controller || beyondNative.length === 0) return [];
  const setting = listAt(containerOf(controller, 'controller'), 'env').find(
    (one) => textAt(one, 'name') === variable,
  );
  const mode = setting === undefined ? 'native' : textAt(setting, 'value');
  const needs = beyondNative.join(', ');
  if (mode === undefined) {
    const found = `the BGP mode of MetalLB cannot be determined, and pools need ${needs}`;
    return [{ level: 'unknown', code, found, means: 'native mode does not support that' }];
  }
  if (mode !== 'native') {
    return [{ level: 'ok', code, found: `MetalLB runs BGP in ${mode} mode, which the pools need` }];
  }
  return [
    {
      level: 'problem',
      code,
      found: `MetalLB runs BGP in native mode, but pools need ${needs}`,
      means:
        "MetalLB's webhook rejects their BGPAdvertisements, so their addresses are not announced",
      fix: "run MetalLB in FRR mode (the chart's frrk8s.enabled or speaker.frr.enabled), or change the pools in leases/pools.yaml",
    },
  ];
};

/** METALLB_CLASS; nothing when neither MetalLB nor the pool file has a class. */
export const checkClass: MetalLBCheck = ({ deployments }, { cluster }) => {
  const { namespace, loadBalancerClass: ours } = cluster.plane;
  const controller = metalLBIn(objectsOf(deployments), namespace, 'controller');
  if (!controller) return [];
  const code = 'METALLB_CLASS';
  const live = classOf(controller);
  if (live === undefined && ours === undefined) return [];
  const found = `MetalLB serves only Services ${live === undefined ? 'without a loadBalancerClass' : `with loadBalancerClass ${live}`}`;
  if (live === ours) return [{ level: 'ok', code, found }];
  const has = ours === undefined ? 'no class' : `the class ${ours}`;
  return [
    {
      level: 'problem',
      code,
      found,
      means: `Services from leasehold have ${has}, so none of them gets an address`,
      fix:
        live === undefined
          ? `start the controller and the speakers with --lb-class=${ours} (the chart's loadBalancerClass); before the first Service, you can instead remove metallb.loadBalancerClass of cluster ${cluster.name}, or of all, from leases/pools.yaml and run \`leasehold synth\``
          : `start the controller and the speakers ${ours === undefined ? 'without --lb-class' : `with --lb-class=${ours}`} (the chart's loadBalancerClass); before the first Service, you can instead set ${planeField(cluster, 'loadBalancerClass')}: ${live} in leases/pools.yaml and run \`leasehold synth\``,
    },
  ];
};
