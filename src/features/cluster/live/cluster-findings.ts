import {
  apiVersionOf,
  type LiveKind,
  type LiveObject,
  liveKinds,
  liveObjectName,
  textAt,
  type WantedObject,
} from '../../../model/live.ts';
import { firstMetalLB } from '../../../model/metallb-versions.ts';
import { compareText } from '../../../model/order.ts';
import type { Pool } from '../../../model/pools.ts';
import { isAddress, parseAddress } from '../../../net/address.ts';
import { rangeHas } from '../../../net/range.ts';
import type { ClusterFinding, OpenPool, UnfencedService } from '../verification-answer.ts';
import type { DesiredClaim } from './claim-state.ts';
import { ingressOf, type Snapshot } from './snapshot.ts';

/** A finding for each kind of object that `dist/` has and the cluster does not serve. */
export function unservedKinds(objects: Iterable<WantedObject>, live: Snapshot): ClusterFinding[] {
  const kinds = new Set([...objects].map(({ kind }) => kind));
  return [...kinds]
    .filter((kind) => !live.kinds.has(kind))
    .map((kind) => ({
      object: liveKinds[kind].kind,
      message: `the cluster does not serve ${apiVersionOf(kind)} ${liveKinds[kind].plural}`,
      hint:
        hints[liveKinds[kind].group] ??
        'check that this is the right cluster: every cluster serves this kind',
    }));
}

const hints: Readonly<Record<(typeof liveKinds)[LiveKind]['group'], string | undefined>> = {
  'metallb.io': `install MetalLB ${firstMetalLB.supported} or later`,
  'akash.network':
    "apply the Akash provider's CRDs, or set emit.providerLeasedIP to false in leases/pools.yaml",
  'admissionregistration.k8s.io': 'layout: pool needs Kubernetes 1.31 or later',
  'discovery.k8s.io': undefined,
  'networking.k8s.io': undefined,
  apps: undefined,
  '': undefined,
};

/**
 * A finding for each error for which MetalLB components reject their configuration; they keep using
 * the last valid one. MetalLB 0.15.3 and later has a ConfigurationState for the controller and for
 * each speaker.
 */
export function refusedConfigurations(states: readonly LiveObject[]): ClusterFinding[] {
  const refused = states.filter((state) => textAt(state, 'status', 'result') === 'Invalid');
  return [...new Set(refused.map(errorOf))].map((error) => {
    const names = refused
      .filter((state) => errorOf(state) === error)
      .map((state) => liveObjectName('configurationState', state))
      .sort(compareText);
    const others = names.length === 1 ? '' : ` (reported by ${names.length} MetalLB components)`;
    return {
      object: names[0] ?? '',
      message: `MetalLB rejects its configuration and keeps using the last valid one: ${error}${others}`,
      hint: 'MetalLB validates all of its objects together: correct or delete the one it names',
    };
  });
}

function errorOf(state: LiveObject): string {
  return textAt(state, 'status', 'errorSummary')?.trim() || 'no reason given';
}

/**
 * The selectors of a closed pool: one of each list must match. MetalLB:
 * isPoolCompatibleWithService.
 */
interface ClosedFence {
  readonly namespaceSelectors?: readonly Selector[];
  readonly serviceSelectors: readonly Selector[];
}

interface Selector {
  readonly matchLabels: Readonly<Record<string, string>>;
}

/** The fence of closed pools, and the claims that it must admit. */
export interface Closing {
  readonly fence: ClosedFence;
  readonly claims: readonly DesiredClaim[];
  /** The class of Services that MetalLB serves; undefined for Services without a class. */
  readonly loadBalancerClass: string | undefined;
}

/**
 * The pools with an open fence, in the order of the file, each with the live Services that would
 * lose their addresses if it were closed, sorted by name. Leaves out Services of another class,
 * which MetalLB does not serve, and labelled ones that are not declared, which would keep their
 * addresses.
 */
export function openPools(
  pools: readonly Pool[],
  live: Snapshot,
  { fence, claims, loadBalancerClass }: Closing,
): OpenPool[] {
  const open = pools.filter((pool) => pool.fence === 'open');
  if (open.length === 0) return [];
  const declared = new Map(claims.map((claim) => [claim.service, claim]));
  const services = [...live.all()].filter(
    ({ kind, object }) =>
      kind === 'service' &&
      textAt(object, 'spec', 'type') === 'LoadBalancer' &&
      textAt(object, 'spec', 'loadBalancerClass') === loadBalancerClass,
  );
  services.sort((left, right) => compareText(left.name, right.name));
  return open.map((pool) => ({
    pool: pool.name,
    services: services.flatMap(({ name, object }): UnfencedService[] => {
      const addresses = ingressOf(object).filter((text) => isOf(pool, text));
      const message =
        addresses.length === 0 ? undefined : exclusion(object, live, fence, declared.get(name));
      return message === undefined ? [] : [{ object: name, addresses, message }];
    }),
  }));
}

function isOf({ ranges }: Pool, text: string): boolean {
  const address = parseAddress(text);
  return isAddress(address) && ranges.some((range) => rangeHas(range, address));
}

/** The reason why a closed pool would not serve a Service; undefined when it would. */
function exclusion(
  service: LiveObject,
  live: Snapshot,
  { namespaceSelectors, serviceSelectors }: ClosedFence,
  claim: DesiredClaim | undefined,
): string | undefined {
  const { namespace = '' } = service.metadata;
  const labels = live.get(`Namespace ${namespace}`)?.metadata.labels;
  const [own, reserved] = serviceSelectors;
  if (!serviceSelectors.some((one) => matches(one, service.metadata.labels))) {
    if (!claim) return 'is not declared';
    const wanted = claim.isReserved ? (reserved ?? own) : own;
    return `is declared but does not have the label ${labelText(wanted)} yet`;
  }
  const [first] = namespaceSelectors ?? [];
  if (!namespaceSelectors || namespaceSelectors.some((one) => matches(one, labels))) {
    return undefined;
  }
  return `is in the namespace ${namespace}, which does not have the label ${labelText(first)} yet`;
}

function matches(
  { matchLabels }: Selector,
  labels: Readonly<Record<string, string>> | undefined,
): boolean {
  return Object.entries(matchLabels).every(([key, value]) => labels?.[key] === value);
}

function labelText(selector: Selector | undefined): string {
  return Object.entries(selector?.matchLabels ?? {})
    .map(([key, value]) => `${key}=${value}`)
    .join();
}
