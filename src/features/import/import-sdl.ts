import { requestsIn, type Sdl, type SdlEndpoint } from '../../core/declarations/lease/sdl.ts';
import type { SourceTree, TargetTree, TreeChanges } from '../../core/interfaces/tree.ts';
import type { History } from '../../core/interfaces/work-tree.ts';
import { type AllocationTable, addressesHeldBy } from '../../core/model/allocation.ts';
import { endpointHolder, sharingKey } from '../../core/model/claim.ts';
import { type Endpoint, httpFields, type Lease, type LeaseHost } from '../../core/model/lease.ts';
import { compareText, sortedKeys } from '../../core/model/order.ts';
import type { Pools } from '../../core/model/pools.ts';
import {
  fail,
  InternalError,
  type Outcome,
  ok,
  type Position,
  type Problem,
  startOf,
} from '../../core/model/problem.ts';
import { type Address, compareAddresses, formatAddress } from '../../core/net/address.ts';
import { runEdited } from '../../core/run/synth/edited-run.ts';
import type { SynthOptions } from '../../core/run/synth/synth.ts';
import { type Declared, readDeclared, readPoolFile } from '../../core/tree/declared.ts';
import { writtenHosts } from '../../lib/edit/declaration-edits.ts';
import { addParts, type LeaseName, leaseNamed, leaseNameText } from '../../lib/edit/lease-edits.ts';
import { leaseFolder } from '../../lib/edit/new-file-folder.ts';
import type { ImportNote } from '../../lib/foreign/source-reader.ts';
import { writtenClaim } from './adopt/declaration-text.ts';
import { type ImportAnswer, type ImportAnswerDeclaration, sortedNotes } from './import-answer.ts';
import { type ImportedRun, unwritten } from './import-pools.ts';

/** A tenant's SDL, and the lease that it belongs to. */
export interface ImportedSdl {
  /** The name of its file. */
  readonly name: string;
  readonly sdl: Sdl;
  readonly lease: LeaseName & { readonly provider?: string };
  /** The zone of new endpoints; undefined for the default zone. */
  readonly zone: string | undefined;
  /** The current addresses, by endpoint name. */
  readonly addresses: ReadonlyMap<string, Address>;
}

/**
 * Declares a lease with the endpoints of its SDL, and with its hostnames when the cluster has
 * routes, and runs a synth: all of it, or nothing. If the lease is already declared, missing ones
 * are added and everything else stays unchanged. Nothing else of the SDL is written, since its
 * environment may contain passwords. Problems: those of the pool file, of {@link requestsIn},
 * SDL_NOT_EDITED, and of a synth.
 */
export async function importSdl(
  tree: SourceTree & TargetTree,
  history: History,
  imported: ImportedSdl,
  options: SynthOptions,
): Promise<Outcome<ImportedRun>> {
  const pools = readPoolFile(tree);
  if (!pools.ok) return pools;
  const requests = requestsOf(imported, pools.value);
  if (!requests.ok) return fail(requests.problems.map(withoutDeclaration));
  const sdl: PlacedSdl = { ...imported, ...requests.value };
  const declared = readDeclared(tree);
  const known = leaseNamed(declared, sdl.lease);
  const missing: Requests = {
    endpoints: sdl.endpoints.filter((endpoint) => !known || !declaredAs(endpoint, known)),
    hosts: sdl.hosts.filter((host) => !known || !hostOf(known, host)),
  };
  const edit = editOf(tree, declared, sdl, missing);
  if (!edit.ok) return edit;
  const outcome = await runEdited(tree, history, edit.value, options);
  if (!outcome.ok) {
    return fail(outcome.problems.map(unwritten(edit.value.writes)));
  }
  const { run } = outcome.value;
  const lease = leaseNamed({ ...declared, leases: run.workspace.leases }, sdl.lease);
  if (!lease) throw new InternalError(`${leaseNameText(sdl.lease)} is not in the workspace`);
  const notes = [
    ...otherPlacements(sdl),
    ...unroutedHosts(sdl, lease.cluster),
    ...(known ? differences(sdl, known, run.table) : []),
  ];
  const isMissing = missing.endpoints.length + missing.hosts.length > 0;
  const state = isMissing ? (known ? 'extended' : 'added') : 'present';
  const answer: ImportAnswer = {
    apiVersion: 'leasehold.dev/v1',
    kind: 'Import',
    day: options.today,
    source: 'sdl',
    pools: [],
    declarations: [sdlAnswer(sdl, lease, state, run.table)],
    notes: sortedNotes(notes),
    edited: sortedKeys(edit.value.writes),
  };
  return ok({ ...outcome.value, answer });
}

/** The requests of the lease's placement. */
interface Requests {
  readonly endpoints: readonly SdlEndpoint[];
  /** Empty when the cluster has no routes. */
  readonly hosts: readonly LeaseHost[];
}

type PlacedSdl = ImportedSdl & Requests;

function requestsOf({ sdl, lease }: ImportedSdl, pools: Pools): Outcome<Requests> {
  const asked = lease.cluster ?? pools.defaultCluster;
  const cluster = pools.clusters.find(({ name }) => name === asked);
  return requestsIn(sdl, { gseq: lease.gseq, isRouted: cluster?.routes !== undefined });
}

/** Replaces a hint to remove the declaration: an import has none yet. */
function withoutDeclaration(problem: Problem): Problem {
  if (problem.code !== 'SDL_NO_ENDPOINT') return problem;
  return { ...problem, hint: 'declare nothing: such a lease needs no address' };
}

/** The declared hostname of the same name. */
function hostOf({ hosts }: Lease, { hostname }: LeaseHost): LeaseHost | undefined {
  return hosts.find((other) => other.hostname === hostname);
}

/** The declared endpoint with the same sharing key, service and external port. */
function declaredAs(
  { name, service, externalPort, protocol }: SdlEndpoint,
  { id, endpoints }: Lease,
): Endpoint | undefined {
  return endpoints.find(
    (other) =>
      sharingKey(id.owner, other.name) === sharingKey(id.owner, name) &&
      other.service === service &&
      other.externalPort === externalPort &&
      other.protocol === protocol,
  );
}

function editOf(
  tree: SourceTree,
  declared: Declared,
  { lease, zone, addresses }: PlacedSdl,
  { endpoints, hosts }: Requests,
): Outcome<TreeChanges> {
  if (endpoints.length + hosts.length === 0) return ok({ writes: new Map(), removes: [] });
  const claims = endpoints.map((endpoint) =>
    writtenClaim(endpoint, zone, addresses.get(endpoint.name)),
  );
  const folder = leaseFolder(declared, lease.owner);
  const name = { ...lease, ...(folder === undefined ? {} : { folder }) };
  return addParts(tree, declared, name, { claims, hosts: writtenHosts(hosts) });
}

/** Notes how an existing declaration differs from the SDL. The declaration stays unchanged. */
function differences(sdl: PlacedSdl, known: Lease, table: AllocationTable): readonly ImportNote[] {
  const pairs = sdl.endpoints.flatMap((wanted) => {
    const own = declaredAs(wanted, known);
    return own ? [{ wanted, own }] : [];
  });
  const found = new Set(pairs.map(({ own }) => own));
  return [
    ...pairs.flatMap(({ wanted, own }) => [
      ...fieldDifferences(wanted, own, sdl.zone),
      ...addressDifferences(wanted, sdl, known, table),
    ]),
    ...known.endpoints
      .filter((own) => !found.has(own))
      .map((own) => leftNote(own, notInSdl, own.at)),
    ...hostDifferences(sdl, known),
  ];
}

const notInSdl = 'it is declared, and not in the SDL: it stays until you remove it';

function hostDifferences({ hosts }: Requests, known: Lease): readonly ImportNote[] {
  const named = new Set(hosts.map(({ hostname }) => hostname));
  const note = ({ hostname, at }: LeaseHost, message: string): ImportNote => {
    return { effect: 'left', subject: `hostname ${hostname}`, message, at };
  };
  return [
    ...hosts.flatMap((wanted) => {
      const own = hostOf(known, wanted);
      if (!own) return [];
      const isElsewhere = own.service !== wanted.service;
      const hasOthers = httpFields(own.http).join() !== httpFields(wanted.http).join();
      return [
        ...(isElsewhere
          ? [note(wanted, `it is declared for the service ${own.service}, which stays as it is`)]
          : []),
        ...(hasOthers
          ? [note(wanted, 'it is declared with other HTTP options, which stay as they are')]
          : []),
      ];
    }),
    ...known.hosts.filter(({ hostname }) => !named.has(hostname)).map((own) => note(own, notInSdl)),
  ];
}

function fieldDifferences(
  wanted: SdlEndpoint,
  own: Endpoint,
  zone: string | undefined,
): readonly ImportNote[] {
  const notes: ImportNote[] = [];
  if (wanted.port !== own.port) {
    const message = `it is declared with the port ${own.port} of the container, and has ${wanted.port} here`;
    notes.push(leftNote(wanted, message, wanted.at));
  }
  if (zone !== undefined && zone !== own.zone) {
    const message = 'it is declared in another zone, which stays as it is';
    notes.push(leftNote(wanted, message, wanted.at));
  }
  return notes;
}

function addressDifferences(
  wanted: SdlEndpoint,
  { lease, addresses }: ImportedSdl,
  known: Lease,
  table: AllocationTable,
): readonly ImportNote[] {
  const address = addresses.get(wanted.name);
  const has = addressesHeldBy(table, endpointHolder(known.cluster, lease.owner, wanted.name));
  if (!address || has.some((one) => compareAddresses(one, address) === 0)) return [];
  const message = `it has ${has.map(formatAddress).join(' and ')} here, and keeps it: \`leasehold move\` changes it`;
  return [leftNote(wanted, message, wanted.at)];
}

function leftNote(
  { name, service, externalPort, protocol }: Endpoint | SdlEndpoint,
  message: string,
  at: Position,
): ImportNote {
  const subject = `endpoint ${name} ${service} ${externalPort}/${protocol}`;
  return { effect: 'left', subject, message, at };
}

/** Notes other placements of the SDL that request addresses: they belong to other leases. */
function otherPlacements({ name: file, sdl, lease }: ImportedSdl): readonly ImportNote[] {
  return sdl.placements
    .filter(({ gseq, endpoints }) => gseq !== lease.gseq && endpoints.length > 0)
    .map(({ gseq, name, endpoints }) => ({
      effect: 'left',
      subject: `placement ${name}`,
      message: `it asks for addresses too: import it with the lease ${lease.owner}/DSEQ/${gseq}/OSEQ when it has one`,
      at: endpoints[0]?.at ?? startOf(file),
    }));
}

/** A note on the hostnames of an SDL that a cluster without routes does not declare. */
function unroutedHosts(
  { name: file, sdl, lease, hosts }: PlacedSdl,
  cluster: string,
): readonly ImportNote[] {
  const asked = sdl.placements[lease.gseq - 1]?.hosts ?? [];
  const [first] = asked;
  if (!first || hosts.length > 0) return [];
  const names = asked.map(({ hostname }) => hostname).join(', ');
  const message = `cluster ${cluster} has no routes, so no hostname is declared: ${names}`;
  return [{ effect: 'left', subject: 'accept', message, at: first.at ?? startOf(file) }];
}

function sdlAnswer(
  { name: file, lease: name, endpoints, hosts }: PlacedSdl,
  lease: Lease,
  state: ImportAnswerDeclaration['state'],
  table: AllocationTable,
): ImportAnswerDeclaration {
  const holders = new Set(
    lease.endpoints.map((one) => endpointHolder(lease.cluster, lease.id.owner, one.name)),
  );
  return {
    kind: 'Lease',
    name: leaseNameText(name),
    state,
    addresses: [...holders]
      .flatMap((holder) => addressesHeldBy(table, holder))
      .sort(compareAddresses)
      .map(formatAddress),
    hostnames: lease.hosts.map(({ hostname }) => hostname).sort(compareText),
    path: lease.at.file,
    file,
    line: [...endpoints, ...hosts][0]?.at.line ?? 1,
  };
}
