import { readKind } from '../declarations/object-meta.ts';
import type { Allocation } from '../model/allocation.ts';
import { addDays, parseDay } from '../model/day.ts';
import { sha256Hex } from '../model/digest.ts';
import { type Outcome, ok, okUnless, type Problem, startOf } from '../model/problem.ts';
import { allocationsFolder } from '../model/repository-paths.ts';
import { type Address, formatAddress, isAddress, parseAddress } from '../net/address.ts';
import { holderPattern } from '../text/common-fields.ts';
import { valueAt } from '../text/message-text.ts';
import type { YamlDocument } from '../text/yaml/document.ts';
import { copyOf } from '../text/yaml/yaml-text.ts';
import { allocationSchema, publicKeyPattern } from './allocation-schema.ts';

/** The most bytes of a canonical allocation. */
const longestCanonical = 1024;

const canonical = new RegExp(
  [
    '^apiVersion: leasehold\\.dev/v1',
    'kind: Allocation',
    "address: '?([0-9a-f.:]{2,39})'?",
    "pool: '?([a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?)'?",
    `holder: (${holderPattern})`,
    'since: ([0-9-]{10})',
    'retain: ([0-9]|[1-9][0-9]|[12][0-9][0-9]|3[0-5][0-9]|36[0-5])',
    '(?:keepUntil: ([0-9-]{10})\n)?(?:released:\n  on: ([0-9-]{10})\n  freeFrom: ([0-9-]{10})\n(  confirmed: true\n)?)?',
  ].join('\n') +
    `(?:key: '(${publicKeyPattern})'\n)?(?:generation: ([1-9][0-9]{0,8})\n)?(shared: true\n)?(promised: true\n)?(?:movedFrom: '?([0-9a-f.:]{2,39})'?\n)?$`,
);

/** A word that every YAML reader reads as a string without quotes. */
const plainWord = /^(?!(?:y|n|yes|no|on|off|true|false|null|e-?[0-9]+)$)[a-z][a-z0-9-]*$/;

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * The file of an address, from the repository root; unique. IPv4:
 * `leases/allocations/203.0.113/203.0.113.7.yaml`. IPv6: the /64, then two hex digits of the
 * address's hash, so that no folder grows large, then the address with `-` for `:`.
 */
export function allocationPath(address: Address): string {
  const text = formatAddress(address);
  if (address.family === 'ipv4') {
    return `${allocationsFolder}/${text.slice(0, text.lastIndexOf('.'))}/${text}.yaml`;
  }
  const network = [112n, 96n, 80n, 64n].map((shift) =>
    ((address.value >> shift) & 0xffffn).toString(16),
  );
  const shard = sha256Hex(text).slice(0, 2);
  return `${allocationsFolder}/${network.join('-')}/${shard}/${text.replaceAll(':', '-')}.yaml`;
}

/**
 * Prints the canonical text of an allocation: equal allocations give equal bytes. IPv6 is quoted
 * because it can end in a colon.
 */
export function printAllocation(allocation: Allocation): string {
  const { address, pool, holder, since, retain, keepUntil, released } = allocation;
  const { key, generation, shared, promised, movedFrom } = allocation;
  return [
    'apiVersion: leasehold.dev/v1\nkind: Allocation\n',
    `address: ${addressText(address)}\n`,
    `pool: ${plainWord.test(pool) ? pool : `'${pool}'`}\n`,
    `holder: ${holder}\nsince: ${since}\nretain: ${retain}\n`,
    keepUntil === undefined ? '' : `keepUntil: ${keepUntil}\n`,
    released === undefined ? '' : `released:\n  on: ${released.on}\n`,
    released === undefined ? '' : `  freeFrom: ${released.freeFrom}\n`,
    released?.confirmed ? '  confirmed: true\n' : '',
    key === undefined ? '' : `key: '${key}'\n`,
    generation === 0 ? '' : `generation: ${generation}\n`,
    shared ? 'shared: true\n' : '',
    promised ? 'promised: true\n' : '',
    movedFrom === undefined ? '' : `movedFrom: ${addressText(movedFrom)}\n`,
  ].join('');
}

function addressText(address: Address): string {
  const text = formatAddress(address);
  return address.family === 'ipv4' ? text : `'${text}'`;
}

/**
 * Reads an allocation file. A file with other bytes than those of {@link printAllocation} is
 * accepted; a later comparison reports it as stale. Problems: those of {@link readKind},
 * ADDRESS_INVALID, and ALLOCATION_INVALID for a file that contradicts itself or its path.
 */
export function readAllocation(file: string, bytes: Uint8Array): Outcome<Allocation> {
  const known = readCanonical(file, bytes);
  if (known && contradictionsIn(known, file, allocationPath(known.address)).length === 0) {
    return ok(known);
  }
  return readAnyForm(file, bytes);
}

/**
 * Reads a canonical text without a YAML parser, because there can be many of these files. Undefined
 * for any other text.
 */
function readCanonical(file: string, bytes: Uint8Array): Allocation | undefined {
  if (bytes.length > longestCanonical) return undefined;
  const text = decoder.decode(bytes);
  const match = canonical.exec(text);
  if (!match) return undefined;
  const [, addressMatch = '', pool = '', holder = '', sinceText = '', retain, ...rest] = match;
  const [keepText, onText, freeText, confirmed, key, generation, shared, promisedText, movedText] =
    rest;
  const address = parseAddress(addressMatch);
  const since = parseDay(sinceText);
  const [keepUntil, on, freeFrom] = [keepText, onText, freeText].map((day) => parseDay(day ?? ''));
  const moved = movedText === undefined ? undefined : parseAddress(movedText);
  const movedFrom = moved && isAddress(moved) ? moved : undefined;
  if (!isAddress(address) || since === undefined) return undefined;
  const mark = confirmed === undefined ? {} : { confirmed: true as const };
  const released =
    on !== undefined && freeFrom !== undefined ? { on, freeFrom, ...mark } : undefined;
  const at = startOf(file);
  const days = { since, retain: Number(retain), keepUntil, released };
  const count = Number(generation ?? 0);
  const owner = { key, generation: count, shared: shared !== undefined, movedFrom };
  const promised = promisedText !== undefined;
  const allocation: Allocation = {
    address,
    pool,
    holder: copyOf(holder),
    ...days,
    ...owner,
    promised,
    at,
  };
  if (printAllocation(allocation) !== text) return undefined;
  asPrinted.add(allocation);
  return allocation;
}

/** The records that were read from the bytes of {@link printAllocation}. */
const asPrinted = new WeakSet<Allocation>();

/** True for a record that was read from a file with exactly its {@link printAllocation}. */
export function isAsPrinted(record: Allocation): boolean {
  return asPrinted.has(record);
}

function readAnyForm(file: string, bytes: Uint8Array): Outcome<Allocation> {
  const read = readKind(file, bytes, { kind: 'Allocation', schema: allocationSchema });
  if (!read.ok) return read;
  const { written, document } = read.value;
  const { address, pool, holder, since, retain, keepUntil, released } = written;
  const { key, generation = 0, shared = false, promised = false, movedFrom } = written;
  const days = { since, retain, keepUntil, released };
  const value = {
    address,
    pool,
    holder,
    ...days,
    key,
    generation,
    shared,
    promised,
    movedFrom,
    at: startOf(file),
  };
  const problems = [
    ...addressProblems(address, document),
    ...contradictionsIn(value, file, allocationPath(address)).map(({ path, message }) =>
      invalid(document, path, message),
    ),
  ];
  return okUnless(problems, value);
}

function addressProblems(address: Address, document: YamlDocument): Problem[] {
  const written = valueAt(document.value, ['address']);
  const text = formatAddress(address);
  if (written === text) return [];
  return [invalid(document, ['address'], `the address is written ${written}, expected ${text}`)];
}

function invalid(document: YamlDocument, path: readonly string[], message: string): Problem {
  return { code: 'ALLOCATION_INVALID', message, at: document.at(path) };
}

/** A contradiction in an allocation, and its field. */
interface Contradiction {
  readonly path: readonly string[];
  readonly message: string;
}

/**
 * Finds contradictions of an allocation with itself or the path of its file: the path belongs to
 * the address, no day is before `since`, `freeFrom` is at least `retain` days after the release, a
 * released address has no `keepUntil` and is not promised, and a move stays within a family.
 */
function contradictionsIn(
  allocation: Allocation,
  file: string,
  expectedFile: string,
): readonly Contradiction[] {
  const { address, since, retain, keepUntil, released, key, shared, movedFrom } = allocation;
  const found: Contradiction[] = [];
  if (file !== expectedFile) {
    const message = `the file does not belong to ${formatAddress(address)}, expected ${expectedFile}`;
    found.push({ path: ['address'], message });
  }
  if (movedFrom && (movedFrom.family !== address.family || movedFrom.value === address.value)) {
    const message = `movedFrom ${formatAddress(movedFrom)} is not a different address of the same family`;
    found.push({ path: ['movedFrom'], message });
  }
  if (keepUntil !== undefined && keepUntil < since) {
    const message = `keepUntil ${keepUntil} is before since ${since}`;
    found.push({ path: ['keepUntil'], message });
  }
  if (shared && (key === undefined || released !== undefined)) {
    const message = 'shared is set on an address that is released or has no key';
    found.push({ path: ['shared'], message });
  }
  if (released === undefined) return found;
  if (allocation.promised) {
    found.push({ path: ['promised'], message: 'promised is set on an address that is released' });
  }
  if (keepUntil !== undefined) {
    const message = 'a released address has keepUntil, expected freeFrom only';
    found.push({ path: ['keepUntil'], message });
  }
  if (released.on < since) {
    const message = `released on ${released.on} is before since ${since}`;
    found.push({ path: ['released', 'on'], message });
  }
  const least = addDays(released.on, retain);
  if (released.freeFrom < least) {
    const message = `freeFrom ${released.freeFrom} is before ${least}, ${retain} days after the release`;
    found.push({ path: ['released', 'freeFrom'], message });
  }
  return found;
}
