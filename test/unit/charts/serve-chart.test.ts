import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { metricsRoutes } from '../../../src/features/serve/routes/metrics-routes.ts';
import { stateRoutes } from '../../../src/features/serve/routes/status-routes.ts';
import { serveObjects } from '../../../src/features/setup/bootstrap/serve.ts';
import { l2PoolText } from '../../support/declarations/pools-text.ts';
import { runInProcess } from '../../support/run/run-in-process.ts';
import { tempTree } from '../../support/trees/temp-tree.ts';

const chart = 'charts/leasehold-serve';
const read = (path: string) => readFileSync(join(chart, path), 'utf8');
const templates = readdirSync(join(chart, 'templates')).map((name) => read(`templates/${name}`));
const text = templates.join('\n');
const values = parse(read('values.yaml'));
const schema = JSON.parse(read('values.schema.json'));

/** Values that the templates copy as they are. */
const copied = ['podSecurityContext', 'resources', 'securityContext'];

/** The fields of an object that templates name, such as `git.url`: all, without those of copied ones. */
function fieldsOf(fields: object, path = ''): readonly string[] {
  return Object.entries(fields).flatMap(([key, value]) => {
    const place = `${path}${key}`;
    const isPlain = typeof value !== 'object' || Array.isArray(value) || isEmpty(value);
    return isPlain || copied.includes(place) ? [place] : fieldsOf(value, `${place}.`);
  });
}

function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0;
}

/** The same of the properties of a schema. */
function declaredIn(properties: Readonly<Record<string, Schema>>, path = ''): string[] {
  return Object.entries(properties).flatMap(([key, inner]) => {
    const place = `${path}${key}`;
    const isPlain = inner.properties === undefined || copied.includes(place);
    return isPlain ? [place] : declaredIn(inner.properties ?? {}, `${place}.`);
  });
}

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** The strings and numbers in an object, at any depth. */
function leavesOf(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [String(value)];
  return Object.values(value).flatMap(leavesOf);
}

/** Values with these fields of the PrometheusRule. */
function prometheusRule(own: object): object {
  const { metrics } = values;
  return { metrics: { ...metrics, prometheusRule: { ...metrics.prometheusRule, ...own } } };
}

describe('the values of the chart of serve', () => {
  const ajv = new Ajv({ allowUnionTypes: true });
  const isValid = (own: object): boolean => ajv.validate(schema, { ...values, ...own });

  test('fit their schema, which has the same fields', () => {
    expect([isValid({}), ajv.errors]).toEqual([true, null]);
    const { global: _, ...declared } = schema.properties;
    expect(declaredIn(declared).sort()).toEqual(fieldsOf(values).toSorted());
  });

  test.each([
    ['an unknown value', { replicas: 2 }],
    ['an unknown field', { git: { ...values.git, ref: 'main' } }],
    ['a URL with a space', { git: { ...values.git, url: 'https://git.example.com/a b' } }],
    ['a variable of Kubernetes', { git: { ...values.git, branch: '$(HOME)' } }],
    ['a time that serve refuses', { serve: { ...values.serve, interval: '30' } }],
    ['a URL that ends a text of YAML', prometheusRule({ pageURL: "https://a.example.com'" })],
    ['a path as the URL of the docs', prometheusRule({ docsURL: 'docs' })],
    ['a host with a port', { serve: { ...values.serve, allowedHosts: ['a.example.com:80'] } }],
    [
      'a host without paths',
      { ingress: { ...values.ingress, hosts: [{ host: 'a.example.com' }] } },
    ],
  ])('do not fit it with %s', (_, own) => {
    expect(isValid(own)).toBe(false);
  });

  test('fit it with those that list prints for an address', async () => {
    const reservation = `apiVersion: leasehold.dev/v1
kind: Reservation
spec: { namespace: web, service: leases, ports: [{ port: 8080 }] }
`;
    const root = tempTree({ 'leases/pools.yaml': l2PoolText, 'leases/a.yaml': reservation });
    expect(await runInProcess(['synth'], root)).toMatchObject({ status: 0 });
    const { out } = await runInProcess(['list', '-o', 'values', 'web/leases'], root);
    const { service } = parse(out);
    expect([isValid({ service: { ...values.service, ...service } }), ajv.errors]).toEqual([
      true,
      null,
    ]);
    expect(Object.keys(values.service)).toEqual(expect.arrayContaining(Object.keys(service)));
  });

  test('are the fields that the templates use', () => {
    const named = text.matchAll(/\.Values\.([a-zA-Z.]+)/g);
    const used = new Set([...named].map(([, path]) => path));
    expect([...used].sort()).toEqual(fieldsOf(values).toSorted());
  });
});

describe('the chart of serve', () => {
  test('has the version of leasehold', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(parse(read('Chart.yaml'))).toMatchObject({ version, appVersion: version });
  });

  test('puts the URLs of its user in place of words that the alerts have', () => {
    const replaced = [...read('templates/prometheusrule.yaml').matchAll(/replace "([^"]+)"/g)];
    expect(replaced.map(([, words]) => words)).toEqual([
      'node_modules/leasehold/docs',
      'http://{{ $labels.instance }}',
    ]);
    const { groups } = parse(read('alerts.yaml'));
    const annotations = JSON.stringify(groups);
    for (const [, words = ''] of replaced) expect(annotations).toContain(words);
  });

  test('uses options and paths that serve has', async () => {
    const { out } = await runInProcess(['serve', '--help'], tempTree());
    const options = text.matchAll(/^ +- (?:\{\{ printf ")?--([a-z-]+)/gm);
    const names = new Set([...options].map(([, name]) => `--${name}`));
    expect(names.size).toBeGreaterThan(6);
    expect([...names].filter((name) => !out.includes(` ${name} `))).toEqual([]);

    const routes = [...stateRoutes('1'), ...metricsRoutes('1', undefined as never)];
    const paths = [...text.matchAll(/^ +path: (\/\S+)$/gm)].map(([, path]) => path);
    expect(paths.sort()).toEqual(['/health', '/metrics', '/ready']);
    expect(routes.map(({ path }) => path)).toEqual(expect.arrayContaining(paths));
  });

  test.each(['https://git.example.com/a.git', 'ssh://git@git.example.com/a.git'])(
    'has what bootstrap serve prints for %s',
    (url) => {
      const named = { name: 'NAME', namespace: 'NAMESPACE', image: 'IMAGE', cluster: 'CLUSTER' };
      const objects = serveObjects({
        ...{ ...named, secret: 'SECRET', repository: { url, branch: 'BRANCH' } },
        ...{ domain: 'DOMAIN', pendingRefs: [], interval: undefined, isMonitored: true },
      });
      const given = [...Object.values(named), 'SECRET', 'BRANCH', 'DOMAIN', url];
      const fixed = objects
        .flatMap(leavesOf)
        .filter((leaf) => !given.some((one) => leaf.includes(one)));
      const whole = `${text}\n${read('values.yaml')}`;
      expect(fixed.filter((leaf) => !whole.includes(leaf))).toEqual([]);
    },
  );
});
