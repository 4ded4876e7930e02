import { holderOf, hostnamesIn, type Job, onService } from '../job.ts';
import { annotate, newFile, renameByHand, serviceFile, serviceText } from '../service-files.ts';

export const serviceJobs: readonly Job[] = [
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
    return { moved: [holderOf(service)] };
  }),
  onService('the end of a Service, by release', (service) => ({
    commands: [['release', `shop/${service}`]],
    moved: [holderOf(service)],
  })),
  {
    name: 'the end of a namespace',
    begin: ({ services, held, random }) => {
      if (services.length === 0 || !random.isOnceIn(4)) return undefined;
      const moved = [...services.map(holderOf), ...hostnamesIn({ held })];
      return { commands: [['release', 'shop']], moved };
    },
  },
  onService(
    'a Service renamed by hand; the plan says how it keeps its address',
    (service, desk) => {
      renameByHand(desk, service, desk.fresh);
      return {
        renamed: { [holderOf(service)]: holderOf(desk.fresh) },
        reads: async (plan, newcomer) => {
          const [, command] = /`leasehold (rename \S+ \S+)` keeps/.exec(plan) ?? [];
          if (command !== undefined) await newcomer.run(...command.split(' '));
        },
      };
    },
  ),
  onService('a Service renamed by rename', (service, { fresh }) => ({
    commands: [['rename', `shop/${service}`, fresh]],
    renamed: { [holderOf(service)]: holderOf(fresh) },
  })),
  onService('another port', (service, { checkout }) => {
    const text = checkout.read(serviceFile(checkout, service));
    checkout.put(serviceFile(checkout, service), text.replace(/port: \d+/, 'port: 8080'));
    return {};
  }),
  onService('a pin of what it has', (service) => ({ commands: [['pin', `shop/${service}`]] })),
  onService('another address', (service) => ({
    commands: [['move', `shop/${service}`]],
    moved: [holderOf(service)],
  })),
  onService('an address that somebody else has, asked for by hand', (service, desk) => {
    const other = desk.services.find((name) => name !== service);
    const [address] = desk.held.get(holderOf(other ?? '')) ?? [];
    if (address === undefined || desk.held.get(holderOf(service))?.includes(address))
      return undefined;
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
    if (!annotate(desk, service, 'ipam.vitistack.io/zone: edge')) return undefined;
    const file = serviceFile(desk.checkout, service);
    // The pool can drain meanwhile.
    const undo = () => desk.checkout.repository.git('checkout', 'main', '--', file);
    return {
      moved: [holderOf(service)],
      byHand: [[/leases\/pools\.yaml in a separate pull request/, undo]],
    };
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
      const port = 9000 + 2 * Number(desk.fresh.split('x')[1]);
      for (const [index, name] of [first, second].entries()) {
        annotate(desk, name, `ipam.vitistack.io/allow-local-shared-ip: ${desk.fresh}`);
        checkout.put(
          serviceFile(checkout, name),
          checkout.read(serviceFile(checkout, name)).replace(/port: \d+/, `port: ${port + index}`),
        );
      }
      // They keep the lower of the two addresses.
      const [, higher = ''] = [first, second]
        .map(holderOf)
        .sort((left, right) => numberOf(desk.held.get(left)) - numberOf(desk.held.get(right)));
      return { moved: [higher] };
    },
  },
];

/** The first IPv4 address of these, as a number. */
function numberOf(values: readonly string[] = []): number {
  const address = values.find((value) => /^\d+(?:\.\d+){3}$/.test(value)) ?? '';
  return address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
}
