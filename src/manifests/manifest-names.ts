/**
 * The objects of one file of manifests by name, `Service ns/name` to their text, in the order of the file.
 * Reads the canonical form that leasehold writes (src/manifests/yaml-text.ts); what it cannot name, it
 * leaves out.
 */
export function namedManifests(text: string): ReadonlyMap<string, string> {
  return new Map(
    text.split(/^---\n/m).flatMap((document) => {
      const kind = /^kind: (\S+)$/m.exec(document)?.[1];
      const metadata = /^metadata:\n((?: .*\n|\n)+)/m.exec(document)?.[1] ?? '';
      const name = fieldOf(metadata, 'name');
      const namespace = fieldOf(metadata, 'namespace');
      if (kind === undefined || name === undefined) return [];
      return [[`${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`, document]];
    }),
  );
}

function fieldOf(metadata: string, field: string): string | undefined {
  return new RegExp(`^ {2}${field}: (["']?)(\\S+)\\1$`, 'm').exec(metadata)?.[2];
}
