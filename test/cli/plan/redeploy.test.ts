// @module-tag slow

import { expect, test } from 'vitest';
import type { Plan } from '../../../src/core/run/plan/plan-answer.ts';
import { leaseText } from '../../support/declarations/lease-text.ts';
import { providerPoolsText } from '../../support/declarations/pools-text.ts';
import { remade } from '../../support/repositories/cached-repository.ts';
import { type LeaseCheckout, leaseCheckout } from '../../support/repositories/lease-checkout.ts';

const pools = (naming: string) =>
  providerPoolsText(`naming: ${naming}
emit: { providerLeasedIP: true }
clusters:
  - name: default
    routes: { kind: Ingress, className: nginx }
pools:
  - { name: default, zone: inet, addresses: [203.0.113.0/28], retentionDays: 10 }
`);

const web = { name: 'site', service: 'web', port: 8443, externalPort: 443 };
const api = { ...web, service: 'api', port: 8080, externalPort: 80 };
const hosts = '  hosts: [{ service: web, accept: [blog.example.com] }]\n';
const old = `${leaseText('ann', 18412033, [web, api])}${hosts}`;
const redeployed = old.replaceAll('18412033', '18415900');

/** With readable names, an endpoint needs a selector. */
const selected = (text: string, naming: string) =>
  naming === 'akash' ? text : text.replaceAll(' }\n', ', selector: { app: web } }\n');

function deployed(naming: string): Promise<LeaseCheckout> {
  return remade(`a lease with a hostname, ${naming}`, async () => {
    const checkout = await leaseCheckout({
      'leases/pools.yaml': pools(naming),
      'leases/ann/old.yaml': selected(old, naming),
    });
    checkout.repository.git('checkout', '-q', '-b', 'change');
    return checkout;
  });
}

async function planOf(files: Readonly<Record<string, string>>, naming = 'akash') {
  const checkout = await deployed(naming);
  for (const [path, text] of Object.entries(files)) {
    checkout.put(path, selected(text, naming));
  }
  await checkout.synth('2026-01-10');
  const { out } = await checkout.run('plan', '-o', 'json');
  const { verdict, summary, cautions } = JSON.parse(out) as Plan;
  return { verdict, summary, cautions: cautions.map(({ code, message }) => `${code} ${message}`) };
}

const replaced = 'redeployed, lease 18412033/1/1 → 18415900/1/1: connections are cut once';

test.each([
  ['in one file', { 'leases/ann/old.yaml': redeployed }, 'akash'],
  ['in another file', { 'leases/ann/old.yaml': '', 'leases/ann/new.yaml': redeployed }, 'akash'],
  ['with readable names', { 'leases/ann/old.yaml': redeployed }, 'readable'],
])('a redeploy %s is routine, and told once', async (_, files, naming) => {
  const { verdict, summary, cautions } = await planOf(files, naming);
  expect(cautions).toEqual([]);
  expect(verdict).toBe('routine');
  expect(summary).toMatch(
    /^site of \S+ keeps 203\.0\.113\.\d+: [^.]+\. \S+ keeps the hostname blog\.example\.com: [^.]+\.$/,
  );
  expect(summary.split(replaced)).toHaveLength(3);
});

test('a redeploy that has another port behind an address tells who answers', async () => {
  const { verdict, cautions } = await planOf({
    'leases/ann/old.yaml': redeployed.replace('8080', '9090'),
  });
  expect(verdict).toBe('caution');
  expect(cautions).toEqual([
    expect.stringMatching(/^REACH_CHANGED ProviderLeasedIP \S+-tcp-80: spec\.port 8080 → 9090$/),
    expect.stringMatching(/^REACH_CHANGED api 80\/TCP of site of \S+: port 8080 → 9090$/),
  ]);
});

test('a redeploy that drops a port and a hostname tells both', async () => {
  const { summary, cautions } = await planOf({
    'leases/ann/old.yaml': leaseText('ann', 18415900, [web]),
  });
  expect(summary).toContain(`api 80/TCP removed, ${replaced}`);
  expect(cautions).toEqual([
    expect.stringMatching(/^ROUTE_CUT the hostname blog\.example\.com of \S+ is no longer routed/),
    expect.stringMatching(
      /^ENGINE_PRUNES .* 1 Ingress, 1 ProviderHost, 1 ProviderLeasedIP, 1 Service$/,
    ),
  ]);
});

test('a hostname that goes to another port with a redeploy is cut', async () => {
  const moved = redeployed.replace('hosts: [{ service: web', 'hosts: [{ service: api');
  const { cautions } = await planOf({ 'leases/ann/old.yaml': moved });
  expect(cautions.map((text) => text.split(' ', 1)[0])).toContain('ROUTE_CUT');
});

test('an endpoint that goes to a lease of another that stays is no redeploy', async () => {
  const both = { 'leases/ann/old.yaml': leaseText('ann', 18412033, [api]) };
  const { verdict, cautions } = await planOf({
    ...both,
    'leases/ann/new.yaml': `${leaseText('ann', 18415900, [web])}${hosts}`,
  });
  expect(verdict).toBe('caution');
  expect(cautions.map((text) => text.split(' ', 1)[0])).toEqual(
    expect.arrayContaining(['ROUTE_CUT', 'REACH_CHANGED', 'IDENTITY_CHANGED', 'ENGINE_PRUNES']),
  );
});
