import { ApiObject, type App, JsonPatch } from 'cdk8s';
import { Construct, type IConstruct } from 'constructs';
import { reservedLabel } from '../core/manifests/manifest.ts';
import type { Pinning } from '../core/manifests/planes/plane.ts';
import { planeOf } from '../core/manifests/planes/planes.ts';
import { distFolder } from '../core/model/repository-paths.ts';
import { type Address, type Family, familyName, formatAddress } from '../core/net/address.ts';
import { isSamePath } from '../core/world/disk/disk-tree.ts';
import { type CommittedAddress, CommittedTable } from './committed-address.ts';
import { LeaseholdError, type LeaseholdErrorCode } from './leasehold-error.ts';
import { reservationOf, serviceErrors } from './service-errors.ts';

export { LeaseholdError, type LeaseholdErrorCode };

/** The leasehold repository that a construct reads. */
export interface RepositoryProps {
  /** The folder that has `leases/`, seen from the current folder, which is the default. */
  readonly repository?: string;
  /** The cluster of the declaration. Needed only when several clusters have it. */
  readonly cluster?: string;
}

/** The name of a Reservation, or of a Service that is declared in full. */
export interface NamedServiceProps extends RepositoryProps {
  readonly namespace: string;
  readonly name: string;
}

/**
 * The id of a holder as `leasehold list` prints it, such as
 * `<cluster>/akash/<owner>-ip-<endpoint>`.
 */
export interface HolderProps extends RepositoryProps {
  readonly holder: string;
}

/** Selects the address of a {@link LeasedAddress}: by its Service, or by its holder. */
export type LeasedAddressProps =
  | (NamedServiceProps & { readonly holder?: undefined })
  | (HolderProps & { readonly namespace?: undefined; readonly name?: undefined });

/** One port of a {@link LeasedService}. */
export interface LeasedServicePort {
  /** The port on the leased address. The Reservation must have it. */
  readonly port: number;
  /** Default: TCP. */
  readonly protocol?: 'TCP' | 'UDP' | 'SCTP';
  /** The port of the pods, or its name. Default: `port`. */
  readonly targetPort?: number | string;
  /** Default when there are several ports: `443-tcp`. */
  readonly name?: string;
  readonly appProtocol?: string;
}

/** The properties of a {@link LeasedService}. */
export interface LeasedServiceProps extends NamedServiceProps {
  /** The labels of its pods. */
  readonly selector: Readonly<Record<string, string>>;
  /** Default: all ports of the Reservation. */
  readonly ports?: readonly LeasedServicePort[];
  /** Default: Cluster. Local is only possible for an address with a single Service. */
  readonly externalTrafficPolicy?: 'Cluster' | 'Local';
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  /** Other fields of its spec, such as `sessionAffinity`. */
  readonly spec?: Readonly<Record<string, unknown>>;
}

/** The addresses of a declaration in `leases/allocations/`, read when the construct is made. */
export class LeasedAddress extends Construct {
  /** In text form, IPv4 first. */
  readonly addresses: readonly string[];
  /**
   * The addresses by which clients beyond the NAT of the pool reach them, in the same order; without
   * a NAT the same addresses.
   */
  readonly publicAddresses: readonly string[];
  /** The id of the holder. */
  readonly holder: string;
  readonly cluster: string;
  readonly #committed: CommittedAddress;

  /** Throws a {@link LeaseholdError} when the declaration or its address is missing. */
  constructor(scope: Construct, id: string, props: LeasedAddressProps) {
    super(scope, id);
    const committed = committedAddress(scope, props);
    this.addresses = committed.addresses.map(formatAddress);
    this.publicAddresses = committed.publicAddresses.map(formatAddress);
    this.holder = committed.holder.id;
    this.cluster = committed.cluster.name;
    this.#committed = committed;
  }

  /** The IPv4 address. Throws FAMILY_MISSING when there is none. */
  get ipv4(): string {
    return this.#addressOf(this.#committed.addresses, 'ipv4');
  }

  /** The IPv6 address. Throws FAMILY_MISSING when there is none. */
  get ipv6(): string {
    return this.#addressOf(this.#committed.addresses, 'ipv6');
  }

  /** The public address of {@link ipv4}. Throws FAMILY_MISSING when there is none. */
  get publicIpv4(): string {
    return this.#addressOf(this.#committed.publicAddresses, 'ipv4');
  }

  /** The public address of {@link ipv6}. Throws FAMILY_MISSING when there is none. */
  get publicIpv6(): string {
    return this.#addressOf(this.#committed.publicAddresses, 'ipv6');
  }

  #addressOf(addresses: readonly Address[], family: Family): string {
    const address = addresses.find((one) => one.family === family);
    if (address) return formatAddress(address);
    throw new LeaseholdError(
      'FAMILY_MISSING',
      `${this.holder} has no ${familyName(family)} address, only ${this.addresses.join(', ')}`,
      'set ipFamily in its declaration, run `leasehold synth` and commit, or use addresses',
    );
  }

  /**
   * Pins a Service that is defined elsewhere, such as one of cdk8s-plus or of a Helm chart, to the
   * addresses of its Reservation. It must have the name of the Reservation, and its namespace or
   * none: then it gets that namespace. It is pinned by MetalLB's annotation, so it must not have
   * `loadBalancerIP`. `App.synth()` fails when it does not fit its Reservation, or has what a
   * declared Service may not have.
   */
  pin(service: IConstruct): void {
    const object = ApiObject.of(service);
    const { name, namespace } = reservationOf(this.#committed);
    const actual = object.metadata.namespace ?? namespace;
    const isService = object.apiVersion === 'v1' && object.kind === 'Service';
    if (!isService || object.name !== name || actual !== namespace) {
      throw new LeaseholdError(
        'SERVICE_MISMATCH',
        `${object.kind} (${object.apiVersion}) ${actual}/${object.name} is not the Service ${namespace}/${name} of the Reservation`,
        'give it the name and namespace of its Reservation',
      );
    }
    const { labels, annotations, spec } = pinningOf(this.#committed, 'annotation');
    const own = writtenPart(object);
    for (const [key, value] of Object.entries(annotations)) {
      if (!(key in own.annotations)) object.metadata.addAnnotation(key, value);
    }
    for (const [key, value] of Object.entries({ ...reservedLabel, ...labels })) {
      object.metadata.addLabel(key, value);
    }
    object.addJsonPatch(JsonPatch.add('/metadata/namespace', namespace));
    // ClusterIP is the default of cdk8s-plus.
    const { type } = own.spec;
    const kind = type === 'ClusterIP' || type === undefined ? { type: 'LoadBalancer' } : {};
    for (const [key, value] of Object.entries({ ...spec, ...kind })) {
      if (key === 'type' || !(key in own.spec))
        object.addJsonPatch(JsonPatch.add(`/spec/${key}`, value));
    }
    validated(object, this.#committed, annotations);
  }
}

/** The Service of a Reservation, pinned like the Services that leasehold writes. */
export class LeasedService extends ApiObject {
  readonly address: LeasedAddress;

  /**
   * Throws a {@link LeaseholdError} when the Reservation or its address is missing, or when the
   * Service does not fit the Reservation.
   */
  constructor(scope: Construct, id: string, props: LeasedServiceProps) {
    const committed = committedAddress(scope, props);
    const { name, namespace } = reservationOf(committed);
    const pins = pinningOf(committed, 'field');
    for (const field of ['selector', 'ports']) {
      if (field in (props.spec ?? {})) {
        const message = `spec has ${field}, and LeasedService has a property of that name`;
        throw new LeaseholdError('SERVICE_MISMATCH', message, `set it in ${field}`);
      }
    }
    // Fields and annotations of the caller stay, so that one which contradicts a pin is refused.
    super(scope, id, {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: {
        name,
        namespace,
        labels: { ...props.labels, ...reservedLabel, ...pins.labels },
        annotations: { ...pins.annotations, ...props.annotations },
      },
      spec: {
        type: 'LoadBalancer',
        externalTrafficPolicy: props.externalTrafficPolicy ?? 'Cluster',
        selector: props.selector,
        ports: portsOf(committed, props.ports),
        ...pins.spec,
        ...props.spec,
      },
    });
    const [error] = serviceErrors(committed, this.toJson(), pins.annotations);
    if (error) {
      scope.node.tryRemoveChild(id);
      throw error;
    }
    validated(this, committed, pins.annotations);
    this.address = new LeasedAddress(this, 'address', props);
  }
}

/** The tables that the constructs of one app have read, by folder. */
const tables = new WeakMap<IConstruct, Map<string, CommittedTable>>();

function committedAddress(scope: Construct, props: LeasedAddressProps): CommittedAddress {
  const folder = props.repository ?? '.';
  assertOtherOutput(scope, folder);
  const ofApp = tables.get(scope.node.root) ?? new Map<string, CommittedTable>();
  tables.set(scope.node.root, ofApp);
  const table = ofApp.get(folder) ?? new CommittedTable(folder);
  ofApp.set(folder, table);
  return table.find(props);
}

/** cdk8s empties its output folder: it must not be the one in which leasehold keeps its manifests. */
function assertOtherOutput(scope: Construct, folder: string): void {
  const { outdir } = scope.node.root as Partial<App>;
  if (outdir === undefined || !isSamePath(outdir, `${folder}/${distFolder}`)) return;
  throw new LeaseholdError(
    'FILE_UNEXPECTED',
    `${outdir}/ has what \`leasehold synth\` writes, and cdk8s would replace it`,
    'set another output in cdk8s.yaml, or another outdir of the App',
  );
}

function pinningOf(
  { cluster, claim: { sharingKey }, addresses, pool }: CommittedAddress,
  way: 'field' | 'annotation',
): Pinning {
  return planeOf(cluster).pinning(cluster.plane, { addresses, sharingKey, pool, way });
}

function portsOf(
  committed: CommittedAddress,
  ports: readonly LeasedServicePort[] = reservationOf(committed).ports.map(
    ({ port, protocol }) => ({ port, protocol }),
  ),
): readonly LeasedServicePort[] {
  return ports.map((port) => ({
    ...(ports.length > 1 ? { name: `${port.port}-${(port.protocol ?? 'TCP').toLowerCase()}` } : {}),
    ...port,
    protocol: port.protocol ?? 'TCP',
    targetPort: port.targetPort ?? port.port,
  }));
}

/** The annotations and the spec that a Service has so far; none of one that is not complete. */
function writtenPart(object: ApiObject): Record<'annotations' | 'spec', Record<string, unknown>> {
  try {
    const { metadata, spec = {} } = object.toJson();
    return { annotations: metadata.annotations ?? {}, spec };
  } catch {
    // Such as one of cdk8s-plus without ports.
    return { annotations: {}, spec: {} };
  }
}

/** Makes `App.synth()` fail when the Service, as it is then, does not fit its Reservation. */
function validated(
  object: ApiObject,
  committed: CommittedAddress,
  pins: Pinning['annotations'],
): void {
  const validate = () =>
    serviceErrors(committed, object.toJson(), pins).map(({ message }) => message);
  object.node.addValidation({ validate });
}
