import { anycastGroupOf, holderOfKey, holderOfService } from '../../core/declarations/claims.ts';
import { endpointNameField } from '../../core/declarations/lease/lease-schema.ts';
import {
  type Claim,
  declaredIn,
  endpointHolder,
  isLeaseClaim,
  keyParts,
  sharingKey,
} from '../../core/model/claim.ts';
import { type Holder, holderParts, movedToNamespace } from '../../core/model/holder.ts';
import { hostnameHolder, routedService } from '../../core/model/hostname.ts';
import type { Problem } from '../../core/model/problem.ts';
import { poolsPath } from '../../core/model/repository-paths.ts';
import { type DeclaredService, type Reservation, serviceIdText } from '../../core/model/service.ts';
import { dnsLabel } from '../../core/text/common-fields.ts';
import { leaseOf, type Workspace } from '../../core/tree/workspace.ts';
import {
  withEndpointName,
  withHostnameService,
  withLiveKey,
  withMember,
  withPromisedEndpoint,
  withServiceName,
} from './rename-edits.ts';
import { type FileEdit, type FoundRenames, type FromTo, refused } from './rename-file.ts';

export type Declared = DeclaredService | Reservation;
type NewName = Pick<Declared, 'namespace' | 'name'>;

/** The rename of a declared holder. */
export function renameOfHolder(workspace: Workspace, holder: Holder, word: string): FoundRenames {
  const { id, claims } = holder;
  const [first] = claims;
  const { kind } = holderParts(id);
  if (kind === 'anycast') {
    return refused(
      `${id} is a group: rename it in ${poolsPath}, then run \`leasehold rename ${id} anycast/NEW\``,
    );
  }
  if (kind === 'akash') return renameOfEndpoint(workspace, holder, word);
  if (kind === 'service' && first?.kind === 'Service')
    return renameOfService(workspace, first.declared, word);
  return renameOfKey(holder, word);
}

/** The rename of a Service, whose address can be that of a group. */
export function renameOfService(
  workspace: Workspace,
  declared: Declared,
  word: string,
): FoundRenames {
  const to = serviceNameIn(word, declared);
  if (!to)
    return refused(`'${word}' is not NAMESPACE/NAME of a Service in cluster ${declared.cluster}`);
  const [from, next] = [holderOfService(declared), holderOfService({ ...declared, ...to })];
  const isOther = from !== next && !anycastGroupOf(declared, workspace.pools.anycast);
  return renamesOf(workspace, [declared], () => to, isOther ? [{ from, to: next }] : []);
}

/** The renames of all Services of a namespace in a cluster. */
export function renamesOfNamespace(
  workspace: Workspace,
  cluster: string,
  words: FromTo,
): FoundRenames {
  const from = holderParts(words.from).name;
  const to = withoutPrefix(withoutPrefix(words.to, `${cluster}/`), 'namespace/');
  if (!isLabel(to))
    return refused(`'${words.to}' is not the name of a namespace in cluster ${cluster}`);
  const { services, holders } = workspace;
  const own = services.filter((one) => one.cluster === cluster && one.namespace === from);
  const renamed = holders.flatMap(({ id }) => {
    const next = holderParts(id).cluster === cluster ? movedToNamespace(id, from, to) : undefined;
    return next === undefined ? [] : [{ from: id, to: next }];
  });
  return renamesOf(workspace, own, ({ name }) => ({ namespace: to, name }), renamed);
}

function renameOfEndpoint(
  workspace: Workspace,
  { id, claims, promise, at }: Holder,
  word: string,
): FoundRenames {
  const { cluster = '', name: key } = holderParts(id);
  const { owner = '' } = keyParts(key) ?? {};
  const name = withoutPrefix(word, `${cluster}/akash/${owner}-ip-`);
  if (!endpointNameField.safeParse(name).success) {
    return refused(
      `'${word}' is not the name of an IP endpoint of ${owner}: an endpoint has one owner`,
    );
  }
  const leases = claims.filter(isLeaseClaim);
  const own = sharingKey(owner, name);
  const edits = [
    ...endpointEdits(workspace, claims, (text, index) => withEndpointName(text, index, name)),
    ...keyEdits(workspace, claims, { live: leases[0]?.sharingKey, own }),
  ];
  if (promise) edits.push([promise.at.file, (text) => withPromisedEndpoint(text, name)]);
  const problems = leases
    .filter((claim) => claim.at.file !== leaseOf(workspace, claim).at.file)
    .map((claim) => inSdl(claim.at, name));
  const holders = [{ from: id, to: endpointHolder(cluster, owner, name) }];
  return { ok: true, renames: { holders, edits, beside: at.file, problems } };
}

/** The edits of the endpoints of claims in their leases; those in an SDL have none. */
function endpointEdits(
  workspace: Workspace,
  claims: readonly Claim[],
  edit: (text: string, index: number) => string,
): readonly FileEdit[] {
  return claims.filter(isLeaseClaim).flatMap((claim): FileEdit[] => {
    const { at, endpoints } = leaseOf(workspace, claim);
    const index = endpoints.findIndex((one) => one.at === claim.at);
    return claim.at.file === at.file ? [[at.file, (text) => edit(text, index)]] : [];
  });
}

/**
 * The edits that keep the sharing key of several Services. MetalLB takes the address from one that
 * changes it while another is there, for a moment, or before 0.15 until the Service changes again.
 */
export function keyEdits(
  workspace: Workspace,
  claims: readonly Claim[],
  { live, own }: { readonly live: string | undefined; readonly own: string },
): readonly FileEdit[] {
  const kept = claims.length < 2 || live === own ? undefined : live;
  return endpointEdits(workspace, claims, (text, index) => withLiveKey(text, index, kept));
}

/** The rename of a sharing key, in the declarations of all its Services. */
function renameOfKey({ id, claims }: Holder, word: string): FoundRenames {
  const { cluster = '', namespace = '' } = holderParts(id);
  const key = withoutPrefix(word, `${cluster}/shared/${namespace}/`);
  if (key.includes('/') || key === '')
    return refused(`'${word}' is not a sharing key of namespace ${namespace}`);
  const services = declaredIn(claims);
  const edits = services.map(
    (one): FileEdit => [one.at.file, (text) => withServiceName(text, one, { sharingKey: key })],
  );
  const holders = [{ from: id, to: holderOfKey({ cluster, namespace }, key) }];
  return { ok: true, renames: { holders, edits, beside: services[0]?.at.file ?? '' } };
}

/** The renames of Services with their holders, in groups and hostnames too. */
function renamesOf(
  workspace: Workspace,
  services: readonly Declared[],
  newNameOf: (one: Declared) => NewName,
  holders: readonly FromTo[],
): FoundRenames {
  const { clusters, anycast } = workspace.pools;
  const edits: FileEdit[] = [];
  const ofHostnames = new Map<string, string>();
  for (const one of services) {
    const { cluster, namespace, name } = one;
    const to = newNameOf(one);
    const routes = clusters.find((known) => known.name === cluster)?.routes?.service;
    if (routes?.namespace === namespace && routes.name === name) {
      return refused(
        `routes.service in ${poolsPath} names ${namespace}/${name}: give both the new name by hand, then run \`leasehold rename\` again`,
      );
    }
    edits.push([one.at.file, (text) => withServiceName(text, one, to)]);
    const group = anycastGroupOf(one, anycast);
    if (group)
      edits.push([poolsPath, (text) => withMember(text, anycast, { group, member: one, to })]);
    const id = `${cluster}/${serviceIdText(one)}`;
    const routed = workspace.hostnames.filter((hostname) => routedService(hostname) === id);
    for (const { at } of routed) edits.push([at.file, (text) => withHostnameService(text, to)]);
    if (routed.length > 0 && to.namespace !== namespace) {
      const next = hostnameHolder(cluster, to.namespace);
      ofHostnames.set(hostnameHolder(cluster, namespace), next);
    }
  }
  const renamed = [...holders, ...[...ofHostnames].map(([from, to]) => ({ from, to }))];
  return { ok: true, renames: { holders: renamed, edits, beside: services[0]?.at.file ?? '' } };
}

function isLabel(text: string): boolean {
  return dnsLabel.safeParse(text).success;
}

/** `NAME`, `NAMESPACE/NAME` or the whole id of a Service in the same cluster. */
function serviceNameIn(word: string, { cluster, namespace }: Declared): NewName | undefined {
  const parts = withoutPrefix(word, `${cluster}/service/`).split('/');
  const [own = '', name = ''] = parts.length === 1 ? [namespace, ...parts] : parts;
  return parts.length <= 2 && isLabel(own) && isLabel(name) ? { namespace: own, name } : undefined;
}

function withoutPrefix(word: string, prefix: string): string {
  return word.startsWith(prefix) ? word.slice(prefix.length) : word;
}

function inSdl(at: Problem['at'], name: string): Problem {
  return {
    code: 'SDL_NOT_EDITED',
    message: 'the endpoint is in an SDL, which belongs to the tenant',
    at,
    hint: `name the endpoint ${name} in the SDL, then run \`leasehold rename\` again`,
  };
}
