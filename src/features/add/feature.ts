import type { Feature } from '../../core/cli/feature.ts';
import { adds } from '../../core/interfaces/extension.ts';
import { firstDeclaration } from '../../lib/edit/cli/first-declaration.ts';

/** Writes declarations of leases, Services, promises, hostnames and reservations. */
export const add: Feature = {
  name: 'add',
  adds: [adds(firstDeclaration, async () => (await import('./cli/add-command.ts')).addFirst)],
  commands: {
    add: {
      group: 'everyDay',
      summary: 'write the declaration of a lease, Service or hostname',
      description: 'write the declaration of a lease, Service, promise, hostname or reservation',
      load: async () => (await import('./cli/add-command.ts')).addCommand,
    },
  },
  examples: {
    add: [
      ['a Service with one port', 'add service shop/blog 80:8080 --selector app=blog'],
      ['an address for a Service that a chart renders', 'add reservation shop/ingress 80 443'],
    ],
    'add hostname': [
      ['a hostname for port 8080 of a Service', 'add hostname blog.example.com shop/web 8080'],
      ['all names of a domain', "add hostname '*.blog.example.com' shop/web 8080"],
    ],
    'add lease': [
      [
        'a claim of an Akash lease',
        'add lease \\\n    akash17zp8jh5y4564hxvwg00vemgk5r6pry9j7nkks4/18600003/1/1 \\\n    web 3000 --endpoint blog --external-port 80',
      ],
      [
        'UDP, on the address of another endpoint of the owner',
        'add lease \\\n    akash17zp8jh5y4564hxvwg00vemgk5r6pry9j7nkks4/18600003/1/1 \\\n    dns 53/udp --endpoint site',
      ],
    ],
    'add promise': [
      [
        'an address for the first deployment of an endpoint, for a week',
        'add promise \\\n    akash17zp8jh5y4564hxvwg00vemgk5r6pry9j7nkks4 relay',
      ],
      [
        'until a day',
        'add promise \\\n    akash17zp8jh5y4564hxvwg00vemgk5r6pry9j7nkks4 relay \\\n    --until 2026-12-01',
      ],
    ],
    'add reservation': [
      ['for the Service of a chart', 'add reservation shop/ingress 80 443'],
      ['TCP and UDP on one port', 'add reservation shop/dns 53 53/udp'],
    ],
    'add service': [
      [
        'port 80 of the address leads to port 8080 of the pods',
        'add service shop/blog 80:8080 --selector app=blog',
      ],
      [
        'an exact address, and two named ports',
        'add service shop/post smtp=25 mail=587 \\\n    --selector app=post --address 203.0.113.40',
      ],
    ],
  },
};
