import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { l2PoolText } from '../../support/declarations/pools-text.ts';
import { runInProcess } from '../../support/run/run-in-process.ts';
import { tempTree } from '../../support/trees/temp-tree.ts';

const repo = ['--repo', 'https://git.example.com/a/b.git'];

async function objects(...words: readonly string[]) {
  const root = tempTree({ 'leases/pools.yaml': l2PoolText });
  const command = ['bootstrap', 'verify', '--image', 'a/b:1', ...words];
  const { status, out, err } = await runInProcess(command, root);
  return { status, err, found: parseAllDocuments(out).map((one) => one.toJS()) };
}

describe('bootstrap verify', () => {
  test('runs verify in a clone, with exactly the permissions that it needs', async () => {
    const { found, err } = await objects(...repo);
    const [account, ...rest] = found;
    const access = rest.slice(0, -1);
    const job = rest.at(-1);
    expect(err).toBe('');
    expect(account).toMatchObject({
      kind: 'ServiceAccount',
      metadata: { name: 'leasehold-verify', namespace: 'leasehold' },
    });
    const rbac = tempTree({ 'leases/pools.yaml': l2PoolText });
    const words = ['bootstrap', 'rbac', '--account', 'leasehold/leasehold-verify'];
    const { out } = await runInProcess(words, rbac);
    const printed = parseAllDocuments(out).map((one) => one.toJS());
    const ofKind = (kinds: RegExp, all: typeof found) => all.filter(({ kind }) => kinds.test(kind));
    expect(ofKind(/Role$/, access)).toEqual(ofKind(/Role$/, printed));
    // The names differ: neither command replaces the account that the other one bound.
    expect(ofKind(/Binding$/, access)).toEqual(
      ofKind(/Binding$/, printed).map((binding) => ({
        ...binding,
        metadata: { ...binding.metadata, name: 'leasehold:leasehold-verify-cronjob' },
      })),
    );
    expect(access).toHaveLength(printed.length);
    expect(job).toMatchObject({ kind: 'CronJob', spec: { schedule: '*/15 * * * *' } });
    const { template } = job.spec.jobTemplate.spec;
    expect(template.spec).toMatchObject({
      serviceAccountName: 'leasehold-verify',
      restartPolicy: 'Never',
    });
    // It asks the API server, so it needs its token.
    expect(template.spec).not.toHaveProperty('automountServiceAccountToken');
    const [container] = template.spec.containers;
    expect(container.args).toEqual([
      'verify',
      '--directory=/srv/leases',
      '--cluster=default',
      '--timeout=2m',
    ]);
    expect(container.securityContext.readOnlyRootFilesystem).toBe(true);
  });

  test('binds the accounts of two namespaces beside each other', async () => {
    const [one, two] = [await objects(...repo), await objects(...repo, '--namespace', 'ops')];
    const bindings = [...one.found, ...two.found].filter(({ kind }) => /Binding$/.test(kind));
    const names = bindings.map(
      ({ kind, metadata }) => `${kind} ${metadata.namespace} ${metadata.name}`,
    );
    expect(names).toHaveLength(4);
    expect(new Set(names).size).toBe(4);
  });

  test('takes a schedule, a name, a Secret, and --reach', async () => {
    const { found } = await objects(
      ...repo,
      ...['--schedule', '0 6 * * MON-FRI', '--name', 'drift', '--namespace', 'ops'],
      ...['--secret', 'key', '--reach'],
    );
    const job = found.at(-1);
    expect(job).toMatchObject({
      metadata: { name: 'drift', namespace: 'ops' },
      spec: { schedule: '0 6 * * MON-FRI' },
    });
    const { spec } = job.spec.jobTemplate.spec.template;
    expect(spec.containers[0].args).toContain('--reach');
    expect(spec.volumes).toContainEqual({
      name: 'secrets',
      secret: { secretName: 'key', defaultMode: 0o440 },
    });
  });

  test.each([
    [[...repo, '--schedule', 'often'], 'schedule'],
    [[...repo, '--schedule', '* * * *'], 'schedule'],
    [[...repo, '--schedule', '* * * * * $(x)'], 'schedule'],
    [['--repo', 'http://git.example.com/a.git', '--secret', 'x'], 'only over https or ssh'],
    [[], '--repo'],
  ])('refuses %j', async (words, text) => {
    const { status, err, found } = await objects(...words);
    expect([status, found]).toEqual([64, []]);
    expect(err).toContain(text);
  });

  const hasPromtool = spawnSync('promtool', ['--version']).status === 0;

  test.skipIf(!hasPromtool)(
    'alerts when the last run failed, or there is no CronJob',
    { tags: 'slow' },
    async () => {
      const rule = (await objects(...repo, '--monitor')).found.at(-1);
      expect(rule.kind).toBe('PrometheusRule');
      const folder = tempTree({ 'rules.yaml': JSON.stringify(rule.spec) });
      const promtool = (...words: readonly string[]) =>
        spawnSync('promtool', [...words], { cwd: folder, encoding: 'utf8' });
      expect(promtool('check', 'rules', 'rules.yaml')).toMatchObject({ status: 0, stderr: '' });

      /** The alerts that fire after 80 minutes, with two replicas of kube-state-metrics. */
      const firing = (series: Readonly<Record<string, string>>, alerts: readonly string[]) => {
        const labels = 'namespace="leasehold",cronjob="leasehold-verify"';
        const input = Object.entries(series).flatMap(([metric, values]) =>
          ['a', 'b'].map((instance) => ({
            series: `kube_cronjob_${metric}{${labels},instance="${instance}"}`,
            values,
          })),
        );
        const tests = ['LeaseholdDrift', 'LeaseholdVerifyMissing'].map((alert) => ({
          interval: '30s',
          input_series: input,
          promql_expr_test: [
            {
              expr: `max(ALERTS{alertname="${alert}",alertstate="firing"}) or vector(0)`,
              eval_time: '80m',
              exp_samples: [{ labels: '{}', value: alerts.includes(alert) ? 1 : 0 }],
            },
          ],
        }));
        const file = tempTree({
          'rules.yaml': JSON.stringify(rule.spec),
          'test.yaml': JSON.stringify({ rule_files: ['rules.yaml'], tests }),
        });
        const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', 'test.yaml'], {
          cwd: file,
          encoding: 'utf8',
        });
        expect(status, `${stdout}${stderr}`).toBe(0);
      };
      const info = '1x200';
      const started = (values: string) => ({ info, status_last_schedule_time: values });
      const passed = { status_last_successful_time: '930x200' };
      firing({ info }, []);
      firing({ ...started('900x200'), ...passed }, []);
      firing({ ...started('1800x200'), ...passed }, ['LeaseholdDrift']);
      firing(started('900x200'), ['LeaseholdDrift']);
      firing({}, ['LeaseholdVerifyMissing']);
    },
  );
});
