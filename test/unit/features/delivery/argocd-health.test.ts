import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { argocdHealthText } from '../../../../src/features/delivery/argocd-health.ts';

test('the patch sets one key, and nothing of the rest of argocd-cm', () => {
  const patch = parse(argocdHealthText());
  expect(Object.keys(patch)).toEqual(['data']);
  expect(Object.keys(patch.data)).toEqual(['resource.customizations.health.Service']);
});

test('the script asks for our label, and uses nothing that Argo CD does not give it', () => {
  const { data } = parse(argocdHealthText());
  const script: string = data['resource.customizations.health.Service'];
  expect(script).toContain('labels["app.kubernetes.io/managed-by"] ~= "leasehold"');
  // Without resource.customizations.useOpenLibs there is no library for texts.
  expect(script).not.toMatch(/string\.|:\w+\(/);
});
