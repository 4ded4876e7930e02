import { maxAliases, openSdl } from '../../core/declarations/lease/sdl.ts';
import { compareText } from '../../core/model/order.ts';
import {
  fail,
  failSorted,
  type Outcome,
  ok,
  type Position,
  type Problem,
} from '../../core/model/problem.ts';
import { type Address, type Family, formatAddress } from '../../core/net/address.ts';
import { type PlacedScalar, readScalars } from '../../core/text/yaml/yaml-document.ts';

/**
 * Text in an SDL that stands for a leased address: `$(leased.NAME)`, or with two addresses
 * `$(leased.NAME.ipv4)` and `$(leased.NAME.ipv6)`. With `.inside` after the name it is the address
 * inside of the NAT, else the public one.
 */
export interface Placeholder {
  /** The placeholder as written. */
  readonly text: string;
  /** The IP endpoint's name. */
  readonly endpoint: string;
  /** True for the address inside of the NAT. */
  readonly isInside: boolean;
  /** The address family; undefined when the placeholder names none. */
  readonly family: Family | undefined;
  readonly at: Position;
}

const start = '$(leased.';
const pattern = /\$\(leased\.([^().\s]+)(\.inside)?(?:\.(ipv4|ipv6))?\)/g;

/**
 * Replaces each placeholder of an SDL with the text of its address. All other bytes stay.
 * `addressOf` is called once for each placeholder that differs. Problems: those of {@link openSdl}
 * and of `addressOf`; SDL_PLACEHOLDER for a placeholder in another form, for an endpoint that no
 * deployed service requests, and for an address that needs quotes where it would stand.
 */
export function fillPlaceholders(
  file: string,
  bytes: Uint8Array,
  addressOf: (placeholder: Placeholder) => Outcome<Address>,
): Outcome<Uint8Array> {
  const sdl = openSdl(file, bytes);
  if (!sdl.ok) return sdl;
  const scalars = readScalars(file, bytes, maxAliases);
  if (!scalars.ok) return scalars;
  const names = new Set(
    sdl.value.placements.flatMap(({ endpoints }) => endpoints.map(({ name }) => name)),
  );
  const problems: Problem[] = [];
  const addresses = new Map<string, string>();
  for (const written of scalars.value.flatMap(placeholdersIn)) {
    if (addresses.has(written.text)) continue;
    const address = names.has(written.endpoint)
      ? addressOf(written)
      : unknownEndpoint(written, names);
    if (!address.ok) problems.push(...address.problems);
    addresses.set(written.text, address.ok ? formatAddress(address.value) : '');
  }
  problems.push(...scalars.value.flatMap(malformed));
  if (problems.length > 0) return failSorted(problems);
  const fill = (text: string) =>
    text.replace(pattern, (written) => addresses.get(written) ?? written);
  const filled = Buffer.from(fill(Buffer.from(bytes).toString('utf8')));
  const changed = changedText(file, { before: scalars.value, fill, filled });
  return changed ? fail([changed]) : ok(filled);
}

interface Filling {
  readonly before: readonly PlacedScalar[];
  readonly fill: (text: string) => string;
  readonly filled: Uint8Array;
}

function placeholdersIn({ value, at }: PlacedScalar): Placeholder[] {
  if (typeof value !== 'string') return [];
  return [...value.matchAll(pattern)].map(([text, endpoint = '', inside, family]) => ({
    text,
    endpoint,
    isInside: inside !== undefined,
    family: family as Family | undefined,
    at,
  }));
}

function unknownEndpoint({ text, endpoint, at }: Placeholder, names: ReadonlySet<string>) {
  const known = [...names].sort(compareText).join(', ');
  return fail([
    {
      code: 'SDL_PLACEHOLDER',
      message: `${text} names the IP endpoint '${endpoint}', which no deployed service of the SDL requests`,
      at,
      hint: known === '' ? 'the SDL requests no IP endpoint' : `the SDL requests ${known}`,
    },
  ]);
}

/** The problem of a string that begins a placeholder and does not end it. */
function malformed({ value, at }: PlacedScalar): Problem[] {
  if (typeof value !== 'string' || !value.replace(pattern, '').includes(start)) return [];
  return [
    {
      code: 'SDL_PLACEHOLDER',
      message: `the text has ${start} and is not a placeholder`,
      at,
      hint: 'write $(leased.NAME), $(leased.NAME.ipv4) or $(leased.NAME.ipv6) with the name of an IP endpoint',
    },
  ];
}

/** The problem of the first text that YAML reads as another type with its placeholders filled. */
function changedText(file: string, { before, fill, filled }: Filling): Problem | undefined {
  const read = readScalars(file, filled, maxAliases);
  const after = read.ok ? read.value : [];
  const changed = before.find(({ value }, index) => {
    const wanted = typeof value === 'string' ? fill(value) : value;
    return wanted !== value && wanted !== after[index]?.value;
  });
  return (
    changed && {
      code: 'SDL_PLACEHOLDER',
      message: 'with its address, the text would be read as something else',
      at: changed.at,
      hint: 'put it in double quotes, and write the placeholder without escapes',
    }
  );
}
