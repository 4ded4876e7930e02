import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { poolsText } from '../declarations/pools-text.ts';
import { remade } from './cached-repository.ts';
import { type LeaseCheckout, leaseCheckout } from './lease-checkout.ts';

const pools = poolsText(`clusters: [{ name: default }]
pools:
  - name: default
    zone: inet
    addresses: [203.0.113.0/28, '2001:db8::/124']
    strategy: lowest
`);

/** The first address of the pool of {@link owners}. */
export const first = '203.0.113.0';

/** A Service `web` of a namespace with these annotations, a line each. */
export function serviceText(namespace: string, ...annotations: readonly string[]): string {
  const head = `apiVersion: v1\nkind: Service\nmetadata:\n  name: web\n  namespace: ${namespace}\n`;
  const lines = annotations.map((line) => `    ${line}\n`).join('');
  const notes = lines === '' ? '' : `  annotations:\n${lines}`;
  return `${head}${notes}spec:\n  type: LoadBalancer\n  selector: { app: web }\n  ports: [{ port: 80 }]\n`;
}

/** Names the key `own`, in a line with a comment; kept for a week after release. */
export const owned = [
  'ipam.vitistack.io/secret: own # of the shop',
  "ipam.vitistack.io/retention-period-days: '7'",
];

/** A file outside every repository with a secret and a line break. */
export function secretFile(secret: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'leasehold-secret-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'secret'), `${secret}\n`);
  return join(folder, 'secret');
}

/** A clone in which `shop/web` holds {@link first} with the key `shop/own`, whose secret is in a file. */
export interface Owners extends LeaseCheckout {
  readonly secret: string;
  /** `key COMMAND shop/own …` with the secret. */
  key(command: string, ...argv: readonly string[]): ReturnType<LeaseCheckout['run']>;
}

/** On 2026-01-02 the Service has its address; see {@link Owners}. */
export async function owners(...more: readonly string[]): Promise<Owners> {
  const checkout = await remade(`owners ${more.join('\n')}`, () => shop(more));
  const secret = secretFile(secretWords);
  return {
    ...checkout,
    secret,
    key: (command, ...argv) =>
      checkout.run('key', command, 'shop/own', '--secret-file', secret, ...argv),
  };
}

const secretWords = 'correct horse battery staple';

async function shop(more: readonly string[]): Promise<LeaseCheckout> {
  const checkout = await leaseCheckout({
    'leases/pools.yaml': pools,
    '.gitignore': '.leasehold/\n',
  });
  const secret = secretFile(secretWords);
  const made = await checkout.run('key', 'new', 'shop/own', '--secret-file', secret);
  if (made.status !== 0) throw new Error(`${made.out}${made.err}`);
  checkout.put('leases/shop/web.yaml', serviceText('shop', ...owned, ...more));
  await checkout.synth('2026-01-02', 'The shop');
  return checkout;
}

/** Runs synth on a day, and gives the codes of its problems. */
export async function synth({ run }: Owners, day: string): Promise<string> {
  const { status, out } = await run('synth', '--today', day);
  return status === 0
    ? 'fine'
    : [...out.matchAll(/:\d+ ([A-Z_]+) /g)].map(([, code]) => code).join();
}

/** What `check --base` says of what is committed since a commit. */
export async function judged({ run, repository }: Owners, base: string): Promise<string> {
  repository.git('add', '-A');
  const { status, out } = await run('check', '--base', base);
  return status === 0
    ? 'fine'
    : [...out.matchAll(/:\d+ ([A-Z_]+) /g)].map(([, code]) => code).join();
}

/** The annotation with a signature that a command has printed. */
export function signature(out: string): string {
  return `leasehold.dev/signature: '${out.trim()}'`;
}
