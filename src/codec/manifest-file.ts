/**
 * What a committed manifest said, as far as a live cluster holds on to it. Reads only the canonical form
 * that leasehold writes (src/manifests/yaml-text.ts); of anything else it reads nothing.
 */
export interface LiveFacts {
  /** The first IP family of each Service: `namespace/name` to `IPv4` or `IPv6`. */
  readonly families: ReadonlyMap<string, string>;
  /** The IPAddressPool that each whole address stands in: `203.0.113.7/32` to the pool's name. */
  readonly pools: ReadonlyMap<string, string>;
}

/** The live facts of one file of manifests. */
export function liveFacts(text: string): LiveFacts {
  const families = new Map<string, string>();
  const pools = new Map<string, string>();
  for (const document of text.split('---\n')) {
    const name = /^ {2}name: (\S+)$/m.exec(document)?.[1];
    if (name === undefined) continue;
    if (/^kind: Service$/m.test(document)) {
      const namespace = /^ {2}namespace: (\S+)$/m.exec(document)?.[1];
      const family = /^ {2}ipFamilies:\n {4}- (\S+)$/m.exec(document)?.[1];
      if (family !== undefined) families.set(`${namespace}/${name}`, family);
    } else if (/^kind: IPAddressPool$/m.test(document)) {
      const list = /^ {2}addresses:\n((?: {4}- \S+\n)+)/m.exec(document)?.[1] ?? '';
      for (const [, address = ''] of list.matchAll(/- (\S+(?:\/32|\/128))\n/g)) {
        pools.set(address, name);
      }
    }
  }
  return { families, pools };
}
