import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { UsageError } from '../../../core/cli/failure.ts';
import { countValue } from '../../../core/cli/option-values.ts';
import { readDeclaration } from '../../../core/declarations/declaration-file.ts';
import { readLeaseFile } from '../../../core/declarations/lease/lease-file.ts';
import { ipFamilies } from '../../../core/model/lease.ts';
import { newLeaseText, type WrittenClaim } from '../declaration-edits.ts';
import type { LeaseName } from '../lease-edits.ts';

/** A lease id, as every command takes it. */
export const leaseForm = 'OWNER/DSEQ/GSEQ/OSEQ';

/** `OWNER/DSEQ/GSEQ/OSEQ`. The schema of the declaration checks owner and dseq. */
export function leaseValue(text: string): Omit<LeaseName, 'cluster'> {
  const [, owner, dseq, gseq, oseq] =
    /^(akash1[0-9a-z]{1,90})\/(\d{1,20})\/(\d{1,10})\/(\d{1,10})$/.exec(text) ?? [];
  if (owner === undefined || dseq === undefined) {
    throw new InvalidArgumentError(`Expected a lease as ${leaseForm}.`);
  }
  return { owner, dseq, gseq: Number(gseq), oseq: Number(oseq) };
}

/** A port with its protocol. */
export interface PortValue {
  readonly port: number;
  readonly protocol: 'TCP' | 'UDP';
}

/** `80`, `80/tcp`, `53/udp`. */
export function portValue(text: string): PortValue {
  const [, digits, protocol = 'tcp'] = /^([1-9]\d{0,4})(?:\/(tcp|udp))?$/i.exec(text) ?? [];
  const port = Number(digits);
  if (!(port <= 65_535))
    throw new InvalidArgumentError('Expected a port such as 80, 80/tcp or 53/udp.');
  return { port, protocol: /^udp$/i.test(protocol) ? 'UDP' : 'TCP' };
}

/** `80`. */
export function portNumberValue(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('Expected a port such as 80.');
  return portValue(text).port;
}

/** `--external-port` of a claim. */
export function externalPortOption() {
  return new Option(
    '--external-port <port>',
    'the port on the leased address; default: port',
  ).argParser(portNumberValue);
}

/** `--zone` of a declaration. */
export function zoneOption() {
  return new Option('--zone <name>', 'the zone of the address; the default one when left out');
}

/** `--pool` of a declaration. */
export function poolOption() {
  return new Option('--pool <name>', 'the pool of the address; any of the zone when left out');
}

/** `--ip-family` of a declaration. */
export function familyOption() {
  return new Option('--ip-family <family>').choices(ipFamilies);
}

/** `--retention-days` of a declaration. */
export function retentionOption() {
  return new Option(
    '--retention-days <days>',
    'days that the address is kept after its release, 0 to 30',
  ).argParser(countValue);
}

/** `--selector` of a declaration. */
export function selectorOption() {
  return new Option('--selector <key=value>', 'a label of the pods; may be repeated').argParser<
    Readonly<Record<string, string>>
  >(selectorValue);
}

/** `key=value`, once for each label. */
export function selectorValue(
  text: string,
  before: Readonly<Record<string, string>> | undefined,
): Readonly<Record<string, string>> {
  const cut = text.indexOf('=');
  if (cut < 1) throw new InvalidArgumentError('Expected a label as key=value.');
  return { ...before, [text.slice(0, cut)]: text.slice(cut + 1) };
}

/** The options of a claim. */
interface ClaimFields {
  readonly endpoint: string;
  readonly externalPort?: number | undefined;
  readonly zone?: string | undefined;
  readonly pool?: string | undefined;
  readonly ipFamily?: string | undefined;
  readonly address?: string | undefined;
  readonly retentionDays?: number | undefined;
  readonly selector?: Readonly<Record<string, string>> | undefined;
}

/** The claim of a new declaration, without fields that have their default. */
export function claimOf(
  service: string,
  { port, protocol }: PortValue,
  options: ClaimFields,
): WrittenClaim {
  const { endpoint, externalPort, zone, pool, ipFamily } = options;
  const { address, retentionDays, selector } = options;
  const claim = {
    name: endpoint,
    service,
    port,
    externalPort: externalPort === port ? undefined : externalPort,
    protocol: protocol === 'TCP' ? undefined : protocol,
    zone,
    pool,
    ipFamily: ipFamily === 'ipv4' ? undefined : ipFamily,
    address,
    retentionDays: retentionDays === 0 ? undefined : retentionDays,
    selector,
  };
  const given = Object.entries(claim).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as unknown as WrittenClaim;
}

/** Throws a UsageError with all problems of a claim that do not depend on the repository. */
export function assertClaim(
  lease: Parameters<typeof newLeaseText>[0],
  claim: WrittenClaim = { name: 'endpoint', service: 'service', port: 80 },
): void {
  const text = newLeaseText(lease, { claims: [claim], hosts: [] });
  const read = readLeaseFile('declaration', new TextEncoder().encode(text), undefined);
  if (read.ok) return;
  throw new UsageError(read.problems.map(({ message }) => message).join('; '));
}

/** The same for the text of another declaration. */
export function assertDeclaration(text: string): void {
  const read = readDeclaration('declaration', new TextEncoder().encode(text), undefined);
  if (!read.ok) throw new UsageError(read.problems.map(({ message }) => message).join('; '));
}
