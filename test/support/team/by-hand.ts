import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { daysAfter } from '../allocations/naive-rules.ts';
import { putFile } from '../trees/temp-tree.ts';
import type { Team } from './forge.ts';
import type { Told } from './hints.ts';
import type { Person } from './town.ts';
import { type Document, viewOf } from './view.ts';

/** A problem at hand, and who follows its hint in the own checkout. */
export interface Hand {
  readonly person: Person;
  readonly told: Told;
  readonly team: Team;
  /** The branch that the change goes to. */
  readonly base: string;
}

type Act = (hand: Hand, said: RegExpMatchArray) => boolean;

/** What hints ask for in words, each with what a person does then. False where that changes nothing. */
const acts: readonly (readonly [RegExp, Act])[] = [
  [/add the trailer (Leasehold-[\w-]+: \S+) to a commit/, confirm],
  [/add a comment line \(#\)/, (hand) => comment(hand, hand.told.file)],
  [/in a comment in (\S+?)[,;]?(?: |$)/, (hand, [, file = '']) => comment(hand, file)],
  [/correct the machine's clock/i, correctClock],
  [/pin (\S*\d) in (\S+?)[,;]?(?: |$)/, (hand, [, pin = '', file = '']) => pinned(hand, file, pin)],
  [/pin an(?:other)? address of (?:the )?pool \S+ \(([^)]*)\)/, pinAnother],
  [
    /remove (?:the|this|its|your) pin\b|remove one of the two pins/,
    (hand) => pinned(hand, hand.told.file, undefined),
  ],
  [/use another (?:host)?name|name another hostname/i, useAnotherName],
  [/change (?:externalPort|the port)/, changePort],
  [/^remove it from reserved/, unreserve],
  [/^remove the address from one of the two entries/, separated],
  [/^use the same zone in all of them/, sameZone],
  [/ask for a higher quota in (\S+)/, (hand, [, file = '']) => edited(hand, file, raiseQuota)],
  [/have the quota raised first/, raisedFirst],
  [/change leases\/pools\.yaml in a separate pull request/, offeredFirst],
  [/widen the pool in ([\w/.-]+yaml)/, widen],
  [
    /use an earlier day/,
    (hand) =>
      edited(hand, hand.told.file, ({ spec }) => {
        spec.until = daysAfter(hand.person.clone.today, 29);
      }),
  ],
  [/wait until (\d{4}-\d\d-\d\d)|again (?:on|from) (\d{4}-\d\d-\d\d)/, wait],
  [/edit it(?:,| and) `git add` it/, takeSide],
  [/put all endpoints of a lease in one file/, joinLease],
  [
    /remove (?:it here|this one|the file|this declaration|one of the two\b(?! pins))|keep one of the two|^(?:first )?(?:end|release) (?:a lease|one of its leases)/,
    remove,
  ],
];

/** True for words that somebody can follow by hand. */
export function isByHand(words: string): boolean {
  return acts.some(([said]) => said.test(words));
}

/** Does what words say. False where they say nothing that changes something. */
export function didByHand(hand: Hand, words: string): boolean {
  return acts.some(([pattern, act]) => {
    const said = words.match(pattern);
    return said !== null && isOwn(hand, said) && act(hand, said);
  });
}

/** Nobody edits the declaration of somebody else, whatever a hint says; the operator may. */
function isOwn({ person, told: { file } }: Hand, [said]: RegExpMatchArray): boolean {
  const isDeclared =
    file.startsWith('leases/') && !/leases\/(?:allocations|hostnames|pools)/.test(file);
  const isAsked = /trailer|clock|wait|again|widen|quota|separate|comment in|edit it/.test(said);
  return isAsked || person.isOperator || !isDeclared || file.startsWith(`${person.folder}/`);
}

function edited({ person }: Hand, file: string, change: (document: Document) => void): boolean {
  const path = join(person.clone.root, file);
  if (!existsSync(path) || !file.endsWith('.yaml')) return false;
  const before = readFileSync(path, 'utf8');
  const document = parse(before);
  change(document);
  const after = stringify(document);
  if (after === stringify(parse(before))) return false;
  putFile(person.clone.root, file, after);
  // As everybody does in a merge.
  return person.clone.isDone('add', '--', file);
}

function confirm({ person }: Hand, [, trailer = '']: RegExpMatchArray): boolean {
  const { clone } = person;
  return clone.isDone('commit', '-q', '--allow-empty', '-m', `Meant\n\n${trailer}`);
}

function comment({ person, team }: Hand, file: string): boolean {
  appendFileSync(join(person.clone.root, file), `# Meant, ${team.numbers()}.\n`);
  return person.clone.isDone('add', '--', file);
}

/** Nobody waits for more than two weeks. */
function wait({ person, team }: Hand, [, until = '', from = until]: RegExpMatchArray): boolean {
  const { clock } = team;
  for (let days = 0; days < 14 && person.clone.today < from; days += 1) {
    clock.today = daysAfter(clock.today, 1);
  }
  return person.clone.today >= from;
}

function correctClock({ person, team }: Hand): boolean {
  const { isWrong } = person.clock;
  if (isWrong) team.notes.count('clocks corrected');
  person.clock.correct();
  return isWrong;
}

/** Writes the pin of all that a file declares, or of the endpoint whose address the message tells; removes it without an address. */
function pinned(hand: Hand, file: string, pin: string | undefined): boolean {
  const { records } = viewOf(hand.person.clone.root);
  const endpoint = records.get(pin ?? '')?.holder.match(/-ip-(.*)$/)?.[1];
  return edited(hand, file, ({ kind, metadata, spec }) => {
    if (kind === 'Service') {
      metadata.annotations = { ...metadata.annotations };
      setOf(metadata.annotations, 'ipam.vitistack.io/addresses', pin);
    }
    if (kind === 'Reservation') setOf(spec, 'addresses', pin && [pin]);
    for (const one of spec.endpoints ?? []) {
      const isMeant = endpoint === undefined ? one.address !== undefined : one.name === endpoint;
      if (isMeant) setOf(one, 'address', pin);
    }
  });
}

function setOf(map: Document, key: string, value: unknown): void {
  if (value === undefined) delete map[key];
  else map[key] = value;
}

/** One of the addresses that the hint names, which has no record and no pin. */
function pinAnother(hand: Hand, [, ranges = '']: RegExpMatchArray): boolean {
  const { records, claims } = viewOf(hand.person.clone.root);
  const [, first = '', last = first] = ranges.match(/([\d.]+\.\d+)(?:-([\d.]+))?/) ?? [];
  const stem = first.slice(0, first.lastIndexOf('.') + 1);
  const pins = new Set(claims.flatMap((claim) => claim.pins));
  for (
    let part = Number(first.slice(stem.length));
    part <= Number(last.slice(stem.length));
    part += 1
  ) {
    const address = `${stem}${part}`;
    if (records.has(address) || pins.has(address)) continue;
    return pinned(hand, hand.told.file, undefined) && repinned(hand, address);
  }
  return false;
}

function repinned(hand: Hand, address: string): boolean {
  return edited(hand, hand.told.file, ({ kind, metadata, spec }) => {
    if (kind === 'Service') setOf(metadata.annotations, 'ipam.vitistack.io/addresses', address);
    const [endpoint] = spec.endpoints ?? [];
    if (endpoint) endpoint.address = address;
  });
}

/** The hostname that a message is about. */
function hostnameIn({ told }: Hand): string {
  return told.message.match(/hostname (\S+)/)?.[1] ?? '';
}

function useAnotherName(hand: Hand): boolean {
  const { person, told, team } = hand;
  const [path, name] = [join(person.clone.root, told.file), hostnameIn(hand)];
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  if (name === '' || !text.includes(name)) return false;
  const other = `${name.startsWith('*.') ? '*.' : ''}n${team.numbers()}.example.org`;
  putFile(person.clone.root, told.file, text.replaceAll(name, other));
  return person.clone.isDone('add', '--', told.file);
}

function changePort(hand: Hand): boolean {
  const port = Number(hand.told.message.match(/port (\d+)/)?.[1]);
  const other = 20_000 + (hand.team.numbers() % 10_000);
  return edited(hand, hand.told.file, ({ spec }) => {
    for (const one of spec.endpoints ?? []) {
      if ((one.externalPort ?? one.port) === port) one.externalPort = other;
    }
    for (const one of spec.ports ?? []) if (one.port === port) one.port = other;
  });
}

function widen(hand: Hand, [, file = '']: RegExpMatchArray): boolean {
  const name = hand.told.message.match(/pool (\S+) has/)?.[1];
  return edited(hand, file, ({ pools }) => {
    const pool = pools.find((one: Document) => one.name === name);
    const part = 100 + (hand.team.numbers() % 100);
    pool?.addresses.push(name === 'edge' ? `198.51.100.${part}` : `203.0.113.${part}`);
    if (name === 'edge') pool?.addresses.push(`2001:db8:1::${part}`);
  });
}

function raiseQuota({ quotas }: Document): void {
  quotas.default += 5;
}

/** The operator raises the quota in a change of its own, which lands. */
function raisedFirst({ team: { forge, notes }, base }: Hand): boolean {
  forge.change(base, 'Raise the quota', {
    file: 'leases/pools.yaml',
    changed(text) {
      const document = parse(text);
      raiseQuota(document);
      return stringify(document);
    },
  });
  notes.count('quotas raised first');
  return true;
}

/** The operator opens the pool for the address that the message tells, in a change of its own, which lands. */
function offeredFirst({ team: { forge, notes }, told, base }: Hand): boolean {
  const [address = ''] = told.message.split(' ');
  const zone = address.startsWith('203.') ? 'inet' : 'edge';
  forge.change(base, `Offer ${address}`, {
    file: 'leases/pools.yaml',
    changed(text) {
      const document = parse(text);
      if (/reserves it/.test(told.message)) unreserved(document, address);
      else document.pools.find((pool: Document) => pool.zone === zone).addresses.push(address);
      return stringify(document);
    },
  });
  notes.count('pools opened first');
  return true;
}

/** An entry of one address that another entry has too goes. */
function separated(hand: Hand): boolean {
  const [, address = ''] = hand.told.message.match(/ ha(?:s|ve) (\S+) in two entries/) ?? [];
  return edited(hand, 'leases/pools.yaml', ({ pools }) => {
    for (const pool of pools as Document[]) {
      const at = pool.addresses.findLastIndex((one: string) => one.split('/')[0] === address);
      if (at > 0) pool.addresses.splice(at, 1);
    }
  });
}

/** No endpoint of the file names a zone any more: those elsewhere decide. */
function sameZone(hand: Hand): boolean {
  return edited(hand, hand.told.file, ({ spec }) => {
    for (const one of spec.endpoints ?? []) setOf(one, 'zone', undefined);
  });
}

/** Reserves an address, or a block that begins with it, in no pool. */
function unreserved({ pools }: Document, address: string): void {
  for (const pool of (pools ?? []) as Document[]) {
    const left = (pool.reserved ?? []).filter((one: string) => one.split('/')[0] !== address);
    setOf(pool, 'reserved', left.length > 0 ? left : undefined);
  }
}

/** The range that the message tells is reserved in no pool any more. */
function unreserve(hand: Hand): boolean {
  const [block = ''] = hand.told.message.match(/[\da-f]*[.:][\da-f.:]+/) ?? [];
  return edited(hand, 'leases/pools.yaml', (document) => unreserved(document, block));
}

/** Takes what git has left of two sides as HEAD has it. */
function takeSide({ person: { clone }, told: { file } }: Hand): boolean {
  return clone.isDone('checkout', '-q', 'HEAD', '--', file) || clone.isDone('rm', '-q', '-f', file);
}

function joinLease(hand: Hand): boolean {
  const { person, told } = hand;
  const first = told.message.match(/declared in (\S+)/)?.[1] ?? '';
  const path = join(person.clone.root, told.file);
  if (!existsSync(path)) return false;
  const { endpoints = [], hosts = [] } = parse(readFileSync(path, 'utf8')).spec;
  const isJoined = edited(hand, first, ({ spec }) => {
    if (endpoints.length > 0) spec.endpoints = [...(spec.endpoints ?? []), ...endpoints];
    if (hosts.length > 0) spec.hosts = [...(spec.hosts ?? []), ...hosts];
  });
  return isJoined && person.clone.isDone('rm', '-q', '-f', '--', told.file);
}

/** Removes a hostname from a lease that has more; any other declaration as a whole. */
function remove(hand: Hand): boolean {
  const { person, told } = hand;
  const name = hostnameIn(hand);
  const path = join(person.clone.root, told.file);
  if (!existsSync(path)) return false;
  const { kind, spec } = parse(readFileSync(path, 'utf8'));
  const accepted: string[] = (spec.hosts ?? []).flatMap((one: Document) => one.accept);
  if (kind === 'Lease' && accepted.includes(name) && (accepted.length > 1 || spec.endpoints)) {
    return edited(hand, told.file, (document) => {
      const hosts = document.spec.hosts
        .map((one: Document) => ({
          ...one,
          accept: one.accept.filter((each: string) => each !== name),
        }))
        .filter(({ accept }: Document) => accept.length > 0);
      setOf(document.spec, 'hosts', hosts.length > 0 ? hosts : undefined);
    });
  }
  person.clone.git('add', '-A', '--', told.file);
  return person.clone.isDone('rm', '-q', '-f', '--', told.file);
}
