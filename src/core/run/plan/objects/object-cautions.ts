import { addressPoolName } from '../../../manifests/names.ts';
import { holderPath, servicePath } from '../../../manifests/paths.ts';
import { addressesHeldBy } from '../../../model/allocation.ts';
import { type Claim, claimText, firstClaims, type ServiceClaim } from '../../../model/claim.ts';
import { holderText } from '../../../model/holder.ts';
import { compareText, groupBy } from '../../../model/order.ts';
import { serviceIdText, withoutAddress, withoutAddressText } from '../../../model/service.ts';
import { isAddress, parseAddress } from '../../../net/address.ts';
import { leaseFileChanges } from '../../../tree/file-changes.ts';
import { claimFields } from '../../review/merged-items.ts';
import type { Review } from '../../review/review.ts';
import { planPlace } from '../address-changes.ts';
import { cautionsFor } from '../caution-text.ts';
import type { Caution, FieldChange, ManifestChange, PlanPlace } from '../plan-answer.ts';
import type { MovedClaim } from '../serving-cautions.ts';
import { askingServices } from './asking-services.ts';
import type { Grade } from './field-grades.ts';
import {
  type ChangedObjects,
  clusterOf,
  groupText,
  kindsText,
  type ObjectGroup,
  objectGroups,
} from './object-groups.ts';
import { type AppliedObject, type Redeploys, redeploysOf } from './redeploys.ts';

/**
 * The objects that both sides have, without the pin of a Service that moves: LEASE_MOVED has both
 * addresses; without the lease of one that is redeployed, which its address or hostname tells; and
 * without what follows from the pool file.
 */
export function changedObjects(
  manifests: readonly ManifestChange[],
  moved: readonly MovedClaim[],
  { isOfField }: Pick<Redeploys, 'isOfField'>,
): ChangedObjects {
  const moves = new Set(moved.map(({ from, to }) => `${from} ${to}`));
  const isShown = (field: FieldChange, object: AppliedObject): boolean => {
    if (isOfField(field, object) || isOfPools(field, object)) return false;
    const { path, before = '', after = '' } = field;
    if (!/^spec\.loadBalancerIP$|\/loadBalancerIPs$/.test(path)) return true;
    const to = pinsIn(after);
    return pinsIn(before).some(
      (from, index) => from !== to[index] && !moves.has(`${from} ${to[index]}`),
    );
  };
  const groups = (grade: Grade) => objectGroups(manifests, grade, isShown);
  return { reach: groups('reach'), identity: groups('identity'), cosmetic: groups('cosmetic') };
}

/** The addresses of a pin as a plan prints it: two of them in quotes. */
function pinsIn(printed: string): readonly string[] {
  return printed.replaceAll('"', '').split(',');
}

/** True for what follows from the pool file alone, whose changes POOLS_CHANGED and LAYOUT_STEP tell. */
function isOfPools({ path }: FieldChange, { object }: AppliedObject): boolean {
  return object.startsWith('ValidatingAdmissionPolicy ')
    ? path.startsWith('spec.variables')
    : object.startsWith('ConfigMap ') && path === 'data.layout';
}

/** REACH_CHANGED and IDENTITY_CHANGED, for each group of objects that change alike. */
export function objectCautions(review: Review, { reach, identity }: ChangedObjects): Caution[] {
  if (reach.length + identity.length === 0) return [];
  const declared = changedDeclarations(review);
  const cautionOf = (code: Caution['code']) => (group: ObjectGroup) => {
    const [path] = group.paths;
    const at = declared.get(path) ?? { side: 'head', file: path, line: 1 };
    return { code, message: groupText(group), at };
  };
  return [...reach.map(cautionOf('REACH_CHANGED')), ...identity.map(cautionOf('IDENTITY_CHANGED'))];
}

/** The place of the first declaration in a changed file behind a file of `dist/`, by its path. */
function changedDeclarations({ head, comparison }: Review): ReadonlyMap<string, PlanPlace> {
  const changed = new Set(leaseFileChanges(comparison.baseTree, comparison.headTree));
  const clusters = head.pools?.clusters ?? [];
  const ofHolders = (head.holders ?? []).flatMap((holder) => {
    const claim = holder.claims.find(({ at }) => changed.has(at.file));
    if (!claim) return [];
    const own = clusters.filter(({ name }) => holder.clusters.includes(name));
    return own.map(
      (cluster) => [holderPath(cluster, holder), planPlace('head', claim.at)] as const,
    );
  });
  const ofServices = clusters.flatMap((cluster) =>
    head.services
      .filter((service) => service.cluster === cluster.name && changed.has(service.at.file))
      .map(({ namespace, name, at }) => {
        return [servicePath(cluster, namespace, name), planPlace('head', at)] as const;
      }),
  );
  return new Map([...ofServices, ...ofHolders]);
}

/** NO_ADDRESS for each new Service that gets no address. */
export function noAddressCautions({ base, head }: Pick<Review, 'base' | 'head'>): Caution[] {
  const known = new Set(base.services.map(serviceText));
  const found = withoutAddress(head.services).filter((one) => !known.has(serviceText(one)));
  return cautionsFor(found, {
    one: (service): Caution => ({
      code: 'NO_ADDRESS',
      message: withoutAddressText(service),
      at: planPlace('head', service.at),
    }),
    many: (shown, count): Caution => ({
      code: 'NO_ADDRESS',
      message: `${count} new Services get no address, including ${shown.map(({ namespace, name }) => `${namespace}/${name}`).join(', ')}`,
    }),
  });
}

/** OTHER_BALANCER for each Service that asks another load balancer, and did not in the base. */
export function otherBalancerCautions({ base, head }: Pick<Review, 'base' | 'head'>): Caution[] {
  const known = new Set(askingServices(base.holders ?? [], base.table).map(({ text }) => text));
  return cautionsFor(
    askingServices(head.holders ?? [], head.table).filter(({ text }) => !known.has(text)),
    {
      one: ({ service, text }): Caution => ({
        code: 'OTHER_BALANCER',
        message: text,
        at: planPlace('head', service.at),
      }),
      many: (shown, count): Caution => ({
        code: 'OTHER_BALANCER',
        message: `${count} requests to other load balancers are new, including ${shown.map(({ service: { namespace, name } }) => `${namespace}/${name}`).join(', ')}`,
      }),
    },
  );
}

/** REACH_CHANGED for each declared Service of the name of a Reservation: it takes over a live one. */
export function takenOverCautions({ base, head }: Pick<Review, 'base' | 'head'>): Caution[] {
  const reserved = new Set(
    base.services.flatMap((one) => (one.kind === 'Reservation' ? [serviceText(one)] : [])),
  );
  const found = head.services.filter(
    (one) => one.kind === 'Service' && reserved.has(serviceText(one)),
  );
  return cautionsFor(found, {
    one: (service): Caution => ({
      code: 'REACH_CHANGED',
      message: `the declared Service ${service.namespace}/${service.name} replaces the one that another tool renders: its selector, ports, source ranges and traffic policy apply`,
      at: planPlace('head', service.at),
    }),
    many: (shown, count): Caution => ({
      code: 'REACH_CHANGED',
      message: `${count} declared Services replace those that other tools render, including ${shown.map(({ namespace, name }) => `${namespace}/${name}`).join(', ')}`,
    }),
  });
}

/**
 * REACH_CHANGED for each Reservation on a live, shared address whose Service gets another sharing
 * key, traffic policy or selector. It is rendered elsewhere, so no manifest shows the change.
 */
export function reservedSharerCautions({ base, head }: Pick<Review, 'base' | 'head'>): Caution[] {
  const before = new Map(sharersOf(base).map((one) => [one.text, one]));
  const found = sharersOf(head).flatMap((after) => {
    const old = before.get(after.text);
    const isLive = old && addressesHeldBy(base.table, old.claim.holder).length > 0;
    if (!isLive || after.claim.declared.kind !== 'Reservation' || !after.isShared) return [];
    const now = sharingTerms(after.claim);
    const changes = Object.entries(sharingTerms(old.claim)).flatMap(([name, text]) =>
      text === now[name] ? [] : [`${name} ${text} → ${now[name]}`],
    );
    return changes.length === 0 ? [] : [{ ...after, changes }];
  });
  return cautionsFor(found, {
    one: ({ claim, changes }): Caution => ({
      code: 'REACH_CHANGED',
      message: `Service ${claim.declared.namespace}/${claim.service}, which another tool renders, gets other values: ${changes.join(', ')}; MetalLB takes the shared address from it while another Service has the old ones`,
      at: planPlace('head', claim.at),
    }),
    many: (shown, count): Caution => ({
      code: 'REACH_CHANGED',
      message: `${count} Services that other tools render get other values on their shared addresses, including ${shown.map(({ claim, changes }) => `${claim.declared.namespace}/${claim.service}: ${changes.join(', ')}`).join('; ')}`,
    }),
  });
}

/** The first claim of each Service and Reservation, and whether another one is on its address. */
function sharersOf({ claims }: Pick<Review['head'], 'claims'>) {
  const firsts = firstClaims(claims);
  const placeOf = ({ cluster, holder }: Claim) => `${cluster} ${holder}`;
  const groups = groupBy(firsts, placeOf);
  return firsts.map((claim) => ({
    claim,
    text: serviceText(claim.declared),
    isShared: (groups.get(placeOf(claim)) ?? []).length > 1,
  }));
}

/** The fields that MetalLB compares of Services on one address. */
function sharingTerms({
  sharingKey,
  declared: { localBackend },
}: ServiceClaim): Readonly<Record<string, string>> {
  const policy = localBackend === undefined ? 'Cluster' : `Local with ${localBackend}`;
  return { 'sharing key': sharingKey, externalTrafficPolicy: policy };
}

function serviceText(service: Review['head']['services'][number]): string {
  return `${service.cluster}/${serviceIdText(service)}`;
}

/** REACH_CHANGED for each redeployed port that other pods, or another port of them, answer. */
export function redeployCautions(review: Pick<Review, 'base' | 'head'>): Caution[] {
  const found = redeploysOf(review).claims.flatMap(({ before, after }) => {
    const now = new Map(claimFields(after));
    const changes = claimFields(before).flatMap(([field, was]) =>
      ['port', 'selector'].includes(field) && was !== now.get(field)
        ? [`${field} ${was} → ${now.get(field)}`]
        : [],
    );
    const name = `${claimText(after)} of ${holderText(after.holder)}`;
    return changes.length === 0 ? [] : [{ after, text: `${name}: ${changes.join(', ')}` }];
  });
  return cautionsFor(found, {
    one: ({ after, text }): Caution => ({
      code: 'REACH_CHANGED',
      message: text,
      at: planPlace('head', after.at),
    }),
    many: (shown, count): Caution => ({
      code: 'REACH_CHANGED',
      message: `${count} redeployed ports change, including ${shown.map(({ text }) => text).join('; ')}`,
    }),
  });
}

function poolNameOf(text: string): string | undefined {
  const address = parseAddress(text);
  return isAddress(address) ? addressPoolName(address) : undefined;
}

/**
 * ENGINE_PRUNES, without Namespaces, which are never pruned: docs/manifests.md; without what a
 * redeploy makes anew, which its address or hostname tells; and without the pool of an address that
 * a move leaves.
 */
export function pruneCautions(
  manifests: readonly ManifestChange[],
  { successorsOf }: Pick<Redeploys, 'successorsOf'>,
  moved: readonly MovedClaim[] = [],
): Caution[] {
  const left = new Set(moved.map(({ from }) => poolNameOf(from)));
  const all = manifests.flatMap(({ path, objects }) =>
    objects.map(({ action, object }) => ({ action, object, cluster: clusterOf(path) })),
  );
  const added = new Set(
    all.flatMap(({ action, object, cluster }) =>
      action === 'added' ? [`${cluster} ${object}`] : [],
    ),
  );
  const pruned = all.filter(
    ({ action, object, cluster }) =>
      action === 'removed' &&
      !object.startsWith('Namespace ') &&
      !left.has(object.slice(object.lastIndexOf('/') + 1)) &&
      !successorsOf({ cluster, object }).some((other) => added.has(`${cluster} ${other}`)),
  );
  if (pruned.length === 0) return [];
  const kinds = [...groupBy(pruned, ({ object }) => object.slice(0, object.indexOf(' ')))]
    .map(([kind, { length }]) => [kind, length] as const)
    .sort(([one], [other]) => compareText(one, other));
  const message = `Argo CD or Flux will delete ${kinds.map((entry) => kindsText(...entry)).join(', ')}`;
  return [{ code: 'ENGINE_PRUNES', message }];
}
