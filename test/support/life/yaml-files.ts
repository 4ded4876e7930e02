/** Declarations as YAML files below `leases/`. */

import { keyPath, printKey, printRepositoryId } from '../../../src/core/declarations/key-file.ts';
import { repository } from '../allocations/owned-records.ts';
import { provider } from '../declarations/pools-and-claims.ts';
import {
  addressesOf,
  anycast,
  clusters,
  families,
  fileOf,
  type PlainLease,
  type PlainPool,
  type PlainPromise,
  type PlainService,
  type PlainWorkspace,
  poolName,
  promiseFileOf,
  type Terms,
} from './plain-workspace.ts';
import { keysOfWorkspace } from './product-model.ts';
import { signatureOf } from './signatures.ts';

/** What the pool file says of the plane. */
export type PlaneWords =
  | { readonly metallb: { readonly version: string; readonly layout: 'lease' | 'pool' } }
  | { readonly cilium: { readonly version: string } };

/** The declared files of a workspace: path to text. */
export function filesOf(
  workspace: PlainWorkspace,
  plane?: PlaneWords,
): ReadonlyMap<string, string> {
  const files = new Map([['leases/pools.yaml', poolsText(workspace, plane)]]);
  files.set('leases/keys/repository.yaml', printRepositoryId(repository));
  for (const key of keysOfWorkspace().byName.values()) files.set(keyPath(key), printKey(key));
  for (const words of workspace.declared.values()) {
    files.set(fileOf(words), words.kind === 'Lease' ? leaseText(words) : serviceText(words));
  }
  for (const words of workspace.promises.values()) {
    files.set(promiseFileOf(words), promiseText(words));
  }
  return files;
}

function poolsText({ pools }: PlainWorkspace, plane: PlaneWords | undefined): string {
  const { name, namespace, service } = anycast;
  const members = clusters.map((cluster) => ({ cluster, namespace, service }));
  return text({
    apiVersion: 'leasehold.dev/v1',
    kind: 'Pools',
    provider,
    ...plane,
    clusters: clusters.map((name) => ({ name })),
    defaultCluster: clusters[0],
    defaultZone: pools[0]?.zone,
    anycast: [{ name, members }],
    pools: pools.map(poolFields),
  });
}

function poolFields({ index, ipv4, ipv6, ...pool }: PlainPool) {
  const words = { index, ipv4, ipv6, ...pool };
  const addresses = families.flatMap((family) => {
    const all = addressesOf(words, family);
    return all.length > 0 ? [`${all[0]}-${all.at(-1)}`] : [];
  });
  return { name: poolName(words), ...pool, addresses, advertise: { bgp: {} } };
}

function leaseText({ cluster, owner, dseq, endpoints }: PlainLease): string {
  const written = endpoints.map(({ terms, target, port, ...endpoint }) => {
    const { family, pins, retain, ...from } = terms;
    const pinned = pins[0] === undefined ? {} : { address: pins[0] };
    const more = { ipFamily: family, retentionDays: retain, ...from, ...pinned };
    return { ...endpoint, port: target, externalPort: port, ...more };
  });
  const id = { owner, dseq: `${dseq}`, gseq: 1, oseq: 1 };
  const spec = { id, cluster, endpoints: written };
  return text({ apiVersion: 'leasehold.dev/v1', kind: 'Lease', spec });
}

function promiseText({ cluster, owner, endpoint, terms, until }: PlainPromise): string {
  const { zone, pool, family } = terms;
  const from = { ...(zone && { zone }), ...(pool && { pool }) };
  const spec = { cluster, owner, endpoint, until, ipFamily: family, ...from };
  return text({ apiVersion: 'leasehold.dev/v1', kind: 'Promise', spec });
}

function serviceText(words: PlainService): string {
  return words.kind === 'Reservation' ? reservationText(words) : declaredText(words);
}

function reservationText(words: PlainService): string {
  const { cluster, namespace, name, ports, terms, key } = words;
  const { family, pins, retain, ...from } = terms;
  const asked = { ipFamily: family, retentionDays: retain, addresses: pins, ...from };
  const shared = key === undefined ? {} : { sharingKey: key };
  const spec = {
    cluster,
    namespace,
    service: name,
    ports,
    ...asked,
    ...shared,
    ...ownershipOf(words),
  };
  return text({ apiVersion: 'leasehold.dev/v1', kind: 'Reservation', spec });
}

/** The key and the signatures, as a Reservation names its fields. */
function ownershipOf({ secret, signatures = [] }: PlainService) {
  return {
    ...(secret === undefined ? {} : { secret }),
    ...(signatures.length === 0 ? {} : { signature: signatures.map(signatureOf).join(',') }),
  };
}

function declaredText(words: PlainService): string {
  const { cluster, namespace, name, ports, terms, key } = words;
  const { secret, signature } = ownershipOf(words);
  const annotations = {
    'leasehold.dev/cluster': cluster,
    ...annotationsOf(terms, key),
    ...(secret === undefined ? {} : { 'ipam.vitistack.io/secret': secret }),
    ...(signature === undefined ? {} : { 'leasehold.dev/signature': signature }),
  };
  const written = ports.map(({ port, protocol }) => ({
    name: `${protocol.toLowerCase()}-${port}`,
    port,
    protocol,
  }));
  const spec = { type: 'LoadBalancer', selector: { app: 'web' }, ports: written };
  return text({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace, annotations },
    spec,
  });
}

function annotationsOf(terms: Terms, key: string | undefined): Record<string, string> {
  const { zone, pool, family, pins, retain } = terms;
  const ipam = 'ipam.vitistack.io';
  return {
    [`${ipam}/ip-family`]: family,
    [`${ipam}/retention-period-days`]: `${retain}`,
    ...(zone === undefined ? {} : { [`${ipam}/zone`]: zone }),
    ...(pool === undefined ? {} : { 'leasehold.dev/pool': pool }),
    ...(pins.length === 0 ? {} : { [`${ipam}/addresses`]: pins.join(',') }),
    ...(key === undefined ? {} : { [`${ipam}/allow-local-shared-ip`]: key }),
  };
}

/** JSON is YAML too, a line for each field of the document. */
function text(document: object): string {
  const lines = Object.entries(document).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  return `${lines.join('\n')}\n`;
}
