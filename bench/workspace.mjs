import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bech32 } from '@scure/base';
import { measure } from './measure.mjs';
import { commitAll, initRepository, packAll } from './repository.mjs';

/** Commits of {@link writeHistory}. Each adds a quarter of the leases. */
export const commits = 4;

/** Writes the repository of {@link writeWorkspace} to git, in four commits of four days, each after a synth. */
export function writeHistory(folder, count, cli, isNamed = false) {
  mkdirSync(folder);
  initRepository(folder);
  for (let part = 1; part <= commits; part += 1) {
    const day = `2026-01-${String(part).padStart(2, '0')}`;
    writeWorkspace(folder, Math.ceil((count * part) / commits), isNamed);
    measure([cli, 'synth', '--today', day, '-C', folder]);
    commitAll(folder, day, `Part ${part}`);
  }
  packAll(folder);
}

/** Writes a repository of `count` leases of one endpoint each, with a hostname if named; the same count gives the same bytes. */
export function writeWorkspace(folder, count, isNamed = false) {
  mkdirSync(join(folder, 'leases'), { recursive: true });
  writeFileSync(join(folder, 'leases/pools.yaml'), isNamed ? `${pools}${clusters}` : pools);
  for (let index = 0; index < count; index += 1) {
    if (index < 256) mkdirSync(join(folder, leasePath(index), '..'), { recursive: true });
    writeFileSync(
      join(folder, leasePath(index)),
      isNamed ? `${lease(index)}${hosts(index)}` : lease(index),
    );
  }
}

/** Where a lease is declared. */
export function leasePath(index) {
  return `leases/${String(index % 256).padStart(3, '0')}/${1_000_000 + index}.yaml`;
}

/** Without Namespaces, so that a lease is the four objects that both sides make. */
const pools = `apiVersion: leasehold.dev/v1
kind: Pools
provider: ${address('provider')}
emit: { namespaces: false }
pools:
  - name: default
    zone: inet
    addresses: [10.0.0.0/12]
    reserved: [10.0.0.1]
`;

/** What pools of named leases have besides. */
const clusters = `clusters:
  - name: default
    routes: { kind: HTTPRoute, gateway: { namespace: gateways, name: public } }
`;

function hosts(index) {
  return `  hosts: [{ service: web, accept: [site${index}.example.com] }]
`;
}

function lease(index) {
  return `apiVersion: leasehold.dev/v1
kind: Lease
spec:
  id:
    owner: ${address(`owner ${index}`)}
    dseq: '${1_000_000 + index}'
    gseq: 1
    oseq: 1
  endpoints:
    - name: web
      service: web
      port: 8080
      externalPort: 80
`;
}

export function address(name) {
  const digest = createHash('sha256').update(name).digest();
  return bech32.encode('akash', bech32.toWords(digest.subarray(0, 20)));
}
