import { expect, test } from 'vitest';
import {
  addressName,
  addressPoolName,
  addressSliceName,
  leasedIPName,
  leaseNamespace,
  networkPolicyName,
  portName,
  serviceName,
} from '../../../../src/core/manifests/names.ts';
import { aClaim, alice, anAddress } from '../../../support/declarations/pools-and-claims.ts';

test.each([
  [
    'akash1h24fljt7p0nh82cq0za0uhsct3sfwsfu9w3c9h',
    '8438017',
    'akash1nxq8gmsw2vlz3m68qvyvcf3kh6q269ajvqw6y0',
    '5reb3l87s85t50v77sosktvdeeg6pfbnlboigoprqv3d4',
  ],
  [
    'akash15745vczur53teyxl4k05u250tfvp0lvdcfqx27',
    '5950031',
    'akash1xmz9es9ay9ln9x2m3q8dlu0alxf0ltce7ykjfx',
    'h644k9qp92e0qeakjsjkk8f3piivkuhgc6baon9tccuqo',
  ],
])('the lease namespace of %s/%s is the one of the real network', (owner, dseq, provider, name) => {
  expect(leaseNamespace('akash', { owner, dseq, gseq: 1, oseq: 1, provider })).toBe(name);
});

test('a readable lease namespace has dseq, gseq and oseq, at most 63 characters', () => {
  const { lease } = aClaim();
  expect(leaseNamespace('readable', lease)).toBe('lease-dseq-12345-gseq-1-oseq-1');
  const largest = { ...lease, dseq: '18446744073709551615', gseq: 4294967295, oseq: 4294967295 };
  expect(leaseNamespace('readable', largest)).toHaveLength(63);
});

test('names of objects are those of a running provider', () => {
  const claim = aClaim({ externalPort: 5353, protocol: 'UDP' });
  expect(leasedIPName('akash', claim)).toBe(`${alice}-ip-myip-udp-5353`);
  expect(serviceName('akash', claim)).toBe('web-ip-5353-udp');
  expect(portName('akash', claim)).toBe('web-ip-5353-udp');
});

test('the name of a NetworkPolicy is never one of the provider, and the longest fits', () => {
  const service = `akash-${'w'.repeat(46)}`;
  expect(networkPolicyName(aClaim())).toBe('ipv6-web-ip-80-tcp');
  expect(networkPolicyName(aClaim({ service, externalPort: 65535 }))).toBe(
    `ipv6-${service}-ip-65535-tcp`,
  );
});

test('readable names are those of the published documents', () => {
  const claim = aClaim({ externalPort: 5353, protocol: 'UDP' });
  expect(leasedIPName('readable', claim)).toBe(`${alice}-udp-5353`);
  expect(serviceName('readable', claim)).toBe('web');
  expect(portName('readable', claim)).toBe('5353-udp');
});

test('a pool is named by its address, with every hextet of IPv6 in full', () => {
  expect(addressPoolName(anAddress('203.0.113.7'))).toBe('ip-203.0.113.7');
  expect(addressPoolName(anAddress('2001:db8::a'))).toBe(
    'ip-2001-0db8-0000-0000-0000-0000-0000-000a',
  );
});

test('the DNS name of an endpoint is a label, with a hash for an endpoint that does not fit in one', () => {
  const nameOf = (endpoint: string) => addressName({ endpoint });
  expect(nameOf('web')).toBe('leased-web');
  expect(nameOf('a'.repeat(56))).toHaveLength(63);
  const hashed = ['a'.repeat(57), 'with_underscore', 'ends-'].map(nameOf);
  for (const name of hashed) expect(name).toMatch(/^leased-[0-9a-v]{24}$/);
  expect(new Set(hashed).size).toBe(3);
  expect(addressSliceName({ endpoint: 'web' }, 'ipv6')).toBe('leased-web-ipv6');
});
