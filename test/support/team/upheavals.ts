import { rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Desk,
  type Edit,
  type Edited,
  leaseDocument,
  ownFiles,
  read,
  write,
} from './edits.ts';
import { oneOf } from './town.ts';
import { type Document, heldIn, isServed, type TreeView } from './view.ts';

/** What tenants do that clashes with others, or ends much at once. */
export const upheavals: readonly Edit[] = [contest, contest, renameService, renameService];

/** What the operator does to many. */
export const operatorUpheavals: readonly Edit[] = [offboard, shrink];

/** Pins one of the few addresses that everybody wants, or what has just become free. */
function contest(desk: Desk): Edited {
  const { person, random, number, view } = desk;
  const free = [...view.records.values()].filter(({ address, freeFrom = '~' }) => {
    return freeFrom <= person.clone.today && address.startsWith('203.');
  });
  const former = random.chance(0.5) ? oneOf(random, free)?.address : undefined;
  const address = former ?? `203.0.113.${1 + random.below(3)}`;
  const own = { name: `pin-${number}`, service: 'web', port: 8080, externalPort: 80, address };
  write(desk, `${person.folder}/lease-${number}.yaml`, leaseDocument(person, number, [own]));
  return { did: `contest ${address} with lease ${number}` };
}

/** Another name for a Service, which in every second case is to keep its address. */
function renameService(desk: Desk): Edited | undefined {
  const file = oneOf(desk.random, ownFiles(desk, 'service'));
  if (file === undefined) return undefined;
  const document = read(desk, file);
  const { name, namespace, annotations } = document.metadata;
  document.metadata.name = `web-${desk.number}`;
  const address = addressOf(desk.view, `default/service/${namespace}/${name}`);
  const isKept = address !== undefined && desk.random.chance(0.5);
  if (isKept)
    document.metadata.annotations = { ...annotations, 'ipam.vitistack.io/addresses': address };
  write(desk, file, document);
  return { did: `rename the Service in ${file}${isKept ? ', with its address' : ''}` };
}

function addressOf(view: TreeView, holder: string): string | undefined {
  return [...heldIn(view)].find(([, key]) => key.startsWith(`${holder} `))?.[0];
}

/** Ends all leases of so many tenants that it is a mass release. */
function offboard({ view, person, random }: Desk): Edited | undefined {
  const served = view.claims.filter(isServed);
  const holders = new Set<string>();
  const folders = random.shuffled(new Set(served.map(({ file }) => folderOf(file))));
  const gone = folders.filter((folder) => {
    const isNeeded = holders.size < 4;
    const own = served.filter(({ file }) => folderOf(file) === folder);
    if (isNeeded) for (const { holder } of own) holders.add(holder);
    return isNeeded;
  });
  if (holders.size < 4) return undefined;
  const files = new Set(
    served.map(({ file }) => file).filter((file) => gone.includes(folderOf(file))),
  );
  for (const file of files) rmSync(join(person.clone.root, file));
  return { did: `end all leases in ${gone.join(' and ')}` };
}

function folderOf(file: string): string {
  return file.split('/').slice(0, 2).join('/');
}

/** The last half of a range leaves its pool, with the addresses that are held there. */
function shrink(desk: Desk): Edited | undefined {
  const document = read(desk, 'leases/pools.yaml');
  const pool: Document = document.pools.find(({ zone }: Document) => zone === 'inet');
  const [first, length] = pool.addresses[0].split('/');
  if (length === undefined || Number(length) > 28) return undefined;
  pool.addresses[0] = `${first}/${Number(length) + 1}`;
  const { reserved = [], addresses } = pool;
  const size = 2 ** (32 - Number(length) - 1);
  pool.reserved = reserved.filter((one: string) => {
    return Number(one.split('.')[3]) < size || addresses.includes(one);
  });
  if (pool.reserved.length === 0) delete pool.reserved;
  write(desk, 'leases/pools.yaml', document);
  return { did: 'shrink a pool' };
}
