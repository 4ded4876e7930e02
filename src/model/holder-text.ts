const akashHolder = /^([^/]+)\/akash\/(akash1[a-z0-9]+)-ip-(.+)$/;

/**
 * A holder as a sentence names it: `shop of akash17zp…nkks4`, with its cluster unless that is `default`.
 * For reading only: two holders can have one such text.
 */
export function holderText(holder: string): string {
  const [, cluster, owner = '', endpoint] = akashHolder.exec(holder) ?? [];
  if (cluster === undefined || endpoint === undefined) return holder;
  const where = cluster === 'default' ? '' : ` in ${cluster}`;
  return `${endpoint} of ${owner.slice(0, 10)}…${owner.slice(-5)}${where}`;
}
