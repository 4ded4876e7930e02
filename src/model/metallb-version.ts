/** True when a version of MetalLB, `major.minor.patch`, is `first` or a later one. */
export function isSince(version: string, first: string): boolean {
  const parts = version.split('.').map(Number);
  const others = first.split('.').map(Number);
  const index = parts.findIndex((part, at) => part !== others[at]);
  return index < 0 || (parts[index] ?? 0) > (others[index] ?? 0);
}
