import { mapAtOnce } from '../../../core/model/calls.ts';
import { counted } from '../../../core/model/problem.ts';
import type { Dialer, DialResult } from '../dialer.ts';
import type { Detail, VerifiedClaim } from '../verification-answer.ts';

/** Claims after the attempt to reach them, and notes on what could not be tried. */
export interface Reached {
  readonly claims: readonly VerifiedClaim[];
  readonly notes: readonly string[];
}

/** A TCP port of an address. */
interface End {
  readonly address: string;
  readonly port: number;
}

/** Connections that are open at once. */
const atOnce = 32;

/**
 * Connects from this machine to every TCP port of the claims that are `ok` or `unknown`, on each
 * address. A claim becomes `not reachable` when a connection is refused or gets no answer. One that
 * is `unknown` becomes `ok` when each of its addresses answers on some port. An address without a
 * route from this machine says nothing about the cluster, and an open UDP port need not answer: both
 * are only counted.
 */
export async function reached(claims: readonly VerifiedClaim[], dialer: Dialer): Promise<Reached> {
  const well = claims.filter(isTried);
  const results = await dialAll(well.flatMap(endsOf), dialer);
  const untried = well.filter(({ protocol }) => protocol === 'UDP').length;
  const routeless = [...results.values()].filter((result) => result === 'no route').length;
  const answered = new Set(
    well
      .flatMap(endsOf)
      .flatMap((end) => (results.get(endKey(end)) === 'answers' ? end.address : [])),
  );
  return {
    claims: claims.map((claim) => (isTried(claim) ? judged(claim, results, answered) : claim)),
    notes: [
      ...(untried === 0
        ? []
        : [`${counted(untried, 'UDP port')} not tried: an open UDP port need not answer`]),
      ...(routeless === 0
        ? []
        : [
            `${counted(routeless, 'TCP port')} not tried: this machine has no route to the address`,
          ]),
    ],
  };
}

function isTried({ state }: VerifiedClaim): boolean {
  return state === 'ok' || state === 'unknown';
}

function endsOf({ addresses, externalPort, protocol }: VerifiedClaim): readonly End[] {
  return protocol === 'TCP' ? addresses.map((address) => ({ address, port: externalPort })) : [];
}

/** The result of each end, by its {@link endKey key}. An end that two claims have is tried once. */
async function dialAll(
  ends: readonly End[],
  dialer: Dialer,
): Promise<ReadonlyMap<string, DialResult>> {
  const waiting = [...new Map(ends.map((end) => [endKey(end), end]))];
  const results = await mapAtOnce(
    waiting,
    atOnce,
    async ([key, { address, port }]) => [key, await dialer.dial(address, port)] as const,
  );
  return new Map(results);
}

function endKey({ address, port }: End): string {
  return `${address} ${port}`;
}

/** `answered` are the addresses that answer on some port. */
function judged(
  claim: VerifiedClaim,
  results: ReadonlyMap<string, DialResult>,
  answered: ReadonlySet<string>,
): VerifiedClaim {
  const faults = endsOf(claim).flatMap((end) => detailsOf(claim.object, end, results));
  const isAnswered = claim.addresses.every((address) => answered.has(address));
  const details = faults.length > 0 || isAnswered ? faults : claim.details;
  return { ...claim, state: details[0]?.state ?? 'ok', details };
}

function detailsOf(
  object: string,
  end: End,
  results: ReadonlyMap<string, DialResult>,
): readonly Detail[] {
  const result = results.get(endKey(end));
  if (result !== 'refuses' && result !== 'silent') return [];
  const { message, hint } = faults[result];
  return [
    {
      state: 'not reachable',
      object,
      message: `${message} ${end.address} port ${end.port}`,
      hint,
    },
  ];
}

const faults = {
  refuses: {
    message: 'refuses a TCP connection to',
    hint: 'check that its pods listen on the target port, and that no NetworkPolicy rejects this machine',
  },
  silent: {
    message: 'does not answer a TCP connection to',
    hint: 'try from a machine in the network of the nodes: if that is answered, look for a route or firewall between; if not, read the logs of the speakers and of kube-proxy',
  },
} as const;
