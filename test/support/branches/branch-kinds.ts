import { type EndpointText, leaseText } from '../declarations/lease-text.ts';
import { providerPoolsText } from '../declarations/pools-text.ts';
import type { FileTexts } from '../trees/tree-bytes.ts';

/** One thing that a pull request does. */
export interface BranchKind {
  readonly name: string;
  /** The declarations after it; two branches of one kind are its side 0 and its side 1. */
  edit(files: FileTexts, side: 0 | 1): FileTexts;
  /** Whether the branch runs `prune` instead of `synth`. */
  readonly isPrune?: boolean;
}

/** The declarations before all branches, and before them `old`, who left a released address behind. */
export function baseDeclarations(): { readonly before: FileTexts; readonly base: FileTexts } {
  const lease = (owner: string, dseq: number, ...endpoints: EndpointText[]) =>
    [pathOf(owner, dseq), leaseText(owner, dseq, endpoints)] as const;
  const base = new Map([
    ['leases/pools.yaml', pools],
    lease('ann', 1000, web),
    lease('bob', 1001, web),
    lease('cat', 1002, web, { ...web, externalPort: 443 }),
    lease('dan', 1003, web, mail),
    lease('dan', 1004, { ...web, name: 'back', port: 8088 }),
    lease('eve', 1005, { ...web, zone: 'rack' }),
    lease('fay', 1006, { ...web, zone: 'rack' }),
    lease('gus', 1007, { ...web, zone: 'edge', ipFamily: 'dual' }),
    lease('hal', 1008, { ...web, zone: 'tiny' }),
    ...['ida', 'joe', 'kim', 'lea', 'max', 'ned'].map((owner, index) =>
      lease(owner, 1009 + index, web),
    ),
  ]);
  return { base, before: new Map([...base, lease('old', 1999, { ...web, zone: 'tiny' })]) };
}

const web = { name: 'front', service: 'web', port: 8080, externalPort: 80 };
const mail = { name: 'mail', service: 'smtp', port: 2525, externalPort: 25 };

const poolsHead = providerPoolsText(`defaultZone: inet
pools:
`);
const pools = `${poolsHead}  - name: default
    zone: inet
    addresses: [203.0.113.0/24]
    retentionDays: 1

  - name: rack
    zone: rack
    addresses: [198.51.100.0/28]
    reserved: []
    state: active
    strategy: lowest

  - name: edge
    zone: edge
    addresses: [10.1.0.0/24, '2001:db8::/64']

  - name: tiny
    zone: tiny
    addresses: [192.0.2.0/31]
    retentionDays: 0
`;

/** All kinds. What two of them do to each other is what test/slow/branches.test.ts asks. */
export const branchKinds: readonly BranchKind[] = [
  kind('add a lease', (files, side) => put(files, `new ${side}`, 2000 + side, web)),
  kind('add a lease on both families', (files, side) =>
    put(files, `dual ${side}`, 2010 + side, { ...web, zone: 'edge', ipFamily: 'dual' }),
  ),
  kind('take the lowest address', (files, side) =>
    put(files, `low ${side}`, 2020 + side, { ...web, zone: 'rack' }),
  ),
  kind('take the last address', (files, side) =>
    put(files, `late ${side}`, 2030 + side, { ...web, zone: 'tiny' }),
  ),
  kind('pin an address', (files, side) =>
    put(files, `pin ${side}`, 2040 + side, { ...web, address: `203.0.113.${100 + side}` }),
  ),
  kind('pin the same address', (files, side) =>
    put(files, `rival ${side}`, 2050 + side, { ...web, address: '203.0.113.99' }),
  ),
  kind('add the same lease', (files) => put(files, 'same', 2060, web)),
  kind('add a lease of the same holder', (files, side) =>
    put(files, 'shared', 2070 + side, { ...web, externalPort: 80 + side }),
  ),
  kind('pin the same holder elsewhere', (files, side) =>
    put(files, 'split', 2080 + side, {
      ...web,
      externalPort: 80 + side,
      address: `203.0.113.${240 + side}`,
    }),
  ),
  kind('add two leases of one owner', (files, side) =>
    put(put(files, `duo ${side}`, 2090 + side, web), `duo ${side}`, 2095 + side, mail),
  ),
  kind('join a holder with another lease', (files, side) =>
    put(files, 'ann', 2100 + side, { ...web, service: 'api', externalPort: 8000 + side }),
  ),
  kind('add a claim to a lease', (files, side) =>
    put(files, 'bob', 1001, web, { ...web, service: 'api', externalPort: 8000 + side }),
  ),
  kind('change a target port', (files, side) =>
    side === 0
      ? put(files, 'ida', 1009, { ...web, port: 9000 })
      : put(files, 'joe', 1010, { ...web, port: 9000 }),
  ),
  kind('change the same target port', (files, side) =>
    put(files, 'kim', 1011, { ...web, port: 9000 + side }),
  ),
  kind('change the port of one who is replaced', (files, side) =>
    put(files, 'hal', 1008, { ...web, zone: 'tiny', port: 9000 + side }),
  ),
  kind('rename an endpoint', (files, side) =>
    put(files, 'lea', 1012, { ...web, name: side === 0 ? 'shop' : 'store' }),
  ),
  kind('remove a lease', (files, side) =>
    side === 0 ? remove(files, 'max', 1013) : remove(files, 'ned', 1014),
  ),
  kind('remove the same lease', (files) => remove(files, 'kim', 1011)),
  kind('remove one of two claims', (files) => put(files, 'cat', 1002, web)),
  kind('move an endpoint to another lease', (files) =>
    put(
      put(files, 'dan', 1003, mail),
      'dan',
      1004,
      { ...web, name: 'back', port: 8088 },
      { ...web, service: 'site' },
    ),
  ),
  kind('replace a tenant', (files, side) =>
    put(remove(files, 'hal', 1008), `heir ${side}`, 2110 + side, { ...web, zone: 'tiny' }),
  ),
  kind('promise a longer retention', (files, side) =>
    put(files, 'gus', 1007, {
      ...web,
      zone: 'edge',
      ipFamily: 'dual',
      retentionDays: 10 + side,
    }),
  ),
  kind('reserve the lowest address', (files) =>
    editPools(files, 'reserved: []', 'reserved: [198.51.100.2]'),
  ),
  kind('shrink a pool', (files) =>
    editPools(files, '[198.51.100.0/28]', '[198.51.100.0-198.51.100.1]'),
  ),
  kind('drain a pool', (files) => editPools(files, 'state: active', 'state: draining')),
  kind('lengthen a retention', (files) => editPools(files, 'retentionDays: 1', 'retentionDays: 5')),
  kind('add a pool', (files, side) =>
    editPools(files, poolsHead, `${poolsHead}${anotherPool(side)}`),
  ),
  { ...kind('prune', (files) => files), isPrune: true },
];

function anotherPool(side: 0 | 1): string {
  return `  - name: more-${side}\n    zone: inet\n    addresses: [192.0.2.${100 + side}]\n\n`;
}

function kind(name: string, edit: BranchKind['edit']): BranchKind {
  return { name, edit };
}

function pathOf(owner: string, dseq: number): string {
  return `leases/${owner.replace(' ', '-')}/${dseq}.yaml`;
}

/** A lease, new or as it is after an edit. */
function put(
  files: FileTexts,
  owner: string,
  dseq: number,
  ...endpoints: EndpointText[]
): FileTexts {
  return new Map([...files, [pathOf(owner, dseq), leaseText(owner, dseq, endpoints)]]);
}

function remove(files: FileTexts, owner: string, dseq: number): FileTexts {
  return new Map([...files].filter(([path]) => path !== pathOf(owner, dseq)));
}

function editPools(files: FileTexts, from: string, into: string): FileTexts {
  const text = files.get('leases/pools.yaml') ?? '';
  if (!text.includes(from)) throw new Error(`the pools have no ${from}`);
  return new Map([...files, ['leases/pools.yaml', text.replace(from, into)]]);
}
