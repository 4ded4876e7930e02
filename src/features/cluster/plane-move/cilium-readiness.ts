import { poolLabel } from '../../../core/manifests/manifest.ts';
import type { LiveObject } from '../../../core/model/live.ts';
import { type Pool, poolsIn } from '../../../core/model/pools.ts';
import type { Fact, Objects } from '../../../lib/kubernetes/doctor-checks.ts';
import type { Desired } from '../desired.ts';
import type { Finding } from '../diagnosis-answer.ts';
import { choosesFor, choosingHint } from '../planes/cilium/announcement.ts';
import { checkNodes, checkSettings } from '../planes/cilium/doctor.ts';
import type { NextPlane } from './plane-move.ts';
import type { PlaneMove } from './plane-move-answer.ts';

/** What decides whether Cilium can announce the addresses of the pools. */
export interface CiliumFacts {
  /** The values of its ConfigMap; undefined when it is not there. */
  readonly settings: Fact<unknown>;
  readonly nodes: Objects;
  readonly peerConfigs: readonly LiveObject[];
}

type Step = PlaneMove['steps'][number];

/**
 * Whether Cilium can announce what the pools declare. Once the move is applied, the announcements of
 * MetalLB are gone.
 */
export function ciliumSteps(
  { cluster, pools }: Desired,
  { version, namespace }: NextPlane,
  { settings, nodes, peerConfigs }: CiliumFacts,
): readonly Step[] {
  const own = poolsIn(pools, cluster.name);
  const isBy = (kind: 'l2' | 'bgp') => (pool: Pool) =>
    pool.advertise.some((one) => one.kind === kind);
  const plane = { kind: 'cilium', version, namespace, layout: 'pool' } as const;
  const advertises = { l2: own.some(isBy('l2')), bgp: own.some(isBy('bgp')) };
  return [
    stepOf(checkSettings(settings, { cluster: { ...cluster, plane }, advertises })),
    stepOf(checkNodes({ nodes }, { pools: own })),
    ...own.filter(isBy('bgp')).flatMap((pool) => peerSteps(pool, peerConfigs)),
  ];
}

function stepOf({ level, found, fix }: Finding): Step {
  const text = level === 'problem' && fix !== undefined ? `${found}: ${fix}` : found;
  return { state: level === 'problem' ? 'refused' : 'ok', text, commands: [] };
}

/** A step for each family of a pool whose addresses no BGP peer would get. */
function peerSteps({ name, ranges }: Pool, peerConfigs: readonly LiveObject[]): readonly Step[] {
  const families = [...new Set(ranges.map(({ from }) => from.family))].sort();
  return families
    .filter((family) => !peerConfigs.some((one) => choosesFor(one, family, { [poolLabel]: name })))
    .map((family) => ({
      state: 'refused',
      text: `no CiliumBGPPeerConfig selects the CiliumBGPAdvertisement that pool ${name} will have for ${family}: ${choosingHint(name, family)}`,
      commands: [],
    }));
}
