/** A count for a person: in full below ten million, else with three digits and a power of ten. */
export function humanCount(count: string): string {
  if (count.length < 8) return count;
  return `${count.slice(0, 1)}.${count.slice(1, 3)}e${count.length - 1}`;
}
