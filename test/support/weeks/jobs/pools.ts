import { type Desk, holderOf, type Job, onService } from '../job.ts';
import { serviceFile } from '../service-files.ts';

/** Gives the first pool another IPv4 block. False where it has it already. */
function renumber({ checkout }: Desk): boolean {
  const text = checkout.read('leases/pools.yaml');
  if (!text.includes('203.0.113.0/27')) return false;
  const moved = text.replace('203.0.113.0/27', '198.51.100.0/27');
  checkout.put('leases/pools.yaml', moved.replace(/reserved: \[.*\]/, 'reserved: []'));
  return true;
}

/** Who has an address in the block that `renumber` replaces. */
function inFirstBlock({ held }: Desk): readonly string[] {
  return [...held.keys()].filter((name) => held.get(name)?.some((one) => one.startsWith('203.')));
}

export const poolJobs: readonly Job[] = [
  onService('an address on a block list, reserved by hand', (service, desk) => {
    const [address = ''] = desk.held.get(holderOf(service)) ?? [];
    if (!address.startsWith('203.')) return undefined;
    desk.checkout.edit('leases/pools.yaml', 'reserved: [', `reserved: [${address}, `);
    return { moved: [holderOf(service)] };
  }),
  {
    name: 'another block, by hand',
    begin: (desk) => (renumber(desk) ? { moved: inFirstBlock(desk) } : undefined),
  },
  {
    name: 'another block, with the host parts kept',
    begin: (desk) => {
      if (inFirstBlock(desk).length === 0 || !renumber(desk)) return undefined;
      const move = ['move', '203.0.113.0/27', '--keep-host', '198.51.100.0/27'];
      return { commands: [[...move, '--family', 'both']], moved: inFirstBlock(desk) };
    },
  },
  {
    name: 'a draining pool',
    begin: ({ checkout, services }) => {
      const text = checkout.read('leases/pools.yaml');
      const files = services.map((service) => checkout.read(serviceFile(checkout, service)));
      // The zone has no other pool: nobody in it could get another address.
      if ([text, ...files].some((one) => /draining|vitistack.io\/zone: edge/.test(one))) {
        return undefined;
      }
      checkout.put(
        'leases/pools.yaml',
        text.replace('zone: edge\n', 'zone: edge\n    state: draining\n'),
      );
      return {};
    },
  },
];
