import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { fillThresholds } from '../../src/core/model/pools.ts';
import { metricsText, RequestMetrics } from '../../src/features/serve/metrics-text.ts';
import { type Dashboard, dashboardFaults, expressionsOf } from '../support/serve/dashboard.ts';
import { metricsOfService } from '../support/serve/metrics.ts';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const read = (path: string) => readFileSync(at(path), 'utf8');
const hasPromtool = spawnSync('promtool', ['--version']).status === 0;

const requests = new RequestMetrics();
requests.answered('/usage', 200, 0.001);
requests.answered('/usage', 503, 0.001);
const text = `${await metricsText(metricsOfService())}${await requests.text()}`;
const samples = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
const served = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
/** A histogram is asked for by the names of its series. */
const series = [...served, ...samples.map((line) => /^\w+/.exec(line)?.[0])];
const labels = samples.flatMap((line) => [...line.matchAll(/(\w+)="/g)].map(([, label]) => label));
const namesIn = (words: string) => [...new Set(words.match(/leasehold_[a-z_]+/g) ?? [])].sort();

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: Readonly<Record<string, string>>;
}

const dashboard: Dashboard = JSON.parse(read('../../docs/monitoring/grafana-dashboard.json'));
const { groups }: { groups: readonly { rules: readonly Rule[] }[] } = parse(
  read('../../charts/leasehold-serve/alerts.yaml'),
);
const rules = groups.flatMap((group) => group.rules);

/** The labels that an expression of PromQL or a legend names. */
function labelsIn(words: string): readonly (string | undefined)[] {
  const listed = [...words.matchAll(/\b(?:by|without|on|ignoring) \(([^)]*)\)/g)].flatMap(
    ([, list = '']) => list.split(',').map((name) => name.trim()),
  );
  const matched = [...words.matchAll(/(\w+)(?:=~|!~|!=|=)"/g)].map(([, name]) => name);
  const shown = [...words.matchAll(/\{\{ ?(?:\$labels\.)?([a-z]\w*) ?\}\}/g)].map(
    ([, name]) => name,
  );
  return [...listed, ...matched, ...shown].filter((name) => name !== '');
}

describe('the monitoring files', () => {
  test.each(['docs/monitoring/grafana-dashboard.json', 'charts/leasehold-serve/alerts.yaml'])(
    '%s asks only for metrics and labels that are served',
    (path) => {
      const words = read(`../../${path}`).replaceAll('\\"', '"');
      const names = namesIn(words);
      expect(names.length).toBeGreaterThan(5);
      expect(names.filter((one) => !series.includes(one))).toEqual([]);
      // What Prometheus gives every series, and the label of a sum.
      const snapshot = new Set([...labels, 'job', 'instance', 'le']);
      const asked = labelsIn(words);
      expect(asked.length).toBeGreaterThan(10);
      expect(asked.filter((label) => !snapshot.has(label ?? ''))).toEqual([]);
    },
  );

  test('docs/monitoring.md names every metric, and no other', () => {
    expect(namesIn(read('../../docs/monitoring.md'))).toEqual(served.toSorted());
  });

  test('docs/monitoring.md has a section for every alert, to which it links', () => {
    const told = [...read('../../docs/monitoring.md').matchAll(/^### (Leasehold\w+)$/gm)];
    expect(told.map(([, name]) => name)).toEqual(rules.map(({ alert }) => alert));
    for (const { alert, annotations } of rules) {
      const runbook_url = `node_modules/leasehold/docs/monitoring.md#${alert.toLowerCase()}`;
      expect(annotations).toMatchObject({ runbook_url, description: expect.any(String) });
    }
  });

  test('every alert links to the page, at its pool, but that of a service which does not answer', () => {
    const links = rules.map(({ alert, annotations: { page } }) => [alert, page]);
    const page = (alert: string) =>
      `http://{{ $labels.instance }}/${alert.includes('Pool') ? '#{{ $labels.pool }}' : ''}`;
    expect(links).toEqual(
      rules.map(({ alert }) => [alert, alert === 'LeaseholdDown' ? undefined : page(alert)]),
    );
  });

  test('a panel of one metric is described as Prometheus is told of it', () => {
    const helps = new Map(
      [...text.matchAll(/^# HELP (\S+) (.+)$/gm)].map(([, name, help]) => [name, help]),
    );
    const plain = dashboard.panels.flatMap(({ title, description, targets: [only, other] }) => {
      const name = /^(leasehold_\w+)\{[^}]*\}$/.exec(only?.expr ?? '')?.[1];
      return name && !other && !name.endsWith('_info') ? [{ title, description, name }] : [];
    });
    expect(plain.map(({ title }) => title)).toEqual([
      ...['May still be promised', 'Held', 'Free', 'Retained', 'Reserved', 'Draining'],
      'Pending: open branches and waiting holders',
    ]);
    for (const { description, name } of plain) expect(description).toContain(helps.get(name));
  });

  test('every alert is tested where it fires and where it does not', () => {
    const cases: { tests: { alert_rule_test: { alertname: string; exp_alerts: unknown[] }[] }[] } =
      parse(read('./monitoring/alerts-rules-test.yaml'));
    const told = cases.tests.flatMap((one) => one.alert_rule_test);
    for (const { alert } of rules) {
      const own = told.filter(({ alertname }) => alertname === alert);
      expect([alert, own.some(({ exp_alerts: fired }) => fired.length > 0)]).toEqual([alert, true]);
      expect([alert, own.some(({ exp_alerts: fired }) => fired.length === 0)]).toEqual([
        alert,
        true,
      ]);
    }
  });

  test('the dashboard and the alerts have the thresholds of the plan and the page', () => {
    const { filling, 'nearly full': nearly } = fillThresholds;
    const day = 86_400;
    const stepsOf = (title: string) =>
      dashboard.panels.find((panel) => panel.title === title)?.fieldConfig.defaults;
    const exprOf = (name: string) => rules.find(({ alert }) => alert === name)?.expr;

    expect(stepsOf('In use of what can be given out')).toMatchObject({
      thresholds: {
        steps: [
          { color: 'green', value: null },
          { color: 'orange', value: filling.percent / 100 },
          { color: 'red', value: nearly.percent / 100 },
        ],
      },
    });
    expect(stepsOf('Time until a pool is full')).toMatchObject({
      thresholds: {
        steps: [
          { color: 'red', value: null },
          { color: 'orange', value: nearly.days * day },
          { color: 'green', value: filling.days * day },
        ],
      },
    });
    expect(exprOf('LeaseholdPoolNearlyExhausted')).toContain(`<= ${(100 - nearly.percent) / 100})`);
    expect(exprOf('LeaseholdPoolFillsSoon')).toContain(`< ${nearly.days} * ${day}`);
  });

  test('the dashboard keeps to the JSON model of Grafana', () => {
    expect(dashboardFaults(dashboard)).toEqual([]);
  });

  test.each<[string, (changed: Dashboard) => object]>([
    ['two panels are at 0,0', ({ panels }) => ({ panels: [...panels, panels[0]] })],
    [
      'a data source is fixed',
      ({ panels: [first] }) => ({
        panels: [{ ...first, datasource: { type: 'prometheus', uid: 'x' } }],
      }),
    ],
    [
      '$pool is not declared',
      ({ templating: { list } }) => ({
        templating: { list: list.filter(({ name }) => name !== 'pool') },
      }),
    ],
    [
      'Stale has no place',
      ({ panels }) => ({
        panels: panels.map((one) =>
          one.title === 'Stale' ? { ...one, gridPos: { x: 23, y: 0, w: 3, h: 4 } } : one,
        ),
      }),
    ],
    ['it has the id of one Grafana', () => ({ id: 7 })],
  ])('a dashboard does not keep to it: %s', (fault, changes) => {
    expect(dashboardFaults({ ...dashboard, ...changes(dashboard) })).toContain(fault);
  });

  describe.skipIf(!hasPromtool)('for promtool', () => {
    const folder = mkdtempSync(join(tmpdir(), 'leasehold-rules-'));
    const promtool = (...words: string[]) =>
      spawnSync('promtool', words, { cwd: folder, encoding: 'utf8' });

    test('the metrics are written as they should be', () => {
      expect(
        execFileSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' }),
      ).toBe('');
    });

    test('the rules of alerts are sound, and fire when they should', { tags: 'slow' }, () => {
      const checked = promtool('check', 'rules', at('../../charts/leasehold-serve/alerts.yaml'));
      expect([checked.status, checked.stderr]).toEqual([0, '']);
      const tested = promtool('test', 'rules', at('./monitoring/alerts-rules-test.yaml'));
      expect([tested.status, tested.stderr]).toEqual([0, '']);
    });

    test.each(expressionsOf(dashboard))('%s of the dashboard shows something: %s', (_, expr) => {
      expect(promtool('test', 'rules', answersTest(folder, expr))).toMatchObject({ status: 0 });
    });

    test('the panel of all instances says no when one of two is down', () => {
      const expr = dashboard.panels.find(({ title }) => title === 'All instances answer')
        ?.targets[0]?.expr;
      const seen = (up: number) => ({
        interval: '1m',
        input_series: ['a', 'b'].flatMap((instance) => [
          {
            series: `up{job="l",instance="${instance}"}`,
            values: instance === 'a' ? '1x9' : `${up}x9`,
          },
          { series: `leasehold_build_info{job="l",instance="${instance}"}`, values: '1x9' },
        ]),
        promql_expr_test: [
          {
            expr: expr?.replace('$instance', '.*'),
            eval_time: '5m',
            exp_samples: [{ labels: '{}', value: up }],
          },
        ],
      });
      const file = join(folder, 'instances.yaml');
      writeFileSync(file, JSON.stringify({ tests: [seen(0), seen(1)] }));
      expect(promtool('test', 'rules', file)).toMatchObject({ status: 0 });
    });

    test('an expression with a label that does not fit shows nothing', () => {
      const expr = 'leasehold_pool_free_addresses / leasehold_promisable_addresses';
      expect(promtool('test', 'rules', answersTest(folder, expr)).status).not.toBe(0);
    });
  });
});

/** A test for promtool that an expression gives a sample, ten minutes after the start of what is served. */
function answersTest(folder: string, expr: string): string {
  const input = samples.map((line) => {
    const [, metric = '', labelled = '', value = ''] =
      /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    const name = `${metric}{${labelled === '' ? '' : `${labelled},`}job="l",instance="a"}`;
    return { series: name, values: `${Number(value)}+1x40` };
  });
  const query = `count(${expr}) > bool 0`
    .replaceAll(/\$(?:pool|instance)/g, '.*')
    .replaceAll('$__rate_interval', '5m');
  const expected = [{ labels: '{}', value: 1 }];
  const file = join(folder, 'answers.yaml');
  writeFileSync(
    file,
    JSON.stringify({
      evaluation_interval: '30s',
      tests: [
        {
          interval: '30s',
          input_series: input,
          promql_expr_test: [{ expr: query, eval_time: '10m', exp_samples: expected }],
        },
      ],
    }),
  );
  return file;
}
