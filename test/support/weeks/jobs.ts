import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SeededRandom } from '../life/seeded-random.ts';
import type { LeaseCheckout } from '../repositories/lease-checkout.ts';
import type { ByHand, Newcomer } from './newcomer.ts';

/** A workspace at the beginning of a job, on a branch of its own. */
interface Desk {
  readonly checkout: LeaseCheckout;
  readonly random: SeededRandom;
  /** The names of the Services in `leases/shop`. */
  readonly services: readonly string[];
  /** The addresses of each Service, as `list` shows them, by its name. */
  readonly addresses: ReadonlyMap<string, readonly string[]>;
  /** A name that nothing has had. */
  readonly fresh: string;
}

/** One job: what a person edits, which commands are run first, and what must be so at the end. */
export interface Job {
  readonly name: string;
  /** The edit; undefined when the job does not fit the workspace. */
  readonly begin: (desk: Desk) => Begun | undefined;
}

export interface Begun {
  /** The commands that the help or the docs name for the job; without any, `synth`. */
  readonly commands?: readonly (readonly string[])[];
  readonly byHand?: readonly ByHand[];
  /** The new names of renamed Services. */
  readonly renamed?: Readonly<Record<string, string>>;
  /** The Services whose address may be another one at the end; the others keep theirs. */
  readonly moved?: readonly string[];
  /** True when the branch is a merge that was begun before. */
  readonly isMerge?: boolean;
  /** Follows what a plan says, too: a person reads its cautions. */
  readonly reads?: (plan: string, newcomer: Newcomer) => Promise<void>;
}

const folder = 'leases/shop';

/** The file of a new Service. */
export function newFile(name: string): string {
  return `${folder}/${name}.yaml`;
}

/** The files in the folder of the Services, with their texts. */
function filesIn(root: string): readonly (readonly [path: string, text: string])[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder))
    .sort()
    .map((file) => [`${folder}/${file}`, readFileSync(join(root, folder, file), 'utf8')]);
}

const serviceName = /^kind: Service\n(?:.*\n)*? {2}name: (\S+)$/m;

/** The file that declares a Service, which keeps its name when the Service gets another one. */
function serviceFile({ root }: LeaseCheckout, name: string): string {
  const found = filesIn(root).find(([, text]) => serviceName.exec(text)?.[1] === name);
  if (!found) throw new Error(`no file declares ${name}`);
  return found[0];
}

export function serviceText(name: string, port: number, annotations = ''): string {
  return `apiVersion: v1
kind: Service
metadata:
  name: ${name}
  namespace: shop
  annotations: {${annotations}}
spec:
  type: LoadBalancer
  selector: { app: ${name} }
  ports: [{ port: ${port} }]
`;
}

/** The names of the declared Services, sorted: of those that join, the first one by name keeps its address. */
export function servicesIn(root: string): readonly string[] {
  return filesIn(root)
    .flatMap(([, text]) => serviceName.exec(text)?.[1] ?? [])
    .sort();
}

function one({ random, services }: Desk): string | undefined {
  return random.of(services);
}

/** A job on one Service. */
function onService(name: string, begin: (service: string, desk: Desk) => Begun | undefined): Job {
  return {
    name,
    begin: (desk) => {
      const service = one(desk);
      return service === undefined ? undefined : begin(service, desk);
    },
  };
}

/** Adds an annotation to the declaration of a Service. */
function annotate({ checkout }: Desk, service: string, annotation: string): boolean {
  const text = checkout.read(serviceFile(checkout, service));
  const [key = ''] = annotation.split(':');
  if (text.includes(key)) return false;
  const comma = text.includes('annotations: {}') ? '' : ', ';
  checkout.put(
    serviceFile(checkout, service),
    text.replace(
      /annotations: \{(.*)\}/,
      (_, before) => `annotations: {${before}${comma}${annotation}}`,
    ),
  );
  return true;
}

/** Renames the declaration of a Service by hand, as `git mv` and an editor do. */
function renameByHand({ checkout }: Desk, from: string, to: string): void {
  const text = checkout.read(serviceFile(checkout, from));
  checkout.put(serviceFile(checkout, from), '');
  checkout.put(newFile(to), text.replace(`name: ${from}\n`, `name: ${to}\n`));
}

/** Gives the first pool another IPv4 block. False where it has it already. */
function renumber({ checkout }: Desk): boolean {
  const text = checkout.read('leases/pools.yaml');
  if (!text.includes('203.0.113.0/27')) return false;
  const moved = text.replace('203.0.113.0/27', '198.51.100.0/27');
  checkout.put('leases/pools.yaml', moved.replace(/reserved: \[.*\]/, 'reserved: []'));
  return true;
}

export const jobs: readonly Job[] = [
  {
    name: 'a new Service, by hand',
    begin: ({ checkout, fresh, random }) => {
      checkout.put(newFile(fresh), serviceText(fresh, 80 + random.below(4)));
      return {};
    },
  },
  {
    name: 'a new Service, by add',
    begin: ({ fresh }) => ({
      commands: [['add', 'service', `shop/${fresh}`, '80', '--selector', 'app=x'], ['synth']],
    }),
  },
  onService('the end of a Service, by git rm', (service, { checkout }) => {
    checkout.put(serviceFile(checkout, service), '');
    return { moved: [service] };
  }),
  onService('the end of a Service, by release', (service) => ({
    commands: [['release', `shop/${service}`]],
    moved: [service],
  })),
  {
    name: 'the end of a namespace',
    begin: ({ services, random }) =>
      services.length > 0 && random.isOnceIn(4)
        ? { commands: [['release', 'shop']], moved: services }
        : undefined,
  },
  onService(
    'a Service renamed by hand; the plan says how it keeps its address',
    (service, desk) => {
      renameByHand(desk, service, desk.fresh);
      return {
        renamed: { [service]: desk.fresh },
        reads: async (plan, newcomer) => {
          const [, command] = /leasehold (rename \S+ \S+) keeps/.exec(plan) ?? [];
          if (command !== undefined) await newcomer.run(...command.split(' '));
        },
      };
    },
  ),
  onService('a Service renamed by rename', (service, { fresh }) => ({
    commands: [['rename', `shop/${service}`, fresh]],
    renamed: { [service]: fresh },
  })),
  onService('another port', (service, { checkout }) => {
    const text = checkout.read(serviceFile(checkout, service));
    checkout.put(serviceFile(checkout, service), text.replace(/port: \d+/, 'port: 8080'));
    return {};
  }),
  onService('a pin of what it has', (service) => ({ commands: [['pin', `shop/${service}`]] })),
  onService('another address', (service) => ({
    commands: [['move', `shop/${service}`]],
    moved: [service],
  })),
  onService('an address that somebody else has, asked for by hand', (service, desk) => {
    const other = desk.services.find((name) => name !== service);
    const [address] = desk.addresses.get(other ?? '') ?? [];
    if (address === undefined || desk.addresses.get(service)?.includes(address)) return undefined;
    if (!annotate(desk, service, `ipam.vitistack.io/addresses: ${address}`)) return undefined;
    const undo = () =>
      desk.checkout.repository.git('checkout', 'HEAD', '--', serviceFile(desk.checkout, service));
    return {
      byHand: [[/remove (?:the|this|its|one of the) .*pin|pin an(?:other)? address/, undo]],
    };
  }),
  onService('dual stack', (service, desk) =>
    annotate(desk, service, 'ipam.vitistack.io/ip-family: dual') ? {} : undefined,
  ),
  onService('another zone, by hand', (service, desk) => {
    // A draining pool gives no new address: then the zone has none.
    if (desk.checkout.read('leases/pools.yaml').includes('draining')) return undefined;
    const isEdited = annotate(desk, service, 'ipam.vitistack.io/zone: edge');
    return isEdited ? { moved: [service] } : undefined;
  }),
  onService('a longer retention', (service, desk) =>
    annotate(desk, service, 'ipam.vitistack.io/retention-period-days: "9"') ? {} : undefined,
  ),
  {
    name: 'two Services that share an address from now on',
    begin: (desk) => {
      const [first, second] = desk.services;
      if (first === undefined || second === undefined) return undefined;
      const { checkout } = desk;
      const texts = [first, second].map((name) => checkout.read(serviceFile(checkout, name)));
      if (texts.some((text) => /ip-family|addresses|zone|shared/.test(text))) return undefined;
      for (const [index, name] of [first, second].entries()) {
        annotate(desk, name, 'ipam.vitistack.io/allow-local-shared-ip: both');
        checkout.put(
          serviceFile(checkout, name),
          checkout.read(serviceFile(checkout, name)).replace(/port: \d+/, `port: ${9000 + index}`),
        );
      }
      return { moved: [second] };
    },
  },
  onService('an address on a block list, reserved by hand', (service, desk) => {
    const [address = ''] = desk.addresses.get(service) ?? [];
    if (!address.startsWith('203.')) return undefined;
    desk.checkout.edit('leases/pools.yaml', 'reserved: [', `reserved: [${address}, `);
    return { moved: desk.services };
  }),
  {
    name: 'another block, by hand',
    begin: (desk) => (renumber(desk) ? { moved: desk.services } : undefined),
  },
  {
    name: 'another block, with the host parts kept',
    begin: (desk) => {
      const isHeld = [...desk.addresses.values()].flat().some((one) => one.startsWith('203.'));
      if (!isHeld || !renumber(desk)) return undefined;
      const move = ['move', '203.0.113.0/27', '--keep-host', '198.51.100.0/27'];
      return { commands: [[...move, '--family', 'both']], moved: desk.services };
    },
  },
  {
    name: 'a draining pool',
    begin: ({ checkout }) => {
      const text = checkout.read('leases/pools.yaml');
      if (text.includes('draining')) return undefined;
      checkout.put(
        'leases/pools.yaml',
        text.replace('zone: edge\n', 'zone: edge\n    state: draining\n'),
      );
      return {};
    },
  },
];
