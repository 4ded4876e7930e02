import { dirname, join, relative, resolve } from 'node:path';

/**
 * Settings of a bundle that write source maps beside its files. The maps name the sources as if the
 * bundle were in `place`, a path in this repository, and not in the folder that it is made in.
 */
export function sourceMaps(place, folder) {
  const repository = join(import.meta.dirname, '..');
  return {
    sourcemap: true,
    sourcemapPathTransform: (source, map) =>
      relative(
        join(repository, place, relative(folder, dirname(map))),
        resolve(dirname(map), source),
      ),
  };
}
