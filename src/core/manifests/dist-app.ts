import { ApiObject, App, Chart } from 'cdk8s';
import { k8s } from 'cdk8s-plus-28';
import type { Construct } from 'constructs';
import { ProviderHost, ProviderLeasedIp } from '../../../imports/akash.network.ts';
import {
  CiliumBgpAdvertisement,
  CiliumL2AnnouncementPolicy,
  CiliumLoadBalancerIpPool,
} from '../../../imports/cilium.io.ts';
import { DnsEndpoint } from '../../../imports/externaldns.k8s.io.ts';
import { BgpAdvertisement, IpAddressPool, L2Advertisement } from '../../../imports/metallb.io.ts';
import { distFolder } from '../model/repository-paths.ts';
import { isList, type Manifest, type Tree, type TreeMap } from './manifest.ts';
import { writtenNames } from './written-fields.ts';

/**
 * The cdk8s app of `npx cdk8s synth`. A file of `dist/` is a chart, and its objects are constructs.
 *
 * A chart is rendered as soon as its file is complete, and is then removed from the app.
 * `App.synth()` with many charts prepares the whole app for each of them, which is quadratic, and a
 * single chart with 30,000 leases overflows the stack.
 */
export class DistApp extends App {
  constructor() {
    super({ outdir: distFolder, recordConstructMetadata: false });
  }

  /** Returns the objects of one file as their constructs render them, in the same order. */
  renderFile(manifests: readonly Manifest[]): readonly Manifest[] {
    const chart = new Chart(this, fileId);
    for (const [index, manifest] of manifests.entries()) {
      constructOf(chart, String(index), renamed(manifest, 'constructor', standIn));
    }
    const rendered = chart.apiObjects.map((object) =>
      renamed(object.toJson() as Manifest, standIn, 'constructor'),
    );
    this.node.tryRemoveChild(fileId);
    return rendered;
  }
}

/**
 * Stands for a label, an annotation or a key of a selector named `constructor`, for which cdk8s
 * takes the map for an instance of a class. It sorts where that key does.
 */
const standIn = 'constructor\0';

/** A manifest with another name for a key, wherever it is. */
function renamed(manifest: Manifest, from: string, to: string): Manifest {
  const partOf = (value: Tree): Tree => {
    if (typeof value !== 'object' || value === null) return value;
    if (isList(value)) return value.map(partOf);
    return Object.fromEntries(
      Object.entries(value).map(([key, part]) => [key === from ? to : key, part && partOf(part)]),
    );
  };
  return partOf(manifest) as Manifest;
}

/** The same for every file: V8 slows down when each construct has children of other names. */
const fileId = 'file';

/**
 * Adds the construct of a manifest to a chart. It is an instance of the generated class of its kind,
 * or an ApiObject where there is none.
 */
export function constructOf(chart: Construct, id: string, manifest: Manifest): ApiObject {
  const Class = classes.get(`${manifest.apiVersion}/${manifest.kind}`);
  return Class
    ? new Class(chart, id, propsOf(manifest) as never)
    : new ApiObject(chart, id, manifest);
}

/** A Service with `trafficDistribution`, which cdk8s-plus-28 does not know. */
class Service extends k8s.KubeService {
  readonly #spec: TreeMap;

  constructor(scope: Construct, id: string, props: k8s.KubeServiceProps) {
    super(scope, id, props);
    this.#spec = { ...props.spec } as TreeMap;
  }

  override toJson(): Manifest {
    const { trafficDistribution } = this.#spec;
    const manifest: Manifest = super.toJson();
    if (trafficDistribution === undefined) return manifest;
    return { ...manifest, spec: { ...(manifest.spec as TreeMap), trafficDistribution } };
  }
}

type ObjectClass = new (scope: Construct, id: string, props: never) => ApiObject;

/**
 * The generated class of each kind, from cdk8s-plus-28 or `imports/`. There is none for the
 * admission policy, the HTTPRoute and the policies of its controller.
 */
const classes: ReadonlyMap<string, ObjectClass> = new Map<string, ObjectClass>([
  ['v1/Namespace', k8s.KubeNamespace],
  ['v1/ConfigMap', k8s.KubeConfigMap],
  ['v1/Service', Service],
  ['discovery.k8s.io/v1/EndpointSlice', k8s.KubeEndpointSlice],
  ['networking.k8s.io/v1/NetworkPolicy', k8s.KubeNetworkPolicy],
  ['networking.k8s.io/v1/Ingress', k8s.KubeIngress],
  ['cilium.io/v2/CiliumLoadBalancerIPPool', CiliumLoadBalancerIpPool],
  ['cilium.io/v2alpha1/CiliumL2AnnouncementPolicy', CiliumL2AnnouncementPolicy],
  ['cilium.io/v2/CiliumBGPAdvertisement', CiliumBgpAdvertisement],
  ['metallb.io/v1beta1/IPAddressPool', IpAddressPool],
  ['metallb.io/v1beta1/L2Advertisement', L2Advertisement],
  ['metallb.io/v1beta1/BGPAdvertisement', BgpAdvertisement],
  ['akash.network/v2beta2/ProviderLeasedIP', ProviderLeasedIp],
  ['akash.network/v2beta2/ProviderHost', ProviderHost],
  ['externaldns.k8s.io/v1alpha1/DNSEndpoint', DnsEndpoint],
]);

const propNames = new Map<string, string>(
  Object.entries(writtenNames).map(([prop, field]) => [field, prop]),
);

/** The fields whose keys are chosen by authors and tenants. */
const maps = new Set(['annotations', 'data', 'labels', 'matchLabels', 'selector']);

/** The props of the generated class of a manifest. */
function propsOf(manifest: Manifest): unknown {
  const portField = manifest.kind === 'NetworkPolicy' ? 'port' : 'targetPort';
  const partOf = (value: Tree | undefined, field: string): unknown => {
    if (field === portField && typeof value === 'number') return k8s.IntOrString.fromNumber(value);
    if (field === portField && typeof value === 'string') return k8s.IntOrString.fromString(value);
    if (typeof value !== 'object' || value === null) return value;
    if (isList(value)) return value.map((item) => partOf(item, ''));
    // A map that was read from YAML has no prototype, and cdk8s renders none of these.
    if (maps.has(field)) return { ...value };
    return Object.fromEntries(
      Object.entries(value).map(([key, part]) => [propNames.get(key) ?? key, partOf(part, key)]),
    );
  };
  return partOf(manifest, '');
}

/**
 * The cdk8s app that writes `index.yaml` into the output folder of `cdk8s synth`, which must not be
 * empty: one object with the paths of the manifests. These are below `dist/`, because cdk8s empties
 * its output folder before it runs the app.
 */
export class IndexApp extends App {
  constructor(outdir: string, manifests: readonly string[]) {
    super({ outdir, outputFileExtension: '.yaml', recordConstructMetadata: false });
    new ApiObject(new Chart(this, 'index'), 'index', {
      apiVersion: 'leasehold.dev/v1',
      kind: 'Index',
      metadata: { name: 'leasehold' },
      manifests,
    });
  }
}
