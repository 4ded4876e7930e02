import { expect, test } from 'vitest';
import { indentedText } from '../../../../../src/core/text/print/wrap.ts';

test.each<[string, string]>([
  [
    'git restore --source=0a1b2c --staged dist',
    'put it back with `git restore --source=0a1b2c --staged dist`; then commit',
  ],
  [
    'kubectl -n metallb-system describe daemonset speaker',
    'look at it: `kubectl -n metallb-system describe daemonset speaker`',
  ],
  [
    'kubectl --context production -n web label service door a=b --overwrite',
    'until then: `kubectl --context production -n web label service door a=b --overwrite`',
  ],
  [
    `kubectl patch namespace web --type json -p '[{"op":"remove"}]'`,
    `do this: \`kubectl patch namespace web --type json -p '[{"op":"remove"}]'\``,
  ],
  ['leasehold bootstrap rbac --doctor', 'apply what `leasehold bootstrap rbac --doctor` prints'],
  ['leasehold import cluster', 'take the pool over with `leasehold import cluster`, or remove it'],
  ['npx --no -- leasehold import cluster', 'first run `npx --no -- leasehold import cluster`'],
])('%s is not broken over lines', (command, sentence) => {
  const text = indentedText(sentence, 2, 24);
  expect(text).toContain(command);
  expect(text.split(/\s+/).filter(Boolean).join(' ')).toBe(sentence);
});

test('a sentence is broken between its words, and further lines are indented', () => {
  expect(indentedText('the git history has them all', 2, 20)).toBe(
    '  the git history\n    has them all\n',
  );
});
