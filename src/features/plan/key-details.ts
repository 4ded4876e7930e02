import type { Allocation } from '../../model/allocation.ts';

/** What a record says of the key of its address that it did not say before, in short phrases. */
export function keyDetails(
  before: Allocation | undefined,
  after: Allocation | undefined,
): readonly string[] {
  if (before === undefined || after === undefined) return [];
  const isSigned = after.generation > before.generation;
  const passage = passageText(before.key, after.key);
  const phrase = isSigned && before.released ? 'taken while it was kept' : passage;
  if (phrase === undefined) return [];
  return [isSigned ? `${phrase}, by a signature of its key` : phrase];
}

function passageText(was: string | undefined, is: string | undefined): string | undefined {
  if (was === is) return undefined;
  if (was === undefined) return 'gets a key';
  return is === undefined ? 'has no key any more' : 'gets another key';
}
