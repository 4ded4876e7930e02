import { InvalidArgumentError } from '@commander-js/extra-typings';
import { dayValue } from '../../../core/cli/option-values.ts';
import type { Choice, Prompts } from '../../../core/cli/prompts.ts';
import { hostnameSchema } from '../../../core/declarations/hostname-file.ts';
import {
  endpointNameField,
  leaseServiceField,
} from '../../../core/declarations/lease/lease-schema.ts';
import { promiseSchema } from '../../../core/declarations/promise/promise-schema.ts';
import { addressesHeldBy } from '../../../core/model/allocation.ts';
import { isLeaseClaim, type LeaseClaim } from '../../../core/model/claim.ts';
import { isLeaseHostname } from '../../../core/model/hostname.ts';
import type { Pools } from '../../../core/model/pools.ts';
import { formatAddress } from '../../../core/net/address.ts';
import { formatRange } from '../../../core/net/range.ts';
import type { Declared } from '../../../core/tree/declared.ts';
import {
  leaseForm,
  leaseValue,
  portNumberValue,
  portValue,
  selectorValue,
} from '../../../lib/edit/cli/claim-options.ts';
import {
  type Draft,
  type HostnameDraft,
  isNamespace,
  isServiceName,
  type LeaseDraft,
  type PromiseDraft,
  reservedPortValue,
  type ServiceDraft,
  servicePortValue,
  type Terms,
} from './additions.ts';

/** Prompts for everything that a draft lacks, and for the place of its address. */
export async function askDraft(prompts: Prompts, draft: Draft, declared: Declared): Promise<Draft> {
  if (draft.kind === 'Lease') return askLease(prompts, draft, declared);
  if (draft.kind === 'Promise') return askPromise(prompts, draft, declared);
  if (draft.kind === 'Hostname') return askHostname(prompts, draft, declared);
  const asked = await askService(prompts, draft, declared);
  return { ...asked, terms: await askTerms(prompts, asked.terms, declared) };
}

async function askLease(
  prompts: Prompts,
  draft: LeaseDraft,
  declared: Declared,
): Promise<LeaseDraft> {
  const lease =
    draft.lease ??
    leaseValue(
      await prompts.text({
        message: `The lease, as ${leaseForm}`,
        example: 'akash1…/18500001/1/1',
        fault: faultOf(leaseValue),
      }),
    );
  const service =
    draft.service ??
    (await prompts.text({
      message: 'The service of the lease that gets the port',
      example: 'web',
      fault: fieldFaultOf(leaseServiceField),
    }));
  const port =
    draft.port ??
    portValue(
      await prompts.text({
        message: "The container's port",
        example: '80, 80/tcp or 53/udp',
        fault: faultOf(portValue),
      }),
    );
  const externalPort =
    draft.externalPort ??
    (draft.port === undefined
      ? portNumberValue(
          await prompts.text({
            message: 'The port on the leased address',
            standard: String(port.port),
            fault: faultOf(portNumberValue),
          }),
        )
      : undefined);
  const holder = await askHolder(prompts, lease.owner, draft, declared);
  return { ...draft, lease, service, port, externalPort, ...holder };
}

/** Prompts for the endpoint, which decides the holder, and for the place of its address. */
async function askHolder(
  prompts: Prompts,
  owner: string,
  { endpoint: named, terms }: LeaseDraft,
  declared: Declared,
): Promise<Pick<LeaseDraft, 'endpoint' | 'terms'>> {
  const endpoint = named ?? (await askEndpoint(prompts, owner, declared));
  if (typeof endpoint === 'string') {
    return { endpoint, terms: await askTerms(prompts, terms, declared) };
  }
  // An endpoint that has an address gets no other one.
  const { zone, pool, ipFamily } = endpoint;
  const own = { ...(zone && { zone }), ...(pool && { pool }), ipFamily };
  return { endpoint: endpoint.endpoint, terms: { ...own, ...terms } };
}

const other = 'other';

/**
 * A new name, or a claim of the endpoint that shares its address. Endpoints of one owner and name
 * share one.
 */
async function askEndpoint(
  prompts: Prompts,
  owner: string,
  declared: Declared,
): Promise<string | LeaseClaim> {
  const claims = declared.claims.filter(isLeaseClaim).filter(({ lease }) => lease.owner === owner);
  const known = new Map(claims.map((claim) => [claim.endpoint, claim]));
  if (known.size > 0) {
    const answer = await prompts.choice({
      message: 'The IP endpoint: endpoints of one owner and name share an address',
      options: [
        ...[...known].map(([name, claim]) => ({
          value: `=${name}`,
          label: name,
          hint: `shares ${heldText(claim, declared)}`,
        })),
        { value: other, label: 'a new one', hint: 'gets its own address' },
      ],
    });
    const claim = known.get(answer.slice(1));
    if (claim) return claim;
  }
  return askEndpointName(prompts);
}

function askEndpointName(prompts: Prompts): Promise<string> {
  return prompts.text({
    message: "The name of the tenant's IP endpoint",
    example: 'site',
    fault: fieldFaultOf(endpointNameField),
  });
}

function heldText({ holder }: LeaseClaim, { table }: Declared): string {
  const held = addressesHeldBy(table, holder).map(formatAddress);
  return held.length > 0 ? held.join(' and ') : 'its address';
}

async function askPromise(
  prompts: Prompts,
  draft: PromiseDraft,
  declared: Declared,
): Promise<PromiseDraft> {
  const owner =
    draft.owner ??
    (await prompts.text({
      message: 'The account of the tenant',
      example: 'akash1…',
      fault: fieldFaultOf(promiseSchema.shape.spec.shape.owner),
    }));
  const endpoint = draft.endpoint ?? (await askEndpointName(prompts));
  const until =
    draft.until ??
    (await prompts.text({
      message: 'The last day of the promise',
      standard: draft.usualUntil,
      fault: faultOf(dayValue),
    }));
  const terms = await askTerms(prompts, draft.terms, declared);
  return { ...draft, owner, endpoint, until, terms };
}

async function askHostname(
  prompts: Prompts,
  draft: HostnameDraft,
  declared: Declared,
): Promise<HostnameDraft> {
  const hostname =
    draft.hostname ??
    (await prompts.text({
      message: 'The hostname',
      example: 'shop.example.com',
      fault: fieldFaultOf(hostnameSchema.shape.spec.shape.hostname),
    }));
  const service = draft.service ?? (await askServiceName(prompts, declared));
  const port =
    draft.port ??
    portNumberValue(
      await prompts.text({
        message: 'The port of the Service',
        example: '80',
        fault: faultOf(portNumberValue),
      }),
    );
  return { ...draft, hostname, service, port };
}

async function askService(
  prompts: Prompts,
  draft: ServiceDraft,
  declared: Declared,
): Promise<ServiceDraft> {
  const isReservation = draft.kind === 'Reservation';
  const service = draft.service ?? (await askServiceName(prompts, declared));
  const portsOf = isReservation ? reservedPortValue : servicePortValue;
  const ports =
    draft.ports.length > 0
      ? draft.ports
      : listOf(
          await prompts.text({
            message: isReservation
              ? 'The ports of the Service, with a comma between two'
              : 'The ports, with a comma between two; after a colon that of the pods',
            example: isReservation ? '80, 443, 53/udp' : '80:8080, 443:8443, 53/udp',
            fault: faultOf((text) => listOf(text, portsOf)),
          }),
          portsOf,
        );
  const selector =
    draft.selector ??
    (isReservation
      ? undefined
      : listOf(
          await prompts.text({
            message: 'The labels of the pods, with a comma between two',
            example: 'app=web',
            fault: faultOf((text) => listOf(text, selectorValue)),
          }),
          selectorValue,
        ));
  return { ...draft, service, ports, selector };
}

async function askServiceName(prompts: Prompts, { services, hostnames }: Declared) {
  const named = [...services, ...hostnames.filter((hostname) => !isLeaseHostname(hostname))];
  const known = [...new Set(named.map(({ namespace }) => namespace))].sort();
  let namespace: string | undefined;
  if (known.length > 0) {
    const answer = await prompts.choice({
      message: 'The namespace of the Service',
      options: [
        ...known.map((name) => ({ value: `=${name}`, label: name })),
        { value: other, label: 'another one' },
      ],
    });
    if (answer !== other) namespace = answer.slice(1);
  }
  namespace ??= await prompts.text({
    message: 'The namespace of the Service',
    example: 'shop',
    fault: (text) =>
      isNamespace(text) ? undefined : 'expected lower-case letters, digits and -, such as shop',
  });
  const name = await prompts.text({
    message: 'The name of the Service',
    example: 'web',
    fault: (text) =>
      isServiceName(text) ? undefined : 'expected lower-case letters, digits and -, such as web',
  });
  return { namespace, name };
}

/** Asks for pool and family where the pool file leaves a choice. */
async function askTerms(prompts: Prompts, given: Terms, { pools }: Declared): Promise<Terms> {
  if (pools === undefined || given.address.length > 0) return given;
  let terms = given;
  const active = pools.pools.filter(({ state }) => state === 'active');
  if (terms.zone === undefined && terms.pool === undefined && active.length > 1) {
    const answer = await prompts.choice({
      message: 'Where does the address come from?',
      options: placesIn(pools),
    });
    const [kind, name] = [answer.slice(0, 5), answer.slice(5)];
    if (kind === 'zone:') terms = { ...terms, zone: name };
    if (kind === 'pool:') terms = { ...terms, pool: name };
  }
  if (terms.ipFamily !== undefined) return terms;
  const zone = terms.zone ?? defaultZone(terms, pools);
  const reachable = active.filter((pool) =>
    terms.pool === undefined ? pool.zone === zone : pool.name === terms.pool,
  );
  const families = new Set(
    reachable.flatMap(({ ranges }) => ranges.map(({ from }) => from.family)),
  );
  if (families.size === 1 && families.has('ipv6')) return { ...terms, ipFamily: 'ipv6' };
  if (families.size < 2) return terms;
  const ipFamily = await prompts.choice({
    message: 'Which addresses?',
    options: [
      { value: 'ipv4', label: 'IPv4' },
      { value: 'ipv6', label: 'IPv6' },
      { value: 'dual', label: 'one of each' },
    ],
  });
  return { ...terms, ipFamily };
}

function defaultZone({ cluster }: Terms, { clusters, ...pools }: Pools): string {
  const own = clusters.find(({ name }) => name === (cluster ?? pools.defaultCluster));
  return own?.defaultZone ?? pools.defaultZone;
}

/** The default zone first, then the other zones and the pools of zones with several. */
function placesIn(pools: Pools): readonly Choice<string>[] {
  const active = pools.pools.filter(({ state }) => state === 'active');
  const first = defaultZone({ address: [] }, pools);
  const zones = [...new Set([first, ...active.map(({ zone }) => zone)])];
  return zones.flatMap((zone) => {
    const own = active.filter((pool) => pool.zone === zone);
    const hint = own.map(({ ranges }) => ranges.map(formatRange).join(', ')).join(', ');
    const isDefault = zone === first;
    return [
      {
        value: isDefault ? 'default' : `zone:${zone}`,
        label: `zone ${zone}${isDefault ? ', the default' : ''}`,
        ...(hint === '' ? {} : { hint }),
      },
      ...(own.length < 2
        ? []
        : own.map(({ name, ranges }) => ({
            value: `pool:${name}`,
            label: `only pool ${name} of zone ${zone}`,
            hint: ranges.map(formatRange).join(', '),
          }))),
    ];
  });
}

/** Parses each part of a text with commas, as a repeated option is parsed. */
function listOf<Value>(
  text: string,
  add: (part: string, before: Value | undefined) => Value,
): Value {
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const [first, ...others] = parts;
  return others.reduce<Value>((before, part) => add(part, before), add(first ?? '', undefined));
}

/** The error of a parser of options, as the fault of an answer. */
function faultOf(parse: (text: string) => unknown): (text: string) => string | undefined {
  return (text) => {
    try {
      parse(text);
      return undefined;
    } catch (error) {
      if (error instanceof InvalidArgumentError) return error.message;
      throw error;
    }
  };
}

interface Field {
  safeParse(text: string): {
    readonly error?: { readonly issues: readonly { readonly message: string }[] };
  };
}

function fieldFaultOf(field: Field): (text: string) => string | undefined {
  return (text) => field.safeParse(text).error?.issues[0]?.message;
}
