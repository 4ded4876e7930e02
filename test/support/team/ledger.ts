import { Book, type LandingDays, type Page } from './book.ts';
import { brokenHostnames } from './hostname-promises.ts';
import {
  familyOf,
  formersOf,
  heldIn,
  isServed,
  promiseOf,
  type TreeView,
  wantedIn,
} from './view.ts';

/** A change that has landed: a pull request, or a commit of the bot. */
export interface Landing extends LandingDays {
  /** The tree of main with it. */
  readonly view: TreeView;
}

/** The books of promises of one main branch, kept by what landed, and by no code of the product. */
export class Ledger {
  readonly addresses = new Book();
  readonly hostnames = new Book();
  #before: TreeView | undefined;

  /** What the last landing gave to somebody else, or forgot, before its retention since the landing of its release. */
  get early(): readonly string[] {
    return [...this.addresses.early, ...this.hostnames.early];
  }

  /** How many days too few, since the landing, the last landing keeps what it releases. */
  get short(): readonly number[] {
    return [...this.addresses.short, ...this.hostnames.short];
  }

  /** Records a landing that breaks no promise; else returns those that it would break. */
  brokenBy(landing: Landing): readonly string[] {
    const [before, addresses, hostnames] = [
      this.#before,
      this.addresses.entries,
      this.hostnames.entries,
    ];
    const broken = this.#broken(landing);
    if (broken.length > 0) {
      this.#before = before;
      this.addresses.takeBack(addresses);
      this.hostnames.takeBack(hostnames);
    }
    return broken;
  }

  #broken(landing: Landing): readonly string[] {
    const { view } = landing;
    const before = this.#before;
    this.#before = view;
    return [
      ...unserved(view),
      ...idlePromises(view),
      ...misannounced(view),
      ...this.addresses.brokenBy(landing, addressPages(view)),
      ...(before ? silentMoves(before, landing) : []),
      ...this.hostnames.brokenBy(landing, hostnamePages(view)),
      ...brokenHostnames(before, view),
    ];
  }
}

function addressPages(view: TreeView): ReadonlyMap<string, Page> {
  const wanted = wantedIn(view);
  const declared = new Set(view.claims.map(({ holder }) => holder));
  return new Map(
    [...view.records].map(([address, record]) => {
      const formers = [...formersOf(view, record.holder)].filter((one) => !declared.has(one));
      const claims = wanted.get(`${record.holder} ${familyOf(address)}`) ?? [];
      const promise = promiseOf(view, address, claims);
      return [address, { record, isWanted: claims.length > 0, promise, formers }];
    }),
  );
}

function hostnamePages(view: TreeView): ReadonlyMap<string, Page> {
  return new Map(
    [...view.hostnameRecords].map(([hostname, record]) => {
      const isWanted = view.hostnames.some(
        (one) => one.hostname === hostname && one.holder === record.holder,
      );
      return [hostname, { record, isWanted, promise: view.hostnameRetention, formers: [] }];
    }),
  );
}

/** Who had an address and has another one of the family has been moved because somebody asked. */
function silentMoves(before: TreeView, { moves, view }: Landing): readonly string[] {
  const held = heldIn(view);
  const now = new Map([...held].map(([address, key]) => [key, address]));
  return [...heldIn(before)].flatMap(([address, key]) => {
    const [holder = ''] = key.split(' ');
    const after = now.get(key);
    const isSame = after === undefined || held.get(address) === key;
    return isSame || moves.has(holder) ? [] : [`${key} went from ${address} to ${after}`];
  });
}

/** Who declares something has one address of each family for it, and nobody else has any. */
function unserved(view: TreeView): readonly string[] {
  const served = [...heldIn(view).values()];
  const wanted = wantedIn(view);
  const twice = served.filter((key, index) => served.indexOf(key) !== index);
  return [
    ...twice.map((key) => `${key} has two addresses`),
    ...[...wanted.keys()].filter((key) => !served.includes(key)).map((key) => `${key} has none`),
    ...served.filter((key) => !wanted.has(key)).map((key) => `${key} holds without a claim`),
  ];
}

/** A promise is gone once a lease has its address. */
function idlePromises({ claims, promises }: TreeView): readonly string[] {
  const leased = new Set(claims.filter(isServed).map(({ holder }) => holder));
  return promises
    .filter(({ holder }) => leased.has(holder))
    .map(({ file, holder }) => `${file} stays beside a lease of ${holder}`);
}

/** Every held address is announced once, unless it is only promised, and nothing else is. */
function misannounced(view: TreeView): readonly string[] {
  const held = heldIn(view);
  const wrong: string[] = [];
  for (const [address, files] of view.announced) {
    if (!held.has(address)) wrong.push(`${files} announces ${address}, which nobody holds`);
    if (files.length > 1) wrong.push(`${address} is announced by ${files.join(' and ')}`);
  }
  const wanted = wantedIn(view);
  for (const [address, key] of held) {
    const isServing = wanted.get(key)?.some(isServed) ?? true;
    if (!view.announced.has(address) && isServing)
      wrong.push(`${address} is held and not announced`);
    if (view.announced.has(address) && !isServing)
      wrong.push(`${address} is only promised and is announced`);
  }
  const astray = view.pinned.filter(
    ({ address, file }) => !view.announced.get(address)?.includes(file),
  );
  return [...wrong, ...astray.map(({ address, file }) => `${file} pins ${address}, of another`)];
}
