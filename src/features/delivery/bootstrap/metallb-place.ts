import type { MetalLB } from '../../../model/pools.ts';
import type { Position } from '../../../model/problem.ts';
import { valueAt } from '../../../text/field-text.ts';
import { readYaml } from '../../../text/yaml/yaml-document.ts';

/**
 * Where a sound pool file says something of the MetalLB of a cluster: of its own, or of all; the
 * file's `kind` when it leaves the default.
 */
export function placeOfMetalLB(
  file: string,
  bytes: Uint8Array,
  { cluster, field }: { readonly cluster: string; readonly field: keyof MetalLB },
): Position {
  const document = readYaml(file, bytes, 'refused');
  if (!document.ok) return { file, line: 1, column: 1 };
  const { value, at } = document.value;
  const clusters = valueAt(value, ['clusters']);
  const index = Array.isArray(clusters)
    ? clusters.findIndex((one) => valueAt(one, ['name']) === cluster)
    : -1;
  const places = [
    ['clusters', index, 'metallb', field],
    ['metallb', field],
  ];
  const said = places.find((path) => valueAt(value, path) !== undefined);
  return at(said ?? ['kind']);
}
