import { type Desk, type Edit, type Edited, heldBy, read, write } from './edits.ts';
import { oneOf } from './town.ts';
import type { Document } from './view.ts';

/** What the operator does beside what a tenant does: with the pools and with everybody's addresses. */
export const operatorEdits: readonly Edit[] = [
  ...[widen, retention, retention, hostnameRetention, hostnameRetention],
  ...[reserve, evict, evict, prune, prune],
];

/** An edit of one pool. */
function ofPools(desk: Desk, did: string, change: (pool: Document) => void): Edited {
  const document = read(desk, 'leases/pools.yaml');
  change(oneOf(desk.random, document.pools));
  write(desk, 'leases/pools.yaml', document);
  return { did };
}

function widen(desk: Desk): Edited {
  const more = `203.0.113.${100 + (desk.number % 100)}`;
  return ofPools(desk, 'widen a pool', (pool) => {
    if (pool.zone === 'inet' && !pool.addresses.includes(more)) pool.addresses.push(more);
  });
}

function retention(desk: Desk): Edited {
  return ofPools(desk, 'change a retention', (pool) => {
    pool.retentionDays = desk.random.below(12);
  });
}

function hostnameRetention(desk: Desk): Edited {
  const document = read(desk, 'leases/pools.yaml');
  document.hostnames.retentionDays = desk.random.below(12);
  write(desk, 'leases/pools.yaml', document);
  return { did: 'change the retention of hostnames' };
}

/** Keeps an address that nobody has from everybody. */
function reserve(desk: Desk): Edited {
  const address = `203.0.113.${desk.random.below(16)}`;
  return ofPools(desk, `reserve ${address}`, (pool) => {
    const isFree = !desk.view.records.has(address);
    if (pool.zone === 'inet' && isFree) withReserved(pool, address);
  });
}

function withReserved(pool: Document, address: string): void {
  pool.reserved = [...new Set([...(pool.reserved ?? []), address])];
}

/** The operator moves a tenant from an address and reserves that, in one pull request. */
function evict(desk: Desk): Edited | undefined {
  const record = heldBy(desk, 'leases/');
  if (!record) return undefined;
  const { address, holder } = record;
  const document = read(desk, 'leases/pools.yaml');
  const zone = address.startsWith('203.') ? 'inet' : 'edge';
  withReserved(
    document.pools.find((pool: Document) => pool.zone === zone),
    address,
  );
  write(desk, 'leases/pools.yaml', document);
  return {
    did: `reserve and move ${address}`,
    command: ['move', address, '--family', 'both'],
    moves: holder,
  };
}

function prune(): Edited {
  return { did: 'prune', command: ['prune'] };
}
