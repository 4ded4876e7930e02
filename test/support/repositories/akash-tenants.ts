import { expect } from 'vitest';
import { accountOf, type EndpointText, leaseText } from '../declarations/lease-text.ts';
import { providerPoolsText } from '../declarations/pools-text.ts';
import { edited, simpleSdl } from '../declarations/sdl.ts';
import { serviceText } from '../declarations/service-text.ts';
import { objectsIn } from '../manifests/written-objects.ts';
import { content } from '../trees/temp-tree.ts';
import { type FileTexts, filesBelow, unlike } from '../trees/tree-bytes.ts';
import { remade } from './cached-repository.ts';
import { type LeaseCheckout, leaseCheckout } from './lease-checkout.ts';

/** A repository in which Alice leases beside Ben, Cat, Dan and Eve, who have services and ports like hers. */
export interface Neighbourhood extends LeaseCheckout {
  /** Alice's account. */
  readonly account: string;
  /** Writes Alice's declaration of a dseq; without endpoints removes it. */
  lease(dseq: number, ...endpoints: readonly EndpointText[]): void;
  /**
   * Runs synth on a day, which must go well: every file it touches is Alice's, none of a neighbour's differs by a
   * byte, `check` is green, and synth again changes nothing. Commits, and gives the paths it touched with `+ `,
   * `- ` or `~ ` before them.
   */
  live(day: string): Promise<readonly string[]>;
  /**
   * Runs synth, which must refuse: its problems as `CODE file:line:column`. Nothing in the whole tree differs, and
   * `check` refuses for the same.
   */
  refused(day: string): Promise<readonly string[]>;
  /** Alice's Services as `dseq service:port on address:port/PROTOCOL as endpoint`, in order. */
  services(): readonly string[];
  /** The names of Alice's ProviderLeasedIPs after her account, each with what it points at, in order. */
  leasedIPs(): readonly string[];
  /** What is recorded of Alice's addresses, as `address endpoint held` or `address endpoint free from DAY`; of a Service its name. */
  records(): readonly string[];
}

const neighbours = ['ben', 'cat', 'dan'].map(accountOf);
const alice = accountOf('alice');
const evesKey = { 'allow-local-shared-ip': 'front' };

/** A pool file with these lines for its pools. */
export function poolText(lines: string): string {
  return providerPoolsText(`pools:\n${lines}\n`);
}

/** The path of Alice's declaration of a dseq. */
export function leaseOf(dseq: number): string {
  return `leases/alice/${dseq}.yaml`;
}

/** A declaration whose endpoints stand in an SDL beside it, `<dseq>.sdl.yaml`. */
export function sdlLease(owner: string, dseq: number): string {
  return leaseText(owner, dseq, []).replace(/ {2}endpoints:\n$/, `  sdl: ${dseq}.sdl.yaml\n`);
}

/** An SDL in which the service `web` has these exposes, in flow YAML without their braces. */
export function sdlText(endpoints: readonly string[], ...exposes: readonly string[]): string {
  const from = '      - port: 80\n        to:\n          - global: true\n            ip: myip\n';
  return edited(
    edited(simpleSdl, from, exposes.map((expose) => `      - { ${expose} }\n`).join('')),
    '  myip: { kind: ip }\n',
    endpoints.map((name) => `  ${name}: { kind: ip }\n`).join(''),
  );
}

/**
 * The neighbours and Alice's files, synthesized and committed on 2026-01-02: Ben has one port in TCP and UDP, Cat
 * an SDL, Dan two leases on one address, Eve two Services that share one.
 */
export async function neighbourhood(
  files: Readonly<Record<string, string>> = {},
): Promise<Neighbourhood> {
  const checkout = await remade(`neighbourhood ${JSON.stringify(files)}`, () => settled(files));
  const { root } = checkout;
  const succeed = async (...argv: readonly string[]) => {
    const { status, out, err } = await checkout.run(...argv);
    if (status !== 0) throw new Error(`${out}${err}`);
  };
  return {
    ...checkout,
    account: alice,
    lease: (dseq, ...endpoints) =>
      checkout.put(leaseOf(dseq), endpoints.length > 0 ? leaseText('alice', dseq, endpoints) : ''),
    async live(day) {
      const before = filesBelow(root);
      checkout.repository.git('add', '-A');
      await succeed('synth', '--today', day);
      const after = filesBelow(root);
      const touched = unlike(before, after);
      expect(notAlices(touched, before, after)).toEqual([]);
      checkout.repository.git('add', '-A');
      await succeed('check');
      await succeed('synth', '--today', day);
      expect(unlike(after, filesBelow(root))).toEqual([]);
      checkout.commit(day);
      return touched;
    },
    async refused(day) {
      const before = content(root);
      const { status, out } = await checkout.run('synth', '--today', day);
      expect([status, content(root)]).toEqual([1, before]);
      expect((await checkout.run('check')).status).toBe(1);
      return out.split('\n').flatMap((line) => {
        const [, place, code] = /^(\S+:\d+:\d+) ([A-Z_]+) /.exec(line) ?? [];
        return place ? [`${code} ${place}`] : [];
      });
    },
    services: () =>
      objectsIn(root, 'Service')
        .filter(({ metadata }) => metadata.labels['akash.network/lease.id.owner'] === alice)
        .map(({ metadata, spec }) => {
          const [{ port, protocol, targetPort }] = spec.ports;
          const dseq = metadata.labels['akash.network/lease.id.dseq'];
          const service = spec.selector['akash.network/manifest-service'];
          const endpoint = metadata.annotations['metallb.io/allow-shared-ip']?.split('-ip-')[1];
          return `${dseq} ${service}:${targetPort} on ${spec.loadBalancerIP}:${port}/${protocol} as ${endpoint}`;
        })
        .sort(),
    leasedIPs: () =>
      objectsIn(root, 'ProviderLeasedIP')
        .filter(({ spec }) => spec.lease_id.owner === alice)
        .map(
          ({ metadata, spec }) =>
            `${metadata.name.slice(alice.length + 4)} is ${spec.lease_id.dseq} ${spec.service_name}:${spec.port}`,
        )
        .sort(),
    records: () =>
      [...filesBelow(root, ['leases/allocations']).values()].filter(isAlices).map(recordText),
  };
}

function settled(files: Readonly<Record<string, string>>): Promise<LeaseCheckout> {
  return leaseCheckout({
    'leases/pools.yaml': poolText(
      '  - { name: default, zone: inet, addresses: [203.0.113.0/28], retentionDays: 1 }',
    ),
    '.gitignore': '.leasehold/\n',
    'leases/ben.yaml': leaseText('ben', 1000, [
      { name: 'front', service: 'web', port: 8080, externalPort: 80, retentionDays: 7 },
      { name: 'front', service: 'web', port: 8080, externalPort: 80, protocol: 'UDP' },
    ]),
    'leases/cat/1000.yaml': sdlLease('cat', 1000),
    'leases/cat/1000.sdl.yaml': simpleSdl,
    'leases/dan/1000.yaml': leaseText('dan', 1000, [{ name: 'front', service: 'web', port: 80 }]),
    'leases/dan/1001.yaml': leaseText('dan', 1001, [{ name: 'front', service: 'web', port: 443 }]),
    'leases/eve/web.yaml': serviceText('web', { namespace: 'eve', ipam: evesKey }),
    'leases/eve/tls.yaml': serviceText('tls', { namespace: 'eve', port: 443, ipam: evesKey }),
    ...files,
  });
}

/** Her account, or the namespace `alice`. */
function isAlices(text: string): boolean {
  return text.includes(alice) || /\balice\b/.test(text);
}

/** The account of one of them, or the namespace `eve`. */
function isANeighbours(text: string): boolean {
  return neighbours.some((account) => text.includes(account)) || /\beve\b/.test(text);
}

/** The touched files that do not speak of Alice, or that speak of a neighbour. */
function notAlices(touched: readonly string[], before: FileTexts, after: FileTexts) {
  return touched.filter((line) => {
    const path = line.slice(2);
    const texts = [before.get(path), after.get(path)].filter((text) => text !== undefined);
    return !texts.every((text) => isAlices(text) && !isANeighbours(text));
  });
}

function recordText(text: string): string {
  const field = (name: string) => new RegExp(`^ *${name}: (.*)$`, 'm').exec(text)?.[1];
  const freeFrom = field('freeFrom');
  const holder = field('holder') ?? '';
  const name = holder.split('-ip-')[1] ?? holder.split('/').at(-1);
  const state = freeFrom === undefined ? 'held' : `free from ${freeFrom}`;
  return `${field('address')} ${name} ${state}`;
}
