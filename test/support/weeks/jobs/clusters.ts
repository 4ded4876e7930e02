import { holderOf, type Job, onService } from '../job.ts';
import { serviceFile } from '../service-files.ts';

export const clusterJobs: readonly Job[] = [
  {
    name: 'a new Service in another cluster, by add',
    begin: ({ fresh }) => {
      const service = ['add', 'service', `shop/${fresh}`, '80', '--selector', 'app=x'];
      return {
        commands: [[...service, '--cluster', 'west', '--folder', 'leases/west'], ['synth']],
      };
    },
  },
  onService('a Service moved to another cluster, by hand', (service, { checkout }) => {
    const text = checkout.read(serviceFile(checkout, service));
    checkout.put(serviceFile(checkout, service), '');
    const annotated = text.replace(
      /annotations: \{.*\}/,
      'annotations: {leasehold.dev/cluster: west}',
    );
    checkout.put(`leases/west/${service}.yaml`, annotated);
    return { moved: [holderOf(service)] };
  }),
  {
    name: 'the end of a cluster, by release',
    begin: ({ held, random }) => {
      const ended = [...held.keys()].filter((name) => name.startsWith('west/'));
      return ended.length > 0 && random.isOnceIn(3)
        ? { commands: [['release', '--cluster', 'west']], moved: ended }
        : undefined;
    },
  },
];
