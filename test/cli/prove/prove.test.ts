import { describe, expect, test } from 'vitest';
import { domainProofPath } from '../../../src/core/records/domain-proof-file.ts';
import {
  hostnameText,
  leaseHostText,
  routedPoolText,
} from '../../support/declarations/hostname-text.ts';
import { alice, provider } from '../../support/declarations/pools-and-claims.ts';
import { type FakeDns, fakeDns } from '../../support/dns/fake-dns.ts';
import { remadeCheckout } from '../../support/repositories/cached-repository.ts';
import type { LeaseCheckout } from '../../support/repositories/lease-checkout.ts';
import { answerOf } from '../../support/run/json-answer.ts';
import { runOn } from '../../support/run/run-in-process.ts';

const holder = 'default/namespace/shop';
const text = `leasehold=${holder}`;
const name = 'shop.example.com';
const proof = domainProofPath({ holder, domain: name });
const file = 'leases/shop/name.yaml';

const requiring = routedPoolText.replace(
  'retentionDays: 7',
  'retentionDays: 7, proof: required, exempt: [apps.example.net]',
);

/** A clone whose pool file requires proofs, on the branch `change`; and a DNS. */
async function requiringProofs(pools = requiring): Promise<LeaseCheckout & { dns: FakeDns }> {
  const checkout = await remadeCheckout({
    '.gitignore': '.leasehold/\n',
    'leases/pools.yaml': pools,
  });
  checkout.repository.git('checkout', '-q', '-B', 'change');
  return { ...checkout, dns: await fakeDns() };
}

/** Runs `leasehold prove` where the clock says 2026-01-03. */
function prove({ root, dns }: LeaseCheckout & { dns: FakeDns }, ...argv: readonly string[]) {
  return runOn('2026-01-03', ['prove', ...argv, '--resolver', dns.server], root);
}

describe('a hostname that needs a proof', () => {
  test('is refused at its declaration, with the record to publish, and given once it is proven', async () => {
    const checkout = await requiringProofs();
    checkout.put(file, hostnameText(name));
    const refused = await checkout.run('synth', '--today', '2026-01-03');
    expect([refused.status, refused.out]).toEqual([
      1,
      `${file}:3:60 HOSTNAME_UNPROVEN namespace shop has not proven the domain of ${name}
  3 | ${hostnameText(name).split('\n')[2]}
${' '.repeat(4)}| ${' '.repeat(59)}${'^'.repeat(name.length + 2)}
  hint: publish _leasehold.${name} TXT "${text}", there or at a domain above, and run \`leasehold prove ${name} --holder ${holder}\`
1 problem; see \`leasehold explain HOSTNAME_UNPROVEN\`
`,
    ]);

    checkout.dns.records.set(`_leasehold.${name}`, ['v=other', text]);
    const proven = await prove(checkout);

    expect(proven).toEqual({
      status: 0,
      out: `HOSTNAME          STATE   DOMAIN            CHECKED     HOLDER
shop.example.com  proven  shop.example.com  2026-01-03  ${holder}
`,
      err: `wrote ${proof}\n`,
    });
    expect(checkout.read(proof)).toBe(
      `apiVersion: leasehold.dev/v1\nkind: DomainProof\ndomain: '${name}'\nholder: ${holder}\nchecked: 2026-01-03\n`,
    );
    await checkout.synth('2026-01-03');
    expect((await checkout.run('check', '--base', 'main', '--today', '2026-01-03')).status).toBe(0);
    const list = await checkout.run('list', '--hostnames', '-o', 'wide');
    expect(list.out).toMatch(/ PROVEN BY\n.* shop\.example\.com\n$/);
  });

  test('is proven by a domain above, for all names below it and for no other holder', async () => {
    const checkout = await requiringProofs();
    checkout.dns.records.set('_leasehold.example.com', [text]);
    checkout.put(file, hostnameText('*.shop.example.com'));
    const hint = (await checkout.run('check')).out;
    expect(hint).toContain(
      "there or at a domain above, and run `leasehold prove '*.shop.example.com' --holder default/namespace/shop`\n",
    );
    const { status } = await prove(checkout);
    checkout.put('leases/shop/deep.yaml', hostnameText('a.b.example.com'));
    await checkout.synth('2026-01-03');
    checkout.put('leases/blog/name.yaml', hostnameText('blog.example.com', { namespace: 'blog' }));

    const refused = await checkout.run('synth', '--today', '2026-01-03');

    expect(status).toBe(0);
    expect(refused.out).toMatch(
      /^leases\/blog\/name\.yaml:3:\d+ HOSTNAME_UNPROVEN namespace blog /,
    );
    expect(refused.out).toContain('\n1 problem;');
    expect(checkout.dns.asked).not.toContain('_leasehold.com');
  });

  test('of an Akash lease is proven by the owner', async () => {
    const checkout = await requiringProofs();
    checkout.dns.records.set('_leasehold.example.com', [`leasehold=default/akash/${alice}`]);
    checkout.edit('leases/pools.yaml', 'kind: Pools', `kind: Pools\nprovider: ${provider}`);
    checkout.put('leases/alice.yaml', leaseHostText('7', name));
    expect((await checkout.run('synth', '--today', '2026-01-03')).out).toContain(
      'HOSTNAME_UNPROVEN',
    );

    await prove(checkout);

    expect((await checkout.run('synth', '--today', '2026-01-03')).status).toBe(0);
  });

  test('is not one in an exempt domain, nor any one by default', async () => {
    const checkout = await requiringProofs();
    checkout.put(file, hostnameText('a.apps.example.net'));
    expect((await checkout.run('synth', '--today', '2026-01-03')).status).toBe(0);
    const other = await requiringProofs(routedPoolText);
    other.put(file, hostnameText(name));
    expect((await other.run('synth', '--today', '2026-01-03')).status).toBe(0);
  });

  test('is not refused beside a proof that cannot be read, which is told alone', async () => {
    const checkout = await requiringProofs();
    checkout.put(file, hostnameText(name));
    checkout.put(proof, 'kind: DomainProof\n');
    const broken = await checkout.run('check');
    expect(broken.out).toContain('FIELD_MISSING');
    expect(broken.out).not.toContain('HOSTNAME_UNPROVEN');
    const moved = domainProofPath({ holder: 'default/namespace/blog', domain: name });
    checkout.dns.records.set(`_leasehold.${name}`, [text]);
    checkout.put(proof, '');
    await prove(checkout);
    checkout.put(moved, checkout.read(proof));
    checkout.put(proof, '');

    const { out } = await checkout.run('check');

    expect(out).toContain(
      `hint: remove it, and run \`leasehold prove ${name} --holder ${holder}\`\n1 problem;`,
    );
  });

  test('is refused by check --base also when the pull request asks for no proof', async () => {
    const checkout = await requiringProofs();
    checkout.put('leases/pools.yaml', routedPoolText);
    checkout.put(file, hostnameText(name));
    await checkout.synth('2026-01-03');

    const { status, out } = await checkout.run('check', '--base', 'main', '--today', '2026-01-03');

    expect([status, out]).toEqual([
      1,
      expect.stringContaining(
        `HOSTNAME_UNPROVEN namespace shop has not proven the domain of ${name} in the base`,
      ),
    ]);
  });
});

describe('leasehold prove', () => {
  test('lists all hostnames, and asks only for those without a proof', async () => {
    const checkout = await requiringProofs();
    checkout.dns.records.set(`_leasehold.${name}`, [text]);
    checkout.put(file, hostnameText(name));
    await prove(checkout);
    checkout.put('leases/shop/more.yaml', hostnameText('more.example.org'));
    checkout.put('leases/shop/app.yaml', hostnameText('a.apps.example.net'));
    checkout.dns.asked.length = 0;

    const { status, out, err } = await prove(checkout);

    expect([status, out]).toEqual([
      0,
      `HOSTNAME            STATE                   DOMAIN            CHECKED     HOLDER
a.apps.example.net  unproven, not required  -                 -           ${holder}
more.example.org    unproven                -                 -           ${holder}
shop.example.com    proven                  shop.example.com  2026-01-03  ${holder}
`,
    ]);
    expect(err).toBe(`
publish these records, there or at a domain above, and run \`leasehold prove\` again:
  _leasehold.more.example.org TXT "${text}"
`);
    expect([...checkout.dns.asked].sort()).toEqual([
      '_leasehold.a.apps.example.net',
      '_leasehold.apps.example.net',
      '_leasehold.example.net',
      '_leasehold.example.org',
      '_leasehold.more.example.org',
    ]);
  });

  test('refuses a named hostname whose record names another holder, and shows that record', async () => {
    const checkout = await requiringProofs();
    checkout.dns.records.set(`_leasehold.${name}`, ['leasehold=default/namespace/\u001b[2Jblog']);
    checkout.put(file, hostnameText(name));

    const { status, out } = await prove(checkout, name);

    expect(status).toBe(1);
    expect(out).toContain(
      `HOSTNAME_UNPROVEN namespace shop has not proven the domain of ${name}: found _leasehold.${name} TXT "leasehold=default/namespace/`,
    );
    expect(out).not.toContain('\u001b');
  });

  test('asks again for a named hostname, and records the new day', async () => {
    const checkout = await requiringProofs();
    checkout.dns.records.set(`_leasehold.${name}`, [text]);
    checkout.put(file, hostnameText(name));
    await prove(checkout);

    const argv = ['prove', name, '--resolver', checkout.dns.server];
    const { status } = await runOn('2026-01-09', argv, checkout.root);

    expect(status).toBe(0);
    expect(checkout.read(proof)).toContain('checked: 2026-01-09\n');
    expect(await runOn('2026-01-09', argv, checkout.root)).toMatchObject({ status: 0, err: '' });
  });

  test('proves a hostname for a holder before it is declared', async () => {
    const checkout = await requiringProofs();
    const argv = [name, '--holder', holder];
    expect(await prove(checkout, ...argv)).toMatchObject({
      status: 1,
      out: expect.stringMatching(`^${proof}:1:1 HOSTNAME_UNPROVEN namespace shop `),
    });
    checkout.dns.records.set('_leasehold.example.com', [text]);

    const { status, err } = await prove(checkout, ...argv);

    const above = domainProofPath({ holder, domain: 'example.com' });
    expect([status, err]).toEqual([0, `wrote ${above}\n`]);
    checkout.put(file, hostnameText(name));
    expect((await checkout.run('synth', '--today', '2026-01-03')).status).toBe(0);
  });

  test('names the proofs that no declared hostname uses', async () => {
    const checkout = await requiringProofs();
    checkout.dns.records.set('_leasehold.example.com', [text]);
    checkout.dns.records.set(`_leasehold.${name}`, [text]);
    checkout.put(file, hostnameText('more.example.com'));
    await prove(checkout);
    await prove(checkout, name, '--holder', holder);

    const { err } = await prove(checkout);

    expect(err).toBe(`
no declared hostname uses these proofs; remove those of domains that changed hands:
  ${proof}
`);
  });

  test('names the records of all hostnames where the pool file requires no proof, each once', async () => {
    const checkout = await requiringProofs(routedPoolText);
    checkout.put(file, hostnameText(name));
    checkout.put('leases/shop/below.yaml', hostnameText(`*.${name}`));

    const { status, err } = await prove(checkout);

    const advice =
      'publish these records, there or at a domain above, and run `leasehold prove` again';
    expect([status, err]).toEqual([0, `\n${advice}:\n  _leasehold.${name} TXT "${text}"\n`]);
  });

  test('writes what it found when the DNS fails for other hostnames, and nothing when it found nothing', async () => {
    const checkout = await requiringProofs();
    checkout.dns.records.set('_leasehold.bad.example.org', 'SERVFAIL');
    checkout.put(file, hostnameText('bad.example.org'));
    const failed = await prove(checkout);
    expect(failed).toEqual({
      status: 74,
      out: '',
      err: 'leasehold: the DNS gave no answer for _leasehold.bad.example.org (SERVFAIL); try again, or name another resolver with --resolver\n',
    });
    checkout.dns.records.set(`_leasehold.${name}`, [text]);
    checkout.put('leases/shop/more.yaml', hostnameText(name));

    const { status, out } = await prove(checkout);

    expect([status, out]).toEqual([0, expect.stringMatching(/^bad\.example\.org +no answer /m)]);
    expect(checkout.read(proof)).toContain(`domain: '${name}'`);
    expect((await prove(checkout, name, 'bad.example.org')).status).toBe(74);
  });

  test('answers for programs', async () => {
    const checkout = await requiringProofs();
    checkout.dns.records.set(`_leasehold.${name}`, [text]);
    checkout.put(file, hostnameText(name));

    const argv = ['prove', '--resolver', checkout.dns.server];
    const answer = await answerOf(argv, checkout.root, { schema: 'hostname-proofs' });

    expect(answer).toMatchObject({
      kind: 'HostnameProofs',
      items: [{ hostname: name, state: 'proven', required: true, domain: name }],
      files: [proof],
    });
  });

  test.each([
    [
      ['nope.example.com'],
      'no declaration has the hostname nope.example.com; name its holder with --holder',
    ],
    [
      ['No.example.com', '--holder', holder],
      "'No.example.com' is not a hostname: not in canonical form; write no.example.com",
    ],
    [['--holder', holder], '--holder is for named hostnames'],
    [['--base', 'main'], '--base is for --check'],
    [['--check', name], '--check looks up proofs, not hostnames'],
    [['--head', 'HEAD'], '--head is for --check'],
    [['--resolver', 'dns.example'], "'dns.example' is not an IP address with an optional port"],
  ])('refuses %j', async (argv, reason) => {
    const { run } = await requiringProofs();
    expect(await run('prove', ...argv)).toMatchObject({
      status: 64,
      err: `leasehold: ${reason}\n`,
    });
  });
});

describe('leasehold prove --check', () => {
  /** A committed proof on `main`. */
  async function proven() {
    const checkout = await requiringProofs();
    checkout.dns.records.set(`_leasehold.${name}`, [text]);
    checkout.put(file, hostnameText(name));
    await prove(checkout);
    await checkout.synth('2026-01-03');
    checkout.repository.git('branch', '-f', 'main');
    return checkout;
  }

  test('reports a proof whose record is gone, and writes nothing', async () => {
    const checkout = await proven();
    expect(await prove(checkout, '--check')).toEqual({
      status: 0,
      out: '1 proof holds\n',
      err: '',
    });
    checkout.dns.records.clear();

    const { status, out } = await prove(checkout, '--check');

    expect([status, out]).toEqual([
      1,
      expect.stringContaining(
        `${proof}:1:1 PROOF_GONE _leasehold.${name} has no TXT record "${text}", which this file says it had on 2026-01-03`,
      ),
    ]);
    expect(checkout.repository.git('status', '--porcelain')).toBe('');
  });

  test('with --base looks up only the proofs that the base does not have: one written by hand is found', async () => {
    const checkout = await proven();
    checkout.dns.asked.length = 0;
    const forged = domainProofPath({ holder, domain: 'bank.example' });
    checkout.put(forged, checkout.read(proof).replace(name, 'bank.example'));

    const { status, out } = await prove(checkout, '--check', '--base', 'main');

    expect([status, out]).toEqual([1, expect.stringContaining(`${forged}:1:1 PROOF_GONE`)]);
    expect(checkout.dns.asked).toEqual(['_leasehold.bank.example']);
    checkout.commit('2026-01-04');
    expect((await checkout.run('plan', '--base', 'main')).out).toContain(
      `PROOF_CHANGED the proof of bank.example for namespace shop is new, and says that it was seen on 2026-01-03 (${forged}:1)`,
    );
    checkout.put(forged, '');
    // Attributes of the branch can make the working tree differ from the commit.
    const committed = await prove(checkout, '--check', '--base', 'main', '--head', 'HEAD');
    expect([committed.status, committed.out]).toEqual([1, out]);
    const argv = ['prove', '--check', '--base', 'main'];
    const answer = await answerOf(argv, checkout.root, { schema: 'proof-check' });
    expect(answer).toMatchObject({ kind: 'ProofCheck', checked: 0 });
  });

  test('fails when the DNS gives no answer', async () => {
    const checkout = await proven();
    checkout.dns.records.set(`_leasehold.${name}`, 'SERVFAIL');
    expect(await prove(checkout, '--check')).toMatchObject({ status: 74, out: '' });
  });
});
