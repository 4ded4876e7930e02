import { cpSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { measureProgram } from '../../measure.mjs';

/** kustomize makes no objects from declarations: it reads those that leasehold has made, adds a label, and prints them into one file. */
export const kustomize = {
  name: 'kustomize',
  version: 'v5.8.2',
  program: 'sigs.k8s.io/kustomize/kustomize/v5',
  row: 'kustomize build',
  about: 'kustomize makes no objects: it reads ready ones, adds a label, and writes one file.',
  most: 1000,
  /** It takes as long as all others together. */
  rounds: 1,
  prepare,
  run: ({ folder, out, work }) =>
    measureProgram(join(folder, 'kustomize'), ['build', work, '-o', out]),
};

/** Writes a kustomization of the manifests of a repository. */
function prepare({ root, work }) {
  cpSync(join(root, 'dist'), work, { recursive: true });
  const files = readdirSync(work, { recursive: true }).filter((name) => name.endsWith('.yaml'));
  const kustomization = {
    apiVersion: 'kustomize.config.k8s.io/v1beta1',
    kind: 'Kustomization',
    labels: [{ pairs: { 'example.com/team': 'edge' } }],
    resources: files.sort(),
  };
  writeFileSync(join(work, 'kustomization.yaml'), JSON.stringify(kustomization));
}
