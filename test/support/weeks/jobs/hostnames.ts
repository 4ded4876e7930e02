import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { hostnameText } from '../../declarations/hostname-text.ts';
import { hostnamesIn, type Job, onService } from '../job.ts';
import { annotate } from '../service-files.ts';

/** The file of a hostname as `add hostname` names it. */
function fileOf(hostname: string): string {
  return `leases/shop/${hostname}.yaml`;
}

export const hostnameJobs: readonly Job[] = [
  onService('a hostname, by add', (service, { fresh }) => ({
    commands: [['add', 'hostname', `${fresh}.example.com`, `shop/${service}`, '80'], ['synth']],
  })),
  {
    name: 'the end of a hostname, by release',
    begin: (desk) => {
      const hostname = desk.random.of(hostnamesIn(desk));
      return hostname === undefined
        ? undefined
        : { commands: [['release', hostname]], moved: [hostname] };
    },
  },
  onService('a hostname of another Service, by hand', (service, desk) => {
    const hostname = desk.random.of(hostnamesIn(desk));
    if (hostname === undefined) return undefined;
    const file = fileOf(hostname);
    if (!existsSync(join(desk.checkout.root, file))) return undefined;
    const text = desk.checkout.read(file);
    desk.checkout.put(file, text.replace(/service: \S+/, `service: ${service}`));
    return {};
  }),
  {
    name: 'a hostname that another namespace has, by hand',
    begin: (desk) => {
      const hostname = desk.random.of(hostnamesIn(desk));
      if (hostname === undefined) return undefined;
      const file = `leases/store/${desk.fresh}.yaml`;
      desk.checkout.put(file, hostnameText(hostname, { namespace: 'store' }));
      return {
        byHand: [[/remove (?:this|the|that) declaration/, () => desk.checkout.put(file, '')]],
      };
    },
  },
  onService('a DNS name for the address', (service, desk) =>
    annotate(desk, service, `leasehold.dev/dns: ${desk.fresh}.example.net`) ? {} : undefined,
  ),
];
