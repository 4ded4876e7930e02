import { describe, expect, test } from 'vitest';
import type { ZoneExport } from '../../../src/features/export/zone-export.ts';
import { l2PoolText } from '../../support/declarations/pools-text.ts';
import { serviceText } from '../../support/declarations/service-text.ts';
import { remadeCheckout } from '../../support/repositories/cached-repository.ts';
import { answerOf } from '../../support/run/json-answer.ts';

function named(name: string, address: string, dns: string): string {
  return serviceText(name, { dns, spec: { loadBalancerIP: address } });
}

const files = {
  '.gitignore': '.leasehold/\n',
  'leases/pools.yaml': `${l2PoolText}dns: { ttl: 60 }\n`,
  'leases/shop/api.yaml': named('api', '203.0.113.10', 'api.shop.example.com'),
  'leases/shop/mail.yaml': serviceText('mail'),
  'leases/shop/web.yaml': named(
    'web',
    '203.0.113.7',
    '*.pages.example.com,shop.example.com,example.com',
  ),
};

describe('leasehold export zone', () => {
  test('prints the records of a DNS zone, relative to it', async () => {
    const { run } = await remadeCheckout(files);

    expect(await run('export', 'zone', '--zone', 'example.com')).toEqual({
      status: 0,
      out: `$ORIGIN example.com.
@ 60 IN A 203.0.113.7
*.pages 60 IN A 203.0.113.7
shop 60 IN A 203.0.113.7
api.shop 60 IN A 203.0.113.10
`,
      err: '',
    });
  });

  test('prints PTR records, without a zone with absolute names', async () => {
    const { run } = await remadeCheckout(files);

    expect(
      (await run('export', 'zone', '--reverse')).out,
    ).toBe(`10.113.0.203.in-addr.arpa. 60 IN PTR api.shop.example.com.
7.113.0.203.in-addr.arpa. 60 IN PTR example.com.
7.113.0.203.in-addr.arpa. 60 IN PTR shop.example.com.
`);
  });

  test.each(['0-25.113.0.203.in-addr.arpa', '8/29.113.0.203.in-addr.arpa', 'ptr.example.net'])(
    'prints the PTR records of a part of 256 addresses in the zone %s of RFC 2317',
    async (zone) => {
      const { run } = await remadeCheckout(files);

      const argv = ['--reverse', '--zone', zone, '--delegated', '203.0.113.8/29'];
      expect(await run('export', 'zone', ...argv)).toEqual({
        status: 0,
        out: `$ORIGIN ${zone}.\n10 60 IN PTR api.shop.example.com.\n`,
        err: '',
      });
    },
  );

  test('names the addresses of a zone of RFC 2317 in its JSON', async () => {
    const { root } = await remadeCheckout(files);

    const zone = '0/28.113.0.203.in-addr.arpa';
    const range = '203.0.113.0-203.0.113.9';
    const argv = ['export', 'zone', '--reverse', '--zone', zone, '--delegated', range];
    expect(await answerOf(argv, root, { schema: 'zone-export' })).toMatchObject({
      delegated: range,
      records: [
        { name: `7.${zone}`, type: 'PTR', value: 'example.com' },
        { name: `7.${zone}`, type: 'PTR', value: 'shop.example.com' },
      ],
    });
  });

  test.each([
    ['--reverse --zone 0/25.113.0.203.in-addr.arpa', 'is a zone of RFC 2317'],
    ['--reverse --zone 0-127.113.0.203.in-addr.arpa', 'is a zone of RFC 2317'],
    ['--reverse --delegated 203.0.113.0/25', '--delegated needs --reverse and --zone'],
    ['--zone example.com --delegated 203.0.113.0/25', '--delegated needs --reverse and --zone'],
    [
      '--reverse --zone ptr.example.net --delegated 203.0.113.0/24',
      'fewer than 256 IPv4 addresses',
    ],
    [
      '--reverse --zone ptr.example.net --delegated 203.0.113.255-203.0.114.0',
      'the same first three',
    ],
    [
      '--reverse --zone ptr.example.net --delegated 2001:db8::/126',
      'fewer than 256 IPv4 addresses',
    ],
    ['--reverse --zone ptr.example.net --delegated 203.0.113.1/25', 'host bits'],
    ['--reverse --zone 0/25/3.113.0.203.in-addr.arpa', 'other characters'],
    ['--zone 0/25.example.com', 'give its addresses with --reverse and --delegated'],
    ['--reverse --zone 0/25.113.0.203.IN-ADDR.arpa.', 'Write 0/25.113.0.203.in-addr.arpa.'],
    [
      '--reverse --zone 0/25.100.51.198.in-addr.arpa --delegated 203.0.113.0/25',
      'expected one such as 0-25.113.0.203.in-addr.arpa',
    ],
    [
      '--reverse --zone 37.113.0.203.in-addr.arpa --delegated 203.0.113.37',
      'is no zone of RFC 2317 for 203.0.113.37/32',
    ],
    [
      '--reverse --zone 0/25.1.113.0.203.in-addr.arpa --delegated 203.0.113.0/25',
      'is no zone of RFC 2317',
    ],
    ['--reverse --zone in-addr.arpa --delegated 203.0.113.0/25', 'is no zone of RFC 2317'],
  ])('refuses %s', async (words, reason) => {
    const { run } = await remadeCheckout(files);

    const { status, err } = await run('export', 'zone', ...words.split(' '));

    expect(status).toBe(64);
    expect(err).toContain(reason);
  });

  test('prints the records of a commit as JSON, not those of the working tree', async () => {
    const { root, idOf, put } = await remadeCheckout(files);
    put('leases/shop/web.yaml', named('web', '203.0.113.7', 'other.example.com'));

    const argv = ['export', 'zone', '--zone', 'shop.example.com'];
    const answer = (await answerOf(argv, root, { schema: 'zone-export' })) as ZoneExport;

    expect(answer).toMatchObject({
      commit: idOf('HEAD'),
      zone: 'shop.example.com',
      ttl: 60,
      records: [
        { name: 'shop.example.com', type: 'A', value: '203.0.113.7' },
        { name: 'api.shop.example.com', type: 'A', value: '203.0.113.10' },
      ],
    });
  });

  test('says that a zone has no names', async () => {
    const { run } = await remadeCheckout(files);

    expect(await run('export', 'zone', '--zone', 'example.org')).toEqual({
      status: 0,
      out: '$ORIGIN example.org.\n',
      err: 'no DNS name is in the DNS zone example.org\n',
    });
  });

  test('refuses a zone that is not in canonical form', async () => {
    const { run } = await remadeCheckout(files);

    const { status, err } = await run('export', 'zone', '--zone', 'Example.com.');

    expect(status).toBe(64);
    expect(err).toContain('Write example.com.');
  });
});
