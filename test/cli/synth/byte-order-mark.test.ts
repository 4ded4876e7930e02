// @module-tag slow

import { describe, expect, it } from 'vitest';
import { leaseText } from '../../support/declarations/lease-text.ts';
import { serviceText } from '../../support/declarations/service-text.ts';
import { pinned, pools, web } from '../../support/repositories/checked-branches.ts';
import {
  type LeaseCheckout,
  leaseCheckout,
  recordOf,
} from '../../support/repositories/lease-checkout.ts';

const mark = '\ufeff';

const files = {
  'leases/pools.yaml': pools,
  'leases/ann.yaml': leaseText('ann', 1, [web, { ...web, service: 'api', externalPort: 81 }]),
  'leases/bob.yaml': leaseText('bob', 2, [pinned(2)]),
  'leases/shop/web.yaml': serviceText('web').replace('  annotations: {}\n', ''),
};

/** The files, each behind a byte order mark and with line ends of Windows. */
function marked(): Promise<LeaseCheckout> {
  const texts = Object.entries(files).map(([path, text]) => [
    path,
    `${mark}${text.replaceAll('\n', '\r\n')}`,
  ]);
  return leaseCheckout(Object.fromEntries(texts));
}

describe('files behind a byte order mark', () => {
  it('are read as those without one', { tags: 'slow' }, async () => {
    const [plain, checkout] = [await leaseCheckout(files), await marked()];
    expect((await checkout.run('check')).status).toBe(0);
    const { out } = await checkout.run('list', '-o', 'csv');
    expect(out).toBe((await plain.run('list', '-o', 'csv')).out);
    expect(checkout.repository.git('ls-files', '-s', 'dist')).toBe(
      plain.repository.git('ls-files', '-s', 'dist'),
    );
  });

  it('are edited by the commands that edit declarations', async () => {
    const checkout = await marked();
    expect(await checkout.run('pin', '203.0.113.0/28')).toMatchObject({ status: 0 });
    expect(checkout.read('leases/shop/web.yaml')).toMatch(/^\ufeff?apiVersion: v1\r\n/);
    expect(checkout.read('leases/shop/web.yaml')).toMatch(
      /ipam\.vitistack\.io\/addresses: "?203\./,
    );
    expect(await checkout.run('check')).toMatchObject({ status: 0 });
    checkout.commit('2026-01-03');
    const released = await checkout.run('release', '203.0.113.2', '--today', '2026-01-03');
    expect(released).toMatchObject({ status: 0 });
    expect(checkout.read(recordOf('203.0.113.2'))).toContain('released:');
    expect(await checkout.run('check')).toMatchObject({ status: 0 });
  });

  it('may be allocation files: synth writes them anew', async () => {
    const checkout = await marked();
    const record = recordOf('203.0.113.2');
    checkout.put(record, `${mark}${checkout.read(record)}`);
    expect((await checkout.run('check')).out).toContain(`${record}:1:1 STALE `);
    await checkout.synth('2026-01-03');
    expect(await checkout.run('check')).toMatchObject({ status: 0 });
  });
});
