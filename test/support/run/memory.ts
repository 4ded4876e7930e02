import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** What a function returns, and how many bytes of the heap it keeps. */
export function bytesKept<Value>(make: () => Value): { value: Value; bytes: number } {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const used = (): number => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const before = used();
  const value = make();
  return { value, bytes: used() - before };
}
