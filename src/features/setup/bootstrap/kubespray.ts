import type { TreeMap } from '../../../core/manifests/manifest.ts';
import { yamlText } from '../../../core/manifests/yaml-text.ts';
import { type MetalLB, usualMetalLB } from '../../../core/model/planes.ts';
import type { Pool } from '../../../core/model/pools.ts';
import {
  fail,
  type Outcome,
  ok,
  type Position,
  type Problem,
} from '../../../core/model/problem.ts';
import { formatRange } from '../../../core/net/range.ts';
import { readsAsText } from '../../../core/text/yaml/yaml-output.ts';
import { problem } from '../codes.ts';
import { commented } from './metallb-objects.ts';

/**
 * Kubespray's variables: `metallb_ip_range` and others up to 2.22, `metallb_config` from 2.23 on.
 */
export const kubesprayGenerations = ['first', 'second'] as const;

/** The MetalLB and the pools that Kubespray installs. */
export interface KubesprayTarget {
  readonly generation: (typeof kubesprayGenerations)[number];
  readonly metallb: Pick<MetalLB, 'version' | 'namespace' | 'loadBalancerClass'>;
  /** The position of that namespace in the pool file. */
  readonly namespaceAt: Position;
  /** The pools that Kubespray also creates; undefined for none. The first generation needs one. */
  readonly pools: readonly Pool[] | undefined;
}

/** Variables, and what they cannot express: one sentence each, without a trailing period. */
export interface KubesprayVariables {
  readonly text: string;
  readonly cautions: readonly string[];
}

/**
 * The version that Kubespray installs by default. Kubespray:
 * roles/kubespray_defaults/defaults/main/download.yml.
 */
const ownVersion = '0.13.9';

/**
 * The variables of an inventory by which Kubespray installs MetalLB, with strict ARP in kube-proxy,
 * which it requires in IPVS mode. Problems: KUBESPRAY_UNSAID for each pool advertised by BGP, which
 * Kubespray configures by peers; in the first generation also for a name that needs quotes, and for
 * a namespace other than `metallb-system`.
 */
export function kubesprayVariables(target: KubesprayTarget): Outcome<KubesprayVariables> {
  const { generation, pools, metallb } = target;
  const problems = problemsOf(target);
  if (problems.length > 0) return fail(problems);
  const yaml = yamlText([
    {
      kube_proxy_strict_arp: true,
      metallb_enabled: true,
      metallb_speaker_enabled: true,
      ...(generation === 'first' ? firstGeneration(pools ?? []) : secondGeneration(metallb, pools)),
    },
  ]);
  const text = commented(headOf(pools !== undefined), yaml);
  return ok({ text, cautions: cautionsOf(target) });
}

function problemsOf({ generation, metallb, namespaceAt, pools = [] }: KubesprayTarget): Problem[] {
  const code = problem.KUBESPRAY_UNSAID;
  const problems = pools.flatMap((pool): Problem[] => {
    if (pool.advertise.every(({ kind }) => kind === 'l2')) return [];
    const message = `the pool '${pool.name}' is advertised by BGP, which Kubespray configures by peers, and leases/pools.yaml has no peers`;
    return [{ code, message, at: pool.at, hint: 'leave --pools out' }];
  });
  if (generation === 'first') problems.push(...pools.flatMap(nameProblems));
  if (generation === 'first' && metallb.namespace !== usualMetalLB.namespace) {
    const message = `Kubespray 2.22 and before installs MetalLB in ${usualMetalLB.namespace} only, not in ${metallb.namespace}`;
    problems.push({ code, message, at: namespaceAt });
  }
  return problems;
}

/**
 * Kubespray 2.22 and before writes names without quotes into the old ConfigMap, and MetalLB's
 * converter removes everything before the first letter.
 */
function nameProblems({ name, at }: Pool): readonly Problem[] {
  if (/^[a-z]/.test(name) && readsAsText(name)) return [];
  const message = `the pool '${name}' would get another name: Kubespray 2.22 and before writes it without quotes, and MetalLB's converter requires a letter first`;
  return [{ code: problem.KUBESPRAY_UNSAID, message, at }];
}

function headOf(hasPools: boolean): readonly string[] {
  if (!hasPools) return ['MetalLB without pools: leasehold writes those into dist/.'];
  return [
    'The pools of leases/pools.yaml, for a cluster whose pools Kubespray creates. Never apply them beside dist/: MetalLB',
    'rejects its whole configuration when two pools overlap, and pools of the same name would overwrite each other.',
  ];
}

function firstGeneration([first, ...others]: readonly Pool[]): TreeMap {
  return {
    ...(first && {
      metallb_auto_assign: false,
      metallb_avoid_buggy_ips: first.avoidBuggyIPs,
      metallb_ip_range: first.ranges.map(formatRange),
      metallb_pool_name: first.name,
      metallb_protocol: 'layer2',
    }),
    metallb_additional_address_pools:
      others.length === 0
        ? undefined
        : Object.fromEntries(
            others.map((pool) => [pool.name, { ...rangesOf(pool), protocol: 'layer2' }]),
          ),
  };
}

function secondGeneration(
  { namespace, loadBalancerClass }: KubesprayTarget['metallb'],
  pools: readonly Pool[] | undefined,
): TreeMap {
  return {
    metallb_namespace: namespace,
    metallb_loadbalancer_class: loadBalancerClass,
    metallb_config: pools && {
      address_pools: Object.fromEntries(pools.map((pool) => [pool.name, rangesOf(pool)])),
      layer2: pools.map(({ name }) => name),
    },
  };
}

function rangesOf({ ranges, avoidBuggyIPs }: Pool): TreeMap {
  return {
    auto_assign: false,
    avoid_buggy_ips: avoidBuggyIPs,
    ip_range: ranges.map(formatRange),
  };
}

function cautionsOf({ generation, metallb, pools = [] }: KubesprayTarget): readonly string[] {
  const { version, loadBalancerClass } = metallb;
  const ofClass =
    generation === 'first' && loadBalancerClass !== undefined
      ? [`Kubespray 2.22 and before starts MetalLB without --lb-class=${loadBalancerClass}`]
      : [];
  const ofVersion =
    version === ownVersion
      ? []
      : [
          `Kubespray installs MetalLB ${ownVersion} unless metallb_version is set, but leases/pools.yaml declares ${version}: declare the version that runs`,
        ];
  return [...ofVersion, ...ofClass, ...pools.flatMap(poolCautions)];
}

/** The settings of a pool that Kubespray's variables cannot express. */
function poolCautions({ name, reserved, advertise }: Pool): readonly string[] {
  const nodeSelectors = advertise.flatMap((one) => one.nodeSelectors);
  const interfaces = advertise.flatMap((one) => (one.kind === 'l2' ? one.interfaces : []));
  const lacks = [
    ...(interfaces.length > 0 ? [`that only ${interfaces.join(', ')} announce it`] : []),
    ...(nodeSelectors.length > 0 ? ['which nodes announce it'] : []),
    ...(reserved.ranges.length > 0
      ? [`that ${reserved.ranges.map(formatRange).join(', ')} is never assigned`]
      : []),
  ];
  return lacks.map((what) => `the pool '${name}': Kubespray does not know ${what}`);
}
