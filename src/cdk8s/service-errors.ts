import { readService } from '../core/declarations/service/service-file.ts';
import {
  annotationKeysRead,
  leaseholdKeys,
} from '../core/declarations/service/service-metadata.ts';
import { reservedLabel } from '../core/manifests/manifest.ts';
import { nodePortProblems, sharingProblems } from '../core/manifests/rules/service-problems.ts';
import type { Problem } from '../core/model/problem.ts';
import type { DeclaredService, Reservation } from '../core/model/service.ts';
import { formatAddress } from '../core/net/address.ts';
import type { CommittedAddress } from './committed-address.ts';
import { LeaseholdError } from './leasehold-error.ts';

/** Throws SERVICE_WRITTEN for other declarations: their Services are in `dist/` already. */
export function reservationOf({ claim, holder }: CommittedAddress): Reservation {
  if (claim.kind === 'Service' && claim.declared.kind === 'Reservation') return claim.declared;
  throw new LeaseholdError(
    'SERVICE_WRITTEN',
    `leasehold writes the Service of ${holder.id} itself, into dist/`,
    'declare a Reservation instead, or use the address only',
  );
}

/** The parts of an object that are checked here; the others are checked as a declaration. */
interface AppService {
  readonly metadata: {
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec: Readonly<Record<string, unknown>>;
}

/**
 * Returns why an app must not emit a Service on the address of a Reservation: what a declaration of
 * the same Service would be refused for, and what differs from the Reservation. `pins` are the
 * annotations that the construct sets.
 */
export function serviceErrors(
  committed: CommittedAddress,
  object: AppService,
  pins: Readonly<Record<string, string>>,
): readonly LeaseholdError[] {
  const { claim, cluster, pools } = committed;
  const { namespace, name } = reservationOf(committed);
  const { annotations = {}, labels = {} } = object.metadata;
  const { type } = object.spec;
  const contradicting = annotationKeysRead.filter(
    (key) => annotations[key] !== undefined && annotations[key] !== pins[key],
  );
  const error = (code: string, message: string, hint: string): LeaseholdError =>
    new LeaseholdError(code, `Service ${namespace}/${name}: ${message}`, hint);
  const mismatch = (message: string, hint: string) => error('SERVICE_MISMATCH', message, hint);
  const refused = ({ code, message, hint = 'change it' }: Problem): LeaseholdError => {
    const own = contradicting.length > 0 ? contradicting.join(', ') : 'spec.loadBalancerIP';
    return error(code, message, code === 'ANNOTATION_CONFLICT' ? `remove ${own}` : hint);
  };
  if (type === 'ClusterIP' || type === 'NodePort') {
    return [mismatch(`spec.type is ${type}`, 'set type to LoadBalancer, or leave it out')];
  }
  const ownLabels = Object.entries(labels).filter(([key]) => !(key in reservedLabel));
  const value = present({
    ...object,
    metadata: {
      ...object.metadata,
      labels: Object.fromEntries(ownLabels),
      annotations: { ...annotations, [leaseholdKeys.cluster]: cluster.name },
    },
    spec: Object.fromEntries(Object.entries(object.spec).filter(([, field]) => !isEmpty(field))),
  });
  const at = () => claim.at;
  const document = { file: claim.at.file, value, nonCanonicalNumbers: [], at, keyAt: at };
  const read = readService(document, pools, { isOfApp: true });
  if (!read.ok) return read.problems.map(refused);
  if (!read.value) return [];
  return [
    ...contradicting.map((key) =>
      mismatch(`${claim.at.file} decides the annotation ${key}`, 'remove it'),
    ),
    ...differences(committed, read.value).map(([message, hint]) => mismatch(message, hint)),
    ...undeclaredPorts(committed, read.value),
    ...clashes(committed, read.value).map(refused),
  ];
}

/** Each with a hint. */
function differences(
  { claim, addresses }: CommittedAddress,
  { pins, ipFamily }: DeclaredService,
): readonly (readonly [message: string, hint: string])[] {
  const held = addresses.map(formatAddress);
  const other = pins
    .map(({ address }) => formatAddress(address))
    .find((pin) => !held.includes(pin));
  const has = `the Reservation in ${claim.at.file} has ${held.join(' and ')}`;
  if (other !== undefined) return [[`it pins ${other}, and ${has}`, 'remove the pin']];
  if (ipFamily === claim.ipFamily) return [];
  return [[`its families are ${ipFamily}, and ${has}`, 'remove ipFamilies and ipFamilyPolicy']];
}

function undeclaredPorts(
  committed: CommittedAddress,
  { ports }: DeclaredService,
): readonly LeaseholdError[] {
  const reserved = reservationOf(committed).ports;
  return ports
    .filter(
      ({ port, protocol }) =>
        !reserved.some((one) => one.port === port && one.protocol === protocol),
    )
    .map(
      ({ port, protocol }) =>
        new LeaseholdError(
          'PORT_UNDECLARED',
          `the Reservation in ${committed.claim.at.file} has no port ${port}/${protocol}`,
          'add it to its ports, run `leasehold synth` and commit',
        ),
    );
}

/** The problems that the Service would have beside the others if it were declared. */
function clashes(
  { claim, holder, services }: CommittedAddress,
  service: DeclaredService,
): readonly Problem[] {
  const claims = holder.claims.map((one) =>
    one.kind === 'Service' && claim.kind === 'Service' && one.declared === claim.declared
      ? { ...one, declared: service }
      : one,
  );
  return [...sharingProblems([{ ...holder, claims }]), ...nodePortProblems([...services, service])];
}

/** Empty for the API server as well. cdk8s-plus writes `externalIPs: []`. */
function isEmpty(field: unknown): boolean {
  return field === '' || (Array.isArray(field) && field.length === 0);
}

/** The data without its null fields. */
function present(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_, field) => field ?? undefined);
}
