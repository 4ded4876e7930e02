import type { Position } from '../../model/problem.ts';
import type { NonCanonicalNumber } from './yaml-value.ts';

/** The document of a YAML file, with the places of its parts. */
export interface YamlDocument {
  readonly file: string;
  /** Plain data. Mappings have no prototype; every key is a string. */
  readonly value: unknown;
  /** Numbers that are not in plain decimal, in the order of the file. */
  readonly nonCanonicalNumbers: readonly NonCanonicalNumber[];
  /** The place of the value at a path; without one, of the nearest value above. */
  at(path: readonly PropertyKey[]): Position;
  /** The place of the last key of a path; for an item of a list, of the item. */
  keyAt(path: readonly PropertyKey[]): Position;
}
