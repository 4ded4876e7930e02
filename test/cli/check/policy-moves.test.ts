import { describe, expect, it, test } from 'vitest';
import { accountOf, leaseText } from '../../support/declarations/lease-text.ts';
import { policyHead, tenantsText } from '../../support/declarations/policies.ts';
import { simpleSdl } from '../../support/declarations/sdl.ts';
import { remadeCheckout } from '../../support/repositories/cached-repository.ts';
import { found, pools, web } from '../../support/repositories/checked-branches.ts';

const day = '2026-01-10';
const file = 'leases/bob/2.yaml';
const twoFamilies = pools
  .replace('203.0.113.0/28', "203.0.113.0/28, '2001:db8::/120'")
  .replace('pools:', 'metallb: { layout: pool }\npools:');
const policy = `${policyHead}${tenantsText({
  bob: `owners: [${accountOf('bob')}], namespaces: [shop]`,
})}`;

const [leaseHead = ''] = leaseText('bob', 2, []).split('  endpoints:');
const ofSdl = `${leaseHead}  sdl: 2.sdl.yaml\n`;
const dual = { ...web, ipFamily: 'dual' };
const service = `apiVersion: v1
kind: Service
metadata: { name: front, namespace: shop }
spec: { type: LoadBalancer, selector: { app: front }, ports: [{ port: 80 }] }
`;
const reservation = `apiVersion: leasehold.dev/v1
kind: Reservation
spec: { namespace: shop, service: front, ports: [{ port: 80 }] }
`;
const comment = `explain the move in a comment in ${file}`;
const commented = '# Moved: the old one is on a block list.\n';

const endpoint = leaseText('bob', 2, [web]);
const half = leaseText('bob', 2, [{ ...dual, address: '2001:db8::9' }]);
const pin = `run \`leasehold pin 203.0.113.9\` and commit ${file}`;
const [sdlHolder, holder] = ['myip', 'front'].map((name) => `akash/${accountOf('bob')}-ip-${name}`);
const shop = 'service/shop/front';

describe('a move under a policy says how the tenant asks for it', () => {
  test.each([
    { of: 'an SDL', holder: sdlHolder, way: comment, text: ofSdl, asking: ofSdl + commented },
    {
      of: 'an endpoint with another pin',
      holder,
      way: comment,
      text: half,
      asking: half + commented,
    },
    { of: 'an endpoint', holder, way: pin, text: endpoint },
    { of: 'a Service', holder: shop, way: pin, text: service },
    { of: 'a Reservation', holder: shop, way: pin, text: reservation },
  ])('of $of', { tags: 'slow' }, async ({ holder, way, text, asking = '' }) => {
    const checkout = await remadeCheckout({
      'leases/pools.yaml': twoFamilies,
      'leases/policy.yaml': policy,
      [file]: text,
      ...(text === ofSdl ? { 'leases/bob/2.sdl.yaml': simpleSdl } : {}),
    });
    checkout.repository.git('checkout', '-q', '-b', 'change');
    const options = ['--to', '203.0.113.9', '--family', 'ipv4', '--today', day, '-o', 'json'];
    const { out, err } = await checkout.run('move', `default/${holder}`, ...options);
    const asked = `in this pull request, ${way}, or reserve ${JSON.parse(out).moved[0].from} in leases/pools.yaml`;
    expect(err).toContain(`leases/policy.yaml requires a request for this move: ${asked}\n`);
    checkout.commit(day, 'Move');
    const refused = await checkout.run('check', '--base', 'main');
    expect(refused).toMatchObject({ status: 1, out: expect.stringContaining(`hint: ${asked}\n`) });
    if (way === pin) expect((await checkout.run('pin', '203.0.113.9')).status).toBe(0);
    else checkout.put(file, asking);
    await checkout.synth(day);
    expect(await found(checkout)).toEqual([]);
  });
});

it('a move that the branch has asked for already asks for nothing', { tags: 'slow' }, async () => {
  const checkout = await remadeCheckout({
    'leases/pools.yaml': pools,
    'leases/policy.yaml': policy,
    [file]: endpoint,
  });
  checkout.repository.git('checkout', '-q', '-b', 'change');
  checkout.put(file, endpoint + commented);
  const move = ['move', `default/${holder}`, '--to', '203.0.113.9', '--today', day];
  const { status, out } = await checkout.run(...move);
  expect(status).toBe(0);
  expect(out).not.toContain('requires a request');
  checkout.commit(day, 'Move');
  expect(await found(checkout)).toEqual([]);
});

it('a holder that was moved back to its old address does not move in the changes after that', {
  tags: 'slow',
}, async () => {
  const checkout = await remadeCheckout({
    'leases/pools.yaml': pools,
    'leases/policy.yaml': policy,
    [file]: endpoint,
  });
  const lease = `default/${holder}`;
  const first =
    checkout.repository
      .git('ls-files', 'leases/allocations')
      .match(/203\.0\.113\.\d+(?=\.yaml)/)?.[0] ?? '';
  for (const to of ['203.0.113.9', first]) {
    expect(await checkout.run('move', lease, '--to', to, '--today', day)).toMatchObject({
      status: 0,
    });
    checkout.commit(day, `Move to ${to}`);
  }
  checkout.repository.git('checkout', '-q', '-b', 'change');
  checkout.put('leases/shop/front.yaml', service);
  await checkout.synth(day);
  expect(await found(checkout)).toEqual([]);
});
