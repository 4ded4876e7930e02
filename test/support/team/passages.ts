import type { HostnameRecordView } from './hostname-view.ts';
import { isServed, type TreeView } from './view.ts';

/** What a landing made of hostnames and promises, in words, to be counted. */
export function passagesBetween(before: TreeView, after: TreeView): readonly string[] {
  return [...hostnamePassages(before, after), ...promisePassages(before, after)];
}

function hostnamePassages(before: TreeView, after: TreeView): readonly string[] {
  const names = new Set([...before.hostnameRecords.keys(), ...after.hostnameRecords.keys()]);
  return [...names].flatMap((name) => {
    const [was, is] = [before.hostnameRecords.get(name), after.hostnameRecords.get(name)];
    const passage = hostnamePassage(was, is);
    return passage === undefined ? [] : [passage];
  });
}

function hostnamePassage(
  was: HostnameRecordView | undefined,
  is: HostnameRecordView | undefined,
): string | undefined {
  if (was && !is) return 'a hostname is forgotten';
  if (is?.freeFrom !== undefined) {
    return was?.freeFrom === undefined ? 'a hostname is released' : undefined;
  }
  if (!was) return 'a hostname is given';
  if (was.holder !== is?.holder) return 'a hostname goes to another';
  if (was.freeFrom === undefined) return undefined;
  return `a hostname returns ${is.since < was.freeFrom ? 'while it is kept' : 'later'}`;
}

function promisePassages(before: TreeView, after: TreeView): readonly string[] {
  const served = new Set(after.claims.filter(isServed).map(({ holder }) => holder));
  const promised = (view: TreeView) => new Set(view.promises.map(({ holder }) => holder));
  const [was, is] = [promised(before), promised(after)];
  const made = [...is].filter((holder) => !was.has(holder)).map(() => 'a promise is made');
  const ended = [...was]
    .filter((holder) => !is.has(holder))
    .map((holder) => (served.has(holder) ? 'a promise is taken over' : 'a promise ends'));
  return [...made, ...ended];
}
