import { describe, expect, test } from 'vitest';
import { schemas } from '../../../../../../imports/schemas.ts';
import {
  type Grade,
  gradeOf,
  gradeRowOf,
} from '../../../../../../src/core/run/plan/objects/field-grades.ts';

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
}

/** The paths of all fields of a schema; a list of objects is one too. */
function fieldsOf(schema: Schema, path = ''): string[] {
  const { properties = {}, additionalProperties: others, items } = schema;
  const within = (name: string) => (path === '' ? name : `${path}.${name}`);
  const named = Object.entries(properties).flatMap(([name, part]) => fieldsOf(part, within(name)));
  const free = typeof others === 'object' ? fieldsOf(others, within('any')) : [];
  const item = items && fieldsOf(items, `${path}[0]`);
  if (items && item?.join() === `${path}[0]`) return [path];
  const parts = [...named, ...free, ...(item ? [`${path}[0]`, ...item] : [])];
  return parts.length > 0 ? parts : [path];
}

const emitted = Object.entries(schemas).map(
  ([name, schema]) => [name.slice(name.lastIndexOf('/') + 1), fieldsOf(schema as Schema)] as const,
);

test.each(emitted)('every field of a %s has a grade', (kind, fields) => {
  expect(fields.filter((field) => gradeRowOf(kind, field) === undefined)).toEqual([]);
});

test('a field that the table does not know is reach', () => {
  expect(gradeRowOf('Service', 'spec.newField')).toBeUndefined();
  expect(gradeOf('Service', { path: 'spec.newField', after: 'a' })).toBe('reach');
  expect(gradeOf('Unknown', { path: 'metadata.finalizers', after: 'a' })).toBe('reach');
});

describe('the grade of a field that an author names', () => {
  test.each<[string, Grade]>([
    ['metadata.labels.team', 'cosmetic'],
    ['metadata.labels.example.com/team', 'identity'],
    ['metadata.labels.helm.sh/chart', 'cosmetic'],
    ['metadata.labels.mirror.linkerd.io/exported', 'reach'],
    ['metadata.annotations.tailscale.com/expose', 'reach'],
    ['metadata.annotations.networking.istio.io/exportTo', 'reach'],
    ['metadata.annotations.example.com/handled-by', 'identity'],
    ['metadata.labels.app.kubernetes.io/name', 'cosmetic'],
    ['metadata.labels.app.kubernetes.io/managed-by', 'identity'],
    ['metadata.labels.app.kubernetes.io/instance', 'identity'],
    ['metadata.labels.leasehold.dev/leases', 'identity'],
    ['metadata.labels.akash.network', 'identity'],
    ['metadata.labels.akash.network/namespace', 'identity'],
    ['metadata.labels.service.kubernetes.io/service-proxy-name', 'reach'],
    ['metadata.annotations.argocd.argoproj.io/sync-options', 'identity'],
    ['metadata.annotations.kustomize.toolkit.fluxcd.io/prune', 'identity'],
    ['metadata.annotations.metallb.io/loadBalancerIPs', 'reach'],
    ['metadata.annotations.metallb.universe.tf/allow-shared-ip', 'reach'],
    ['metadata.annotations.external-dns.alpha.kubernetes.io/hostname', 'reach'],
    ['metadata.annotations.description', 'cosmetic'],
    ['metadata.annotations.spec.selector.app', 'cosmetic'],
  ])('%s is %s', (path, grade) => {
    expect(gradeOf('Service', { path, before: 'a', after: 'b' })).toBe(grade);
  });
});

test.each<[string | undefined, string | undefined, Grade]>([
  [undefined, 'Cluster', 'cosmetic'],
  ['Cluster', undefined, 'cosmetic'],
  [undefined, 'Local', 'reach'],
  ['Local', 'Cluster', 'reach'],
])('externalTrafficPolicy from %s to %s is %s', (before, after, grade) => {
  const field = { ...(before && { before }), ...(after && { after }) };
  expect(gradeOf('Service', { path: 'spec.externalTrafficPolicy', ...field })).toBe(grade);
});
