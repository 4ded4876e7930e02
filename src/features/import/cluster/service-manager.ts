import {
  annotationKeysRead,
  domainOf,
  toolOfDomain,
} from '../../../core/declarations/service/service-metadata.ts';
import type { GatewayRef } from '../../../core/model/service.ts';
import type { SourceFields, SourceNode, SourceReader } from '../../../lib/foreign/source-reader.ts';
import type { SourceObject } from '../metallb/source-object.ts';
import { type LiveParts, ofControllers } from './live-service-spec.ts';

/**
 * Labels and annotations of tools that overwrite the objects they manage. A key ending in `/`
 * covers a whole domain.
 */
const marks: ReadonlyMap<string, string> = new Map([
  ['meta.helm.sh/release-name', 'Helm'],
  ['helm.sh/chart', 'Helm'],
  ['argocd.argoproj.io/tracking-id', 'Argo CD'],
  ['argocd.argoproj.io/instance', 'Argo CD'],
  ['app.kubernetes.io/instance', 'a chart or Argo CD'],
  ['kustomize.toolkit.fluxcd.io/name', 'Flux'],
  ['helm.toolkit.fluxcd.io/name', 'Flux'],
  ['olm.owner', 'the Operator Lifecycle Manager'],
  ['kapp.k14s.io/app', 'kapp'],
  ['objectset.rio.cattle.io/id', 'Rancher'],
  ['objectset.rio.cattle.io/hash', 'Rancher'],
  ['serving.knative.dev/service', 'Knative'],
]);

/** Field managers of programs, as in `metadata.managedFields`. */
const writers: ReadonlyMap<string, string> = new Map([
  ['argocd-controller', 'Argo CD'],
  ['argocd-application-controller', 'Argo CD'],
  ['kustomize-controller', 'Flux'],
  ['helm-controller', 'Flux'],
  ['helm', 'Helm'],
  ['Terraform', 'Terraform'],
  ['pulumi-kubernetes', 'Pulumi'],
]);

/**
 * Field managers of tools that a person uses: kubectl and similar, and dashboards. Lens also writes
 * as node-fetch, and a browser dashboard under the browser's name. `before-first-apply` covers all
 * earlier writers.
 */
const byHand =
  /^(?:kubectl|oc$|k9s|lens|openlens|freelens|node-fetch$|headlamp|mozilla|dashboard|kubernetes-dashboard|curl|before-first-apply$)/i;

/** An annotation that leasehold itself writes. */
const ownWave = 'argocd.argoproj.io/sync-wave';

/**
 * The tool that manages an object and would overwrite it: its owner, its labels and annotations, or
 * its field managers. Undefined when none is known, and for leasehold itself.
 */
export function managerOf(
  reader: SourceReader,
  metadata: SourceFields,
  { labels, annotations }: Pick<LiveParts, 'labels' | 'annotations'>,
): string | undefined {
  const [owner] = reader.list(metadata.get('ownerReferences'));
  if (owner) {
    const fields = reader.mapping(owner);
    const [kind, name] = ['kind', 'name'].map((key) => reader.text(fields?.get(key)));
    return `the ${kind ?? 'object'} ${name ?? ''}`;
  }
  const managedBy = labels.get('app.kubernetes.io/managed-by');
  if (managedBy === 'leasehold') return undefined;
  if (managedBy) return managedBy;
  const keys = [...labels.keys(), ...annotations.keys()];
  const marked = keys.map((key) => marks.get(key)).find((name) => name !== undefined);
  if (marked !== undefined) return marked;
  const steered = keys
    .filter((key) => key !== ownWave && !key.startsWith('kubectl.kubernetes.io/'))
    .map((key) => toolOfDomain(domainOf(key)))
    .find((name) => name !== undefined);
  if (steered !== undefined) return steered;
  return reader
    .list(metadata.get('managedFields'))
    .map((node) => writerOf(reader, node))
    .find((name) => name !== undefined);
}

/**
 * The Gateway whose controller made a Service: its owner, or the one that its labels name. Envoy
 * Gateway makes its Services in a namespace of its own.
 */
export function gatewayOf(
  reader: SourceReader,
  { metadata, namespace }: SourceObject,
  labels: LiveParts['labels'],
): GatewayRef | undefined {
  const [owned] = reader.list(metadata.get('ownerReferences')).flatMap((owner) => {
    const fields = reader.mapping(owner);
    const [version = '', kind] = ['apiVersion', 'kind'].map((key) => reader.text(fields?.get(key)));
    const isGateway = kind === 'Gateway' && version.startsWith('gateway.networking.k8s.io/');
    return isGateway ? (reader.text(fields?.get('name')) ?? []) : [];
  });
  const name =
    owned ??
    labels.get('gateway.networking.k8s.io/gateway-name') ??
    labels.get('gateway.envoyproxy.io/owning-gateway-name');
  const home = labels.get('gateway.envoyproxy.io/owning-gateway-namespace') ?? namespace;
  return name && home ? { namespace: home, name } : undefined;
}

/** The fields that kube-vip writes at run time. Its cloud provider sets the labels. */
const kubeVipKeys = new Set(['kube-vip.io/vipHost', 'implementation', 'ipam-address']);

/**
 * The labels and annotations without those that only controllers have written, each with a note: a
 * controller writes metadata or status of an object, and no spec. What leasehold reads stays.
 */
export function authoredKeys(
  reader: SourceReader,
  subject: string,
  { metadata, at }: SourceObject,
  { labels, annotations }: Pick<LiveParts, 'labels' | 'annotations'>,
): Pick<LiveParts, 'labels' | 'annotations'> {
  const writers = controllersOf(reader, metadata);
  const hasKubeVip = annotations.has('kube-vip.io/vipHost');
  const authored = (field: 'label' | 'annotation', texts: ReadonlyMap<string, string>) =>
    new Map(
      [...texts].filter(([key]) => {
        const known = hasKubeVip && kubeVipKeys.has(key) ? 'kube-vip' : undefined;
        const writer = writers.get(`${field} ${key}`) ?? known;
        if (writer === undefined || annotationKeysRead.includes(key)) return true;
        const message = `the ${field} ${key} is not imported: ${writer} wrote it`;
        if (!ofControllers.has(key)) reader.change(subject, message, at);
        return false;
      }),
    );
  return { labels: authored('label', labels), annotations: authored('annotation', annotations) };
}

/** The controller that wrote each `label KEY` or `annotation KEY` that no author wrote. */
function controllersOf(reader: SourceReader, metadata: SourceFields): ReadonlyMap<string, string> {
  const found = new Map<string, string | undefined>();
  for (const entry of reader.list(metadata.get('managedFields'))) {
    const fields = reader.mapping(entry);
    const name = reader.text(fields?.get('manager')) ?? '';
    const isAuthor = name === '' || byHand.test(name) || writerOf(reader, entry) !== undefined;
    const own = reader.mapping(reader.mapping(fields?.get('fieldsV1'))?.get('f:metadata'));
    for (const field of ['label', 'annotation']) {
      for (const key of reader.mapping(own?.get(`f:${field}s`))?.keys() ?? []) {
        const text = `${field} ${key.slice('f:'.length)}`;
        const isOfAuthor = isAuthor || (found.has(text) && found.get(text) === undefined);
        found.set(text, isOfAuthor ? undefined : name);
      }
    }
  }
  return new Map([...found].flatMap(([key, name]) => (name === undefined ? [] : [[key, name]])));
}

/**
 * The program of an entry of `managedFields`. An unknown program counts only if it writes the spec:
 * controllers such as MetalLB's write status, annotations and finalizers of objects that they do
 * not manage.
 */
function writerOf(reader: SourceReader, entry: SourceNode): string | undefined {
  const fields = reader.mapping(entry);
  const name = reader.text(fields?.get('manager')) ?? '';
  const known = writers.get(name);
  if (known !== undefined || name === '' || byHand.test(name)) return known;
  const written = fields?.get('fieldsV1');
  const isOfSpec = written === undefined || reader.mapping(written)?.has('f:spec');
  return isOfSpec && !reader.text(fields?.get('subresource')) ? name : undefined;
}
