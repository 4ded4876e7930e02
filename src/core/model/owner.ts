/**
 * Returns the owner whose quota a holder counts for: the Akash account, over all clusters, or
 * `<cluster>/<namespace>` of Services. Undefined for an anycast group, which an operator declares.
 */
export function ownerOf(holder: string): string | undefined {
  const [cluster = '', kind, name = ''] = holder.split('/');
  if (cluster === 'anycast') return undefined;
  if (kind !== 'akash') return `${cluster}/${name}`;
  const end = name.indexOf('-ip-');
  return end < 0 ? name : name.slice(0, end);
}
