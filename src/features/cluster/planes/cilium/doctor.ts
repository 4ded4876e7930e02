import {
  fieldAt,
  type LiveObject,
  listAt,
  liveObjectName,
  numberAt,
  textAt,
} from '../../../../core/model/live.ts';
import { firstCilium, isSince } from '../../../../core/model/planes.ts';
import { type Cluster, type Pool, planeField } from '../../../../core/model/pools.ts';
import { fewOf } from '../../../../core/model/problem.ts';
import { isAddress, parseAddress } from '../../../../core/net/address.ts';
import { type AddressRange, rangeHas } from '../../../../core/net/range.ts';
import { setHas } from '../../../../core/net/range-set.ts';
import { operatorIn, releaseOf } from '../../../../lib/kubernetes/cilium-operator.ts';
import {
  type Fact,
  listed,
  type Objects,
  objectsOf,
  unknown,
} from '../../../../lib/kubernetes/doctor-checks.ts';
import type { LiveCluster } from '../../../../lib/kubernetes/live-cluster.ts';
import type { Finding } from '../../diagnosis-answer.ts';
import type { CommonFacts, Expected } from '../../doctor/facts.ts';
import { isLabelled } from '../../live/object-state.ts';
import { overlappingPools, ownRanges } from '../../live/pool-overlap.ts';
import { ingressOf, isOfClass, servicesIn } from '../../live/snapshot.ts';
import { ciliumPools } from './cilium.ts';

/** What `leasehold doctor` finds of a cluster's Cilium, in the order of the codes. */
export async function ciliumFindings(
  live: LiveCluster,
  facts: CommonFacts,
  expected: Expected,
): Promise<readonly Finding[]> {
  const { cluster, advertises } = expected;
  const pools = await listed(live, 'ciliumPool');
  const settings = await settingsOf(live, cluster.plane.namespace);
  const kinds: (readonly [kind: string, objects: Objects])[] = [
    ['CiliumLoadBalancerIPPool', pools],
  ];
  if (advertises.l2)
    kinds.push(['CiliumL2AnnouncementPolicy', await listed(live, 'ciliumL2Policy')]);
  if (advertises.bgp)
    kinds.push(['CiliumBGPAdvertisement', await listed(live, 'ciliumBGPAdvertisement')]);
  return [
    checkKinds(kinds),
    ...checkOperator(facts, cluster),
    checkSettings(settings, expected),
    checkNodes(facts, expected),
    ...checkPools(pools, facts, expected),
  ];
}

/** CILIUM_KINDS. */
function checkKinds(kinds: readonly (readonly [kind: string, objects: Objects])[]): Finding {
  const code = 'CILIUM_KINDS';
  for (const [, objects] of kinds) if (!objects.known) return unknown(code, objects.reason);
  const absent = kinds.flatMap(([kind, objects]) =>
    objects.known && objects.value === undefined ? [kind] : [],
  );
  if (absent.length === 0) {
    const names = kinds.map(([kind]) => kind).join(', ');
    return { level: 'ok', code, found: `${names} are served` };
  }
  return {
    level: 'problem',
    code,
    found: `the cluster does not serve ${absent.join(', ')}`,
    means: 'the API server rejects the manifests in dist/',
    fix: `install Cilium ${firstCilium.supported} or later`,
  };
}

/** CILIUM_OPERATOR, and CILIUM_RELEASE once it is found. */
function checkOperator({ deployments }: CommonFacts, cluster: Cluster): readonly Finding[] {
  const code = 'CILIUM_OPERATOR';
  const { namespace } = cluster.plane;
  if (!deployments.known) return [unknown(code, deployments.reason)];
  const operator = operatorIn(objectsOf(deployments), namespace);
  if (!operator) {
    return [
      {
        level: 'problem',
        code,
        found: `no operator of Cilium runs in ${namespace}`,
        means: 'no Service gets an address',
        fix: `install Cilium there, or set ${planeField(cluster, 'namespace')} in leases/pools.yaml and run \`leasehold synth\``,
      },
    ];
  }
  const { name } = operator.metadata;
  const isReady = (numberAt(operator, 'status', 'readyReplicas') ?? 0) > 0;
  const found = `Cilium's operator ${namespace}/${name} ${isReady ? 'runs' : 'has no ready pod'}`;
  const running: Finding = isReady
    ? { level: 'ok', code, found }
    : {
        level: 'problem',
        code,
        found,
        means: 'no Service gets an address, and those with one keep it',
        fix: 'find out why its pods are not ready',
        command: `kubectl -n ${namespace} describe deployment ${name}`,
      };
  return [running, ...checkRelease(operator, cluster)];
}

/** CILIUM_RELEASE; nothing for an image without a version. */
function checkRelease(operator: LiveObject, cluster: Cluster): readonly Finding[] {
  const code = 'CILIUM_RELEASE';
  const running = releaseOf(operator);
  const declared = cluster.plane.version;
  if (running === undefined) return [];
  if (!isSince(running, firstCilium.supported)) {
    return [
      {
        level: 'problem',
        code,
        found: `Cilium ${running} runs`,
        means: 'its operator can give Services other addresses when it starts again (#41147)',
        fix: `upgrade Cilium to ${firstCilium.supported} or later`,
      },
    ];
  }
  if (running === declared)
    return [{ level: 'ok', code, found: `Cilium ${running} runs, as declared` }];
  return [
    {
      level: 'caution',
      code,
      found: `Cilium ${running} runs, but leases/pools.yaml declares ${declared}`,
      fix: `set ${planeField(cluster, 'version')}: ${running} in leases/pools.yaml and run \`leasehold synth\``,
    },
  ];
}

/** The values of the ConfigMap that Cilium's chart writes; undefined when it is not there. */
export async function settingsOf(
  live: Pick<LiveCluster, 'list'>,
  namespace: string,
): Promise<Fact<unknown>> {
  const configs = await listed(live, 'configMap', namespace);
  if (!configs.known) return configs;
  const config = configs.value?.find(({ metadata }) => metadata.name === 'cilium-config');
  return { known: true, value: fieldAt(config, 'data') };
}

/** CILIUM_SETTINGS. Cilium: operator/pkg/lbipam/cell.go, pkg/l2announcer, pkg/bgp. */
export function checkSettings(
  settings: Fact<unknown>,
  { cluster, advertises }: Pick<Expected, 'cluster' | 'advertises'>,
): Finding {
  const code = 'CILIUM_SETTINGS';
  if (!settings.known) return unknown(code, settings.reason);
  const { namespace, version, loadBalancerClass } = cluster.plane;
  const { value } = settings;
  if (value === undefined) {
    const found = `there is no ConfigMap ${namespace}/cilium-config with the settings of Cilium`;
    return { level: 'unknown', code, found };
  }
  const wanted: readonly (readonly [key: string, text: string, usual: string, chart: string])[] = [
    ['enable-lb-ipam', 'true', 'true', 'enableLBIPAM: true'],
    ...(loadBalancerClass === undefined
      ? [['default-lb-service-ipam', 'lbipam', 'lbipam', 'defaultLBServiceIPAM: lbipam'] as const]
      : []),
    ...(isSince(version, firstCilium.sharesByProtocol)
      ? []
      : [
          [
            'bpf-lb-proto-diff',
            'true',
            'true',
            'loadBalancer.protocolDifferentiation.enabled: true',
          ] as const,
        ]),
    ...(advertises.l2
      ? [
          ['enable-l2-announcements', 'true', 'false', 'l2announcements.enabled: true'] as const,
          ['kube-proxy-replacement', 'true', 'false', 'kubeProxyReplacement: true'] as const,
        ]
      : []),
    ...(advertises.bgp
      ? [['enable-bgp-control-plane', 'true', 'false', 'bgpControlPlane.enabled: true'] as const]
      : []),
  ];
  const wrong = wanted.filter(([key, text, usual]) => (textAt(value, key) ?? usual) !== text);
  if (wrong.length === 0) {
    return { level: 'ok', code, found: 'Cilium is set up for what the pools declare' };
  }
  return {
    level: 'problem',
    code,
    found: `${namespace}/cilium-config lacks ${wrong.map(([key, text]) => `${key}: "${text}"`).join(', ')}`,
    means: 'Services get no address, or nothing answers at it',
    fix: `set ${wrong.map(([, , , chart]) => chart).join(', ')} in the values of Cilium's chart, and restart its operator and agents`,
  };
}

/** CILIUM_NODES. */
export function checkNodes(
  { nodes }: Pick<CommonFacts, 'nodes'>,
  { pools }: Pick<Expected, 'pools'>,
): Finding {
  const code = 'CILIUM_NODES';
  if (!nodes.known) return unknown(code, nodes.reason);
  const taken = objectsOf(nodes).flatMap((node) =>
    listAt(node, 'status', 'addresses').flatMap((one) => {
      const text = textAt(one, 'address') ?? '';
      const pool = pools.find((candidate) => gives(candidate, text));
      return pool ? [`${text} of ${node.metadata.name} (pool ${pool.name})`] : [];
    }),
  );
  if (taken.length === 0) {
    return { level: 'ok', code, found: 'no declared pool contains the address of a node' };
  }
  return {
    level: 'problem',
    code,
    found: `a declared pool contains the address of a node: ${fewOf(taken, 3)}`,
    means: 'a Service on it takes the traffic to all other ports of the node',
    fix: 'reserve it in leases/pools.yaml, and run `leasehold synth`',
  };
}

function gives({ ranges, reserved }: Pool, text: string): boolean {
  const address = parseAddress(text);
  if (!isAddress(address) || setHas(reserved, address)) return false;
  return ranges.some((range) => rangeHas(range, address));
}

/** Services without a class whose addresses are in no pool: with its first pool, LB-IPAM takes these away (#39805). */
function strangers(
  services: readonly LiveObject[],
  ranges: readonly AddressRange[],
): readonly Finding[] {
  const lost = services.filter(
    (service) =>
      isOfClass(service, undefined) &&
      ingressOf(service).length > 0 &&
      servicesIn(ranges, [service]).length === 0,
  );
  if (lost.length === 0) return [];
  const names = lost.map((service) => liveObjectName('service', service));
  return [
    {
      level: 'problem',
      code: 'CILIUM_POOLS',
      found: `no pool has the address of ${fewOf(names, 3)}, and no class keeps Cilium from it`,
      means: 'with its first pool, Cilium takes such an address away',
      fix: 'give its load balancer a class of its own, or its address to a pool',
    },
  ];
}

/** CILIUM_POOLS. */
function checkPools(
  live: Objects,
  { services }: CommonFacts,
  { cluster, pools, written }: Expected,
): readonly Finding[] {
  const code = 'CILIUM_POOLS';
  if (!live.known) return [unknown(code, live.reason)];
  const all = live.value ?? [];
  const others = all.filter(
    (object) => !isLabelled({ object }) && !written.has(liveObjectName('ciliumPool', object)),
  );
  const own = ownRanges(
    { pools },
    cluster.plane.layout,
    all.filter((object) => !others.includes(object)),
    ciliumPools,
  );
  const served = services.known ? (services.value ?? []) : undefined;
  const overlaps = overlappingPools(others, own, served, ciliumPools).map(
    ({ object, message, hint }): Finding => ({
      level: 'problem',
      code,
      found: `${object} ${message}`,
      ...(hint === undefined ? {} : { fix: hint }),
    }),
  );
  const open = others.filter((pool) => fieldAt(pool, 'spec', 'serviceSelector') === undefined);
  const [first] = open;
  const names = open.map((pool) => liveObjectName('ciliumPool', pool));
  const cautions: readonly Finding[] = first
    ? [
        {
          level: 'caution',
          code,
          found: `${fewOf(names, 3)} ${names.length === 1 ? 'has' : 'have'} no serviceSelector`,
          means: 'it gives an address to each Service that asks for none',
          fix: 'give it a serviceSelector',
        },
      ]
    : [];
  const ranges = [...own.map(({ range }) => range), ...others.flatMap(ciliumPools.rangesOf)];
  const found = [...overlaps, ...strangers(served ?? [], ranges), ...cautions];
  const ok = 'no other CiliumLoadBalancerIPPool is in the way';
  return found.length > 0 ? found : [{ level: 'ok', code, found: ok }];
}
