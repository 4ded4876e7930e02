/**
 * The first IP family of each Service in a manifest that leasehold wrote: `namespace/name` to `IPv4`
 * or `IPv6`. Reads only our own canonical form (src/manifests/yaml-text.ts); anything else has none.
 */
export function primaryFamilies(text: string): ReadonlyMap<string, string> {
  const families = new Map<string, string>();
  for (const document of text.split('---\n')) {
    if (!/^kind: Service$/m.test(document)) continue;
    const name = /^ {2}name: (\S+)$/m.exec(document)?.[1];
    const namespace = /^ {2}namespace: (\S+)$/m.exec(document)?.[1];
    const family = /^ {2}ipFamilies:\n {4}- (\S+)$/m.exec(document)?.[1];
    if (name && namespace && family) families.set(`${namespace}/${name}`, family);
  }
  return families;
}
