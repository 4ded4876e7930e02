/**
 * The cluster that a holder is named after, also of one that is no longer declared; undefined for a group
 * `anycast/<name>`, which stands in the clusters of its claims.
 */
export function clusterOfHolder(holder: string): string | undefined {
  const [first = '', ...rest] = holder.split('/');
  return first === 'anycast' && rest.length === 1 ? undefined : first;
}
