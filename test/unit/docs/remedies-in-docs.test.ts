import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { commandsIn, itemsIn, rowsIn, writtenPages } from '../../support/docs/printed-commands.ts';
import { commandsDone, itemsDone, rowsDone } from '../../support/docs/remedies-in-docs.ts';

/** What no key begins, and what nothing on the page begins with. A key with `$` at its end is all of it. */
function differences(told: readonly string[], keys: readonly string[]): object {
  const isOf = (key: string, one: string) => `${one}$`.startsWith(key);
  const begins = (key: string) => told.some((one) => isOf(key, one));
  const isKnown = (one: string) => keys.some((key) => isOf(key, one));
  return {
    'nobody does': told.filter((one) => !isKnown(one)),
    'the page lacks': keys.filter((key) => !begins(key)),
  };
}

const none = { 'nobody does': [], 'the page lacks': [] };

describe('what the pages tell to do to a cluster', () => {
  test.each(writtenPages())('%s: each command is run by a test, or has a reason', (page) => {
    const keys = Object.keys(commandsDone[page] ?? {});
    expect(differences(commandsIn(page), keys)).toEqual(none);
  });

  test.each(writtenPages())('%s: each row with a fix is done, or has a reason', (page) => {
    const keys = Object.keys(rowsDone[page] ?? {});
    expect(differences(rowsIn(page), keys)).toEqual(none);
  });

  const lists = Object.entries(itemsDone).flatMap(([page, headings]) =>
    Object.keys(headings).map((heading) => [page, heading] as const),
  );
  test.each(lists)('%s, %s: each item is done, or has a reason', (page, heading) => {
    const keys = Object.keys(itemsDone[page]?.[heading] ?? {});
    expect(differences(itemsIn(page, heading), keys)).toEqual(none);
  });

  test('a test that is named has the text that is named', () => {
    const items = Object.values(itemsDone).flatMap((headings) => Object.values(headings));
    const all = [...Object.values(commandsDone), ...Object.values(rowsDone), ...items];
    const named = all.flatMap((one) => Object.values(one)).filter((done) => done.includes(' | '));
    expect(named.length).toBeGreaterThan(30);
    const wrong = named.filter((done) => {
      const [file = '', text = ''] = done.split(' | ');
      return !readFileSync(file, 'utf8').includes(text);
    });
    expect([...new Set(wrong)]).toEqual([]);
  });

  test('a new command, row or item is found', () => {
    expect(differences(['kubectl delete pool'], ['kubectl get'])).toEqual({
      'nobody does': ['kubectl delete pool'],
      'the page lacks': ['kubectl get'],
    });
    expect(commandsIn('day-two')).toContain('kubectl -n flux-system rollout restart deployment');
    expect(commandsIn('gitops')).toContainEqual(expect.stringContaining('touched="$(date)"'));
    expect(rowsIn('monitoring').length).toBeGreaterThan(10);
  });
});
