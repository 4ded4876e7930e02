import { describe, expect, test } from 'vitest';
import { reservationText, routedPoolText } from '../../support/declarations/hostname-text.ts';
import { policyHead } from '../../support/declarations/policies.ts';
import { remadeCheckout } from '../../support/repositories/cached-repository.ts';
import type { LeaseCheckout } from '../../support/repositories/lease-checkout.ts';

const old = 'leases/hostnames/lb.yaml';
const moved = 'leases/names/lb.yaml';
const policyPath = 'leases/policy.yaml';

function policyText(folders: readonly string[], namespaces: string): string {
  return `${policyHead}tenants:
  - { name: names, folders: [${folders.join(', ')}], namespaces: [${namespaces}], reviewers: ['@org/names'] }
`;
}

/** A branch of a `main` where a tenant's folder is that of the records of hostnames. */
async function oldMain(): Promise<LeaseCheckout> {
  const checkout = await remadeCheckout({
    '.gitignore': '.leasehold/\n',
    'leases/pools.yaml': routedPoolText,
    [policyPath]: policyText(['leases/names'], 'shop'),
    [moved]: reservationText('shop', 'shop.example.com'),
  });
  const { repository, put, commit } = checkout;
  put(moved, '');
  put(old, reservationText('shop', 'shop.example.com'));
  put(policyPath, policyText(['leases/hostnames', 'leases/names'], 'shop'));
  commit('2026-01-03');
  repository.git('checkout', '-q', '-b', 'change');
  return checkout;
}

/** Moves the folder as the hint says. */
function moveFolder({ put, repository }: LeaseCheckout, namespaces = 'shop'): void {
  put(old, '');
  put(moved, reservationText('shop', 'shop.example.com'));
  put(policyPath, policyText(['leases/names'], namespaces));
  repository.git('add', '-A');
}

async function checked({ run }: LeaseCheckout): Promise<readonly string[]> {
  const { out, err } = await run('check', '--base', 'main', '--today', '2026-01-05', '-o', 'json');
  const { problems = [] } = JSON.parse(out || err) as {
    problems?: { code: string; message: string; at: { file: string } }[];
  };
  return problems.map(({ code, message, at }) => `${at.file} ${code} ${message}`);
}

describe('declarations in leases/hostnames, made before hostnames existed', () => {
  test('are refused, and the hint says to move them', async () => {
    const { run } = await oldMain();
    const { status, out } = await run('synth', '--today', '2026-01-05');
    expect([status, out]).toEqual([
      1,
      expect.stringContaining(`${old}:1:1 FILE_UNEXPECTED only leasehold writes files to this folder, the records of hostnames
  hint: move it to another folder of leases/ with \`git mv\`, and name that folder in leases/policy.yaml and CODEOWNERS
`),
    ]);
    expect(out).toContain(
      `${policyPath}:4:5 FIELD_VALUE leases/hostnames/ has no declarations, expected another folder`,
    );
    expect(out).toContain('2 problems');
  });

  test('can be read as a base: they move in a change that check accepts', async () => {
    const checkout = await oldMain();
    moveFolder(checkout);
    const { status, out } = await checkout.run('synth', '--today', '2026-01-05', '--base', 'main');
    expect([status, out]).toEqual([0, expect.stringContaining('no address changes')]);
    checkout.commit('2026-01-05');
    expect(await checked(checkout)).toEqual([]);
  });

  test('keep their policy in that change', async () => {
    const checkout = await oldMain();
    moveFolder(checkout, 'shop, blog');
    checkout.put('leases/names/blog.yaml', reservationText('blog', 'blog.example.com'));
    await checkout.synth('2026-01-05');
    expect(await checked(checkout)).toEqual([
      expect.stringContaining('leases/names/blog.yaml POLICY_REFUSED by the policy of the base'),
    ]);
  });
});
