/**
 * What work gives, and the seconds that the processor was busy with it. Unlike the time on the clock they are no more when
 * others use the machine; what else runs in this process, such as its garbage collection, counts too.
 */
export function cpuSeconds<Value>(work: () => Value): readonly [seconds: number, value: Value] {
  const before = process.cpuUsage();
  const value = work();
  const { user, system } = process.cpuUsage(before);
  return [(user + system) / 1e6, value];
}
