const akashHolder = /^([^/]+)\/akash\/(akash1[a-z0-9]+)-ip-(.+)$/;
const serviceHolder = /^([^/]+)\/(service|shared)\/([^/]+)\/([^/]+)$/;
const groupHolder = /^anycast\/([^/]+)$/;

/**
 * A holder as a sentence names it: `shop of akash17zp…nkks4`, `web of namespace shop`, `key k of namespace shop`,
 * `group dns`; with its cluster unless that is `default`. For reading only: two holders can have one such text.
 */
export function holderText(holder: string): string {
  const [, cluster, owner = '', endpoint] = akashHolder.exec(holder) ?? [];
  if (cluster !== undefined && endpoint !== undefined) {
    return `${endpoint} of ${owner.slice(0, 10)}…${owner.slice(-5)}${clusterText(cluster)}`;
  }
  const [, home, kind, namespace, name] = serviceHolder.exec(holder) ?? [];
  if (home !== undefined) {
    return `${kind === 'shared' ? 'key ' : ''}${name} of namespace ${namespace}${clusterText(home)}`;
  }
  const [, group] = groupHolder.exec(holder) ?? [];
  return group === undefined ? holder : `group ${group}`;
}

function clusterText(cluster: string): string {
  return cluster === 'default' ? '' : ` in ${cluster}`;
}
