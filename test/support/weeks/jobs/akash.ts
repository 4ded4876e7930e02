import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { accountOf } from '../../declarations/lease-text.ts';
import type { Begun, Desk, Job } from '../job.ts';

const tenants = [accountOf('ana'), accountOf('ben')] as const;

/** An IP endpoint that has an address. */
interface Endpoint {
  readonly holder: string;
  readonly owner: string;
  readonly name: string;
}

function endpointsIn({ held }: Desk): readonly Endpoint[] {
  return [...held.keys()].flatMap((holder) => {
    const [, owner, name] = /\/akash\/(akash1[a-z0-9]+)-ip-(.+)$/.exec(holder) ?? [];
    return owner !== undefined && name !== undefined ? [{ holder, owner, name }] : [];
  });
}

/** The ids OWNER/DSEQ of the declared leases, each with the text of its file. */
function leasesIn({ checkout }: Desk): readonly { id: string; file: string; text: string }[] {
  return readdirSync(join(checkout.root, 'leases'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.yaml') && !file.startsWith('allocations'))
    .sort()
    .flatMap((path) => {
      const file = `leases/${path}`;
      const text = checkout.read(file);
      const [, owner] = /owner: (akash1\S+)/.exec(text) ?? [];
      const [, dseq] = /dseq: ['"](\d+)/.exec(text) ?? [];
      const isLease = text.includes('kind: Lease') && owner !== undefined;
      return isLease ? [{ id: `${owner}/${dseq}`, file, text }] : [];
    });
}

function addLease(desk: Desk, owner: string, endpoint: string, port: number): readonly string[] {
  const dseq = `9${desk.fresh.replace(/\D/g, '')}`;
  return ['add', 'lease', `${owner}/${dseq}/1/1`, 'web', `${port}`, '--endpoint', endpoint];
}

/** A job on one IP endpoint that has an address. */
function onEndpoint(
  name: string,
  begin: (endpoint: Endpoint, desk: Desk) => Begun | undefined,
): Job {
  return {
    name,
    begin: (desk) => {
      const endpoint = desk.random.of(endpointsIn(desk));
      return endpoint === undefined ? undefined : begin(endpoint, desk);
    },
  };
}

export const akashJobs: readonly Job[] = [
  {
    name: 'a new lease, by add',
    begin: (desk) => ({
      commands: [addLease(desk, desk.random.one(...tenants), desk.fresh, 80), ['synth']],
    }),
  },
  onEndpoint('a second lease on an endpoint, by add', ({ owner, name }, desk) => ({
    commands: [addLease(desk, owner, name, 8000 + Number(desk.fresh.split('x')[1])), ['synth']],
  })),
  {
    name: 'a promise for an endpoint, by add',
    begin: ({ random, fresh }) => ({
      commands: [['add', 'promise', random.one(...tenants), fresh], ['synth']],
    }),
  },
  {
    name: 'the end of a lease, by release',
    begin: (desk) => {
      const lease = desk.random.of(leasesIn(desk));
      if (!lease) return undefined;
      const ended = endpointsIn(desk).filter(
        ({ owner, name }) => lease.id.startsWith(owner) && lease.text.includes(name),
      );
      return {
        commands: [['release', lease.id]],
        moved: ended.map(({ holder }) => holder),
      };
    },
  },
  {
    name: 'a lease that is closed and opened again with another number, by hand',
    begin: (desk) => {
      const lease = desk.random.of(leasesIn(desk));
      if (!lease) return undefined;
      const dseq = `8${desk.fresh.replace(/\D/g, '')}`;
      const [, former = ''] = lease.id.split('/');
      desk.checkout.put(lease.file, lease.text.replaceAll(former, dseq));
      return {};
    },
  },
  onEndpoint('the end of a tenant, by release', ({ owner }, desk) => ({
    commands: [['release', owner]],
    moved: endpointsIn(desk).flatMap((one) => (one.owner === owner ? [one.holder] : [])),
  })),
  onEndpoint('an endpoint renamed by rename', ({ holder, name }, { fresh }) => {
    const renamed = { [holder]: holder.replace(/-ip-.*/, `-ip-${fresh}`) };
    return { commands: [['rename', name, fresh]], renamed };
  }),
  onEndpoint('another address for an endpoint', ({ holder, name }) => ({
    commands: [['move', name]],
    moved: [holder],
  })),
];
