import { describe, expect, it } from 'vitest';
import { findings, findingsOf, levelOf } from '../../../../support/diagnosing.ts';
import { controller, type Live, workload } from '../../../../support/healthy-cluster.ts';

const namespace = 'akash-services';
const operator = workload('operator-ip', { namespace });
const running = (...deployments: readonly ReturnType<typeof workload>[]) => ({
  deployment: [controller(), ...deployments],
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

const variable = 'AKASH_DEPLOYMENT_NETWORK_POLICIES_ENABLED';
const flag = '--deployment-network-policies-enabled';
const withIPv6 = ", '2001:db8::/120'";

function providerWith(container: object) {
  return { objects: { statefulSet: [workload('akash-provider', { namespace, container })] } };
}

function variables(...pairs: readonly (readonly [name: string, value: string])[]) {
  return providerWith({ env: pairs.map(([name, value]) => ({ name, value })) });
}

describe('AKASH_POLICIES', () => {
  it.each([
    ['says nothing', providerWith({}), true],
    ['says true', variables([variable, 'true']), true],
    ['says nothing in an empty variable', variables([variable, '']), true],
    [
      'has the variable of the chart, which it does not read',
      variables([variable.slice(6), 'false']),
      true,
    ],
    ['says false', variables([variable, 'false']), false],
    ['says false by the other prefix', variables([variable.replace('AKASH', 'AP'), '0']), false],
    ['says false by its flag', providerWith({ args: [`run ${flag}=false`] }), false],
    ['says true by its flag', providerWith({ args: ['run', flag] }), true],
  ])('goes by a provider that %s', async (_, live, writes) => {
    const levels = [true, false].map((networkPolicies) =>
      levelOf('AKASH_POLICIES', live, { addresses: withIPv6, networkPolicies }),
    );
    expect(await Promise.all(levels)).toEqual(writes ? ['ok', 'problem'] : ['problem', 'ok']);
  });

  it('says what is shut off, and what to set', async () => {
    const off = variables([variable, 'false']);
    const [alone] = await findingsOf('AKASH_POLICIES', off, { addresses: withIPv6 });
    const [without] = await findingsOf('AKASH_POLICIES', providerWith({}), {
      addresses: withIPv6,
      networkPolicies: false,
    });

    expect(alone).toMatchObject({
      found:
        'the provider akash-services/akash-provider writes no NetworkPolicies, and leasehold writes them for leases with IPv6',
      means: 'alone, such a policy shuts its pods off from IPv4, the ingress and one another',
      fix: 'set emit.networkPolicies: false in leases/pools.yaml and run leasehold synth',
    });
    expect(without).toMatchObject({
      found:
        'the provider akash-services/akash-provider writes NetworkPolicies, and leasehold writes none',
      means: 'those of the provider let no IPv6 in to port 80/TCP of a lease',
      fix: 'set emit.networkPolicies: true in leases/pools.yaml and run leasehold synth',
    });
  });

  it('is not told without a provider, without IPv6, or with names that no provider uses', async () => {
    const live = variables([variable, 'false']);
    expect(await levelOf('AKASH_POLICIES', {}, { addresses: withIPv6 })).toBe('none');
    expect(await levelOf('AKASH_POLICIES', live)).toBe('none');
    const readable = { addresses: withIPv6, naming: 'readable' } as const;
    expect(await levelOf('AKASH_POLICIES', live, readable)).toBe('none');
  });

  it('is unknown when the ConfigMap of the provider is not there, or may not be read', async () => {
    const live = providerWith({ envFrom: [{ configMapRef: { name: 'akash-provider-main' } }] });
    expect(await levelOf('AKASH_POLICIES', live, { addresses: withIPv6 })).toBe('unknown');
    const found = await findings({ ...live, denied: ['configMap'] }, { addresses: withIPv6 });
    expect(found.find(({ code }) => code === 'AKASH_POLICIES')).toMatchObject({
      level: 'unknown',
      found: 'this user may not list configMap',
    });
  });
});
