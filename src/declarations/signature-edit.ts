import { isMap, isScalar, type Pair, parseDocument, type Scalar, type YAMLMap } from 'yaml';
import { InternalError } from '../model/problem.ts';
import { leaseholdKeys } from './service/service-keys.ts';

/** Where a kind of declaration names its key and has its signature. */
interface Place {
  readonly map: readonly string[];
  readonly secret: string;
  readonly signature: string;
}

const inService: Place = {
  map: ['metadata', 'annotations'],
  secret: leaseholdKeys.secret,
  signature: leaseholdKeys.signature,
};

const inReservation: Place = { map: ['spec'], secret: 'secret', signature: 'signature' };

/**
 * The text of a sound Service or Reservation that names a key, with a signature in place of the one it has,
 * or in a line of its own after the key's. Every other character stays as it is, but for a key that is written
 * in a way of its own (`? …`): there yaml writes the text anew, with its comments.
 */
export function withSignature(text: string, signature: string): string {
  const document = parseDocument(text, { version: '1.2', keepSourceTokens: true });
  const place = document.get('kind') === 'Service' ? inService : inReservation;
  const map = document.getIn(place.map, true);
  const secret = isMap(map) ? pairOf(map, place.secret) : undefined;
  if (!isMap(map) || !secret) throw new InternalError('a declaration without a key is signed');
  const value = `'${signature}'`;
  const old = pairOf(map, place.signature);
  if (old) return replaced(text, old.value, value);
  const [start] = rangeOf(secret.key);
  if (map.flow) return inserted(text, start, `${place.signature}: ${value}, `);
  const indent = text.slice(text.lastIndexOf('\n', start) + 1, start);
  if (indent.trim() !== '') {
    map.set(place.signature, signature);
    return document.toString({ lineWidth: 0, singleQuote: true });
  }
  const last = text.slice(0, rangeOf(secret.value)[1]).trimEnd().length;
  const newline = text.indexOf('\n', last);
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const line = `${indent}${place.signature}: ${value}${lineEnd}`;
  return newline < 0 ? `${text}${lineEnd}${line}` : inserted(text, newline + 1, line);
}

type KeyedPair = Pair<Scalar, Scalar>;

function pairOf(map: YAMLMap, key: string): KeyedPair | undefined {
  return map.items.find(
    (pair): pair is KeyedPair =>
      isScalar(pair.key) && pair.key.value === key && isScalar(pair.value),
  );
}

function rangeOf(node: Scalar | null): readonly [number, number] {
  const [start, end] = node?.range ?? [];
  if (start === undefined || end === undefined) throw new InternalError('a node without a place');
  return [start, end];
}

/** With another value; what ends the old one, such as the line break of a block, stays. */
function replaced(text: string, node: Scalar | null, value: string): string {
  const [start, end] = rangeOf(node);
  const last = text.slice(0, end).trimEnd().length;
  return text.slice(0, start) + value + text.slice(Math.max(last, start));
}

function inserted(text: string, offset: number, part: string): string {
  return text.slice(0, offset) + part + text.slice(offset);
}
