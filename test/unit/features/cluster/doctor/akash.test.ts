import { describe, expect, it } from 'vitest';
import { findings, findingsOf, levelOf } from '../../../../support/diagnosing.ts';
import { controller, type Live, workload } from '../../../../support/healthy-cluster.ts';

const namespace = 'akash-services';
const operator = workload('operator-ip', { namespace });
const operatorPod = (name: string) => ({
  metadata: { name, namespace, labels: { app: 'operator-ip' } },
});
const running = (...deployments: readonly ReturnType<typeof workload>[]) => ({
  deployment: [controller(), ...deployments],
});

describe('AKASH_OPERATOR', () => {
  it('that runs is a problem, with the command that stops it', async () => {
    const [finding] = await findingsOf('AKASH_OPERATOR', { objects: running(operator) });

    expect(finding).toMatchObject({
      level: 'problem',
      found: 'the Akash IP operator akash-services/operator-ip runs',
      command: 'kubectl -n akash-services scale deployment operator-ip --replicas=0',
    });
  });

  it('that is scaled to 0 is no problem', async () => {
    const stopped = workload('operator-ip', { namespace, replicas: 0 });
    const objects = running(stopped);
    expect(await levelOf('AKASH_OPERATOR', { objects })).toBe('ok');
    expect(await levelOf('OPERATOR_BARRIER', { objects })).toBe('none');
  });

  it('that runs twice is told twice', async () => {
    const second = workload('operator-ip', { namespace: 'other' });
    const found = await findingsOf('AKASH_OPERATOR', { objects: running(operator, second) });

    expect(found).toHaveLength(2);
  });
});

describe('METALLB_METRICS', () => {
  it.each([
    ['v0.15.3', true, 'none'],
    ['v0.16.0', true, 'caution'],
    ['v0.16.1', false, 'none'],
    ['main', true, 'none'],
  ])('of MetalLB %s with an operator (%s) is %s', async (tag, runs, level) => {
    const deployment = [controller(tag), ...(runs ? [operator] : [])];
    expect(await levelOf('METALLB_METRICS', { objects: { deployment } })).toBe(level);
  });
});

describe('OPERATOR_BARRIER', () => {
  const objects = {
    ...running(operator),
    pod: [operatorPod('operator-ip-2'), operatorPod('operator-ip-1')],
  };
  const locked = "E[2026] barrier is locked, can't service request";

  it.each([
    ['says it', `${locked}\nfine\n${locked}\n`, 'problem', '2 times'],
    ['says it once', `fine\n${locked}`, 'problem', 'once'],
    ['does not say it', 'fine\n', 'ok', 'does not'],
  ])('of a log that %s', async (_, log, level, words) => {
    const one = { ...objects, pod: [operatorPod('operator-ip-1')] };
    const [finding] = await findingsOf('OPERATOR_BARRIER', {
      objects: one,
      logs: { 'operator-ip-1': log },
    });

    expect(finding?.level).toBe(level);
    expect(finding?.found).toContain(words);
  });

  it('is told of each pod by its name, and unknown where there is no log, which no permission cures', async () => {
    const found = await findingsOf('OPERATOR_BARRIER', { objects, logs: { 'operator-ip-2': '' } });

    expect(found.map(({ level }) => level)).toEqual(['unknown', 'ok']);
    expect(found[0]).toMatchObject({ found: expect.stringMatching(/^there is no log of .*-1: /) });
    expect(found[0]).not.toHaveProperty('fix');
  });

  it('is unknown where a log may not be read, with what prints the permission', async () => {
    const [finding] = await findingsOf('OPERATOR_BARRIER', { objects, denied: ['log'] });

    expect(finding).toMatchObject({
      level: 'unknown',
      found: 'this user may not get pods/log',
      command: 'npx --no leasehold bootstrap rbac --doctor | kubectl apply -f -',
    });
  });

  it('takes no pod of another Deployment', async () => {
    const other = { metadata: { name: 'other', namespace, labels: { app: 'other' } } };
    const found = await findingsOf('OPERATOR_BARRIER', { objects: { ...objects, pod: [other] } });

    expect(found).toEqual([]);
  });
});

describe('AKASH_PROVIDER', () => {
  const provider = (container: object) => workload('akash-provider', { namespace, container });
  const env = (value: string) => ({ env: [{ name: 'AKASH_IP_OPERATOR', value }] });
  const slice = (ready: boolean | undefined, name = 'operator-ip', where = namespace) => ({
    metadata: { name: 'x', namespace: where, labels: { 'kubernetes.io/service-name': name } },
    endpoints: [{ addresses: ['10.0.0.1'], conditions: { ready } }],
  });
  const main = (value: string) => ({
    metadata: { name: 'akash-provider-main', namespace },
    data: { AKASH_IP_OPERATOR: value },
  });
  const envFrom = { envFrom: [{ configMapRef: { name: 'akash-provider-main' } }] };

  it.each<readonly [string, Live['objects'], string]>([
    ['that is not there', {}, 'ok'],
    ['without the setting', { statefulSet: [provider({})] }, 'ok'],
    ['with false', { statefulSet: [provider(env('false'))] }, 'ok'],
    ['with true and no operator', { statefulSet: [provider(env('true'))] }, 'problem'],
    [
      'with true and what is no operator, such as leasehold serve',
      { statefulSet: [provider(env('true'))], endpointSlice: [slice(true)] },
      'ok',
    ],
    [
      'with true and an operator',
      {
        ...running(operator),
        statefulSet: [provider(env('true'))],
        endpointSlice: [slice(true)],
      },
      'caution',
    ],
    [
      'with true and an answer of unknown readiness',
      { statefulSet: [provider(env('true'))], endpointSlice: [slice(undefined)] },
      'ok',
    ],
    [
      'with true and an answer that is not ready',
      { statefulSet: [provider(env('true'))], endpointSlice: [slice(false)] },
      'problem',
    ],
    [
      'with true and a slice of another Service, or of another namespace',
      {
        statefulSet: [provider(env('true'))],
        endpointSlice: [slice(true, 'other'), slice(true, 'operator-ip', 'other')],
      },
      'problem',
    ],
    ['that is a Deployment', running(provider(env('1'))), 'problem'],
    ['with the flag', { statefulSet: [provider({ args: ['run', '--ip-operator'] })] }, 'problem'],
    [
      'with the flag off',
      { statefulSet: [provider({ args: ['run --ip-operator=false --x'] })] },
      'ok',
    ],
    [
      'with the flag of another name',
      { statefulSet: [provider({ args: ['run', '--ip-operator-endpoint=x'] })] },
      'ok',
    ],
    [
      'with true in its ConfigMap',
      { statefulSet: [provider(envFrom)], configMap: [main('true')] },
      'problem',
    ],
    [
      'with false in its ConfigMap',
      { statefulSet: [provider(envFrom)], configMap: [main('false')] },
      'ok',
    ],
    [
      'with an own variable before that of its ConfigMap',
      { statefulSet: [provider({ ...envFrom, ...env('false') })], configMap: [main('true')] },
      'ok',
    ],
    [
      'with a variable from a key of a ConfigMap',
      {
        statefulSet: [
          provider({
            env: [
              {
                name: 'AP_IP_OPERATOR',
                valueFrom: {
                  configMapKeyRef: { name: 'akash-provider-main', key: 'AKASH_IP_OPERATOR' },
                },
              },
            ],
          }),
        ],
        configMap: [main('true')],
      },
      'problem',
    ],
    [
      'whose ConfigMap is not there',
      { statefulSet: [provider(envFrom)], configMap: [] },
      'unknown',
    ],
    [
      'that is scaled to 0',
      {
        statefulSet: [
          workload('akash-provider', { namespace, replicas: 0, container: env('true') }),
        ],
      },
      'ok',
    ],
    [
      'that a tenant calls so',
      {
        statefulSet: [
          workload('akash-provider', {
            namespace: 'lease',
            labels: { 'akash.network/manifest-service': 'akash-provider' },
            container: env('true'),
          }),
        ],
      },
      'ok',
    ],
  ])('%s: %#', async (_, objects = {}, level) => {
    expect(await levelOf('AKASH_PROVIDER', { objects })).toBe(level);
  });

  it('gives the command for the kind that runs, and tells what hangs', async () => {
    const objects = { statefulSet: [provider(env('true'))] };
    const [finding] = await findingsOf('AKASH_PROVIDER', { objects });

    expect(finding?.command).toBe(
      'kubectl -n akash-services set env statefulset/akash-provider AKASH_IP_OPERATOR=false',
    );
    expect(finding?.means).toContain(':8443/status hangs');
  });

  it('is unknown when its ConfigMap is not there, and no permission is asked for', async () => {
    const objects = { statefulSet: [provider(envFrom)], configMap: [] };
    const [finding] = await findingsOf('AKASH_PROVIDER', { objects });

    expect(finding).toMatchObject({
      level: 'unknown',
      command: 'kubectl -n akash-services describe statefulset akash-provider',
    });
    expect(finding?.fix).not.toContain('rbac');
  });

  it('is unknown when its ConfigMaps may not be read', async () => {
    const found = await findings({
      objects: { statefulSet: [provider(envFrom)] },
      denied: ['configMap'],
    });
    expect(found.find(({ code }) => code === 'AKASH_PROVIDER')).toMatchObject({
      level: 'unknown',
      found: 'this user may not list configMap',
    });
  });
});
