import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { isRunningAkashOperator } from '../../../src/features/cluster/akash-operator.ts';
import { l2PoolText } from '../../support/declarations/pools-text.ts';
import { runInProcess } from '../../support/run/run-in-process.ts';
import { tempTree } from '../../support/trees/temp-tree.ts';

const pools = l2PoolText;

describe('bootstrap serve', () => {
  const objects = async (...words: readonly string[]) => {
    const root = tempTree({ 'leases/pools.yaml': pools });
    const command = ['bootstrap', 'serve', '--image', 'a/b:1', ...words];
    const { status, out, err } = await runInProcess(command, root);
    return { status, err, found: parseAllDocuments(out).map((one) => one.toJS()) };
  };

  test('runs where a provider looks for its operator, and is not reported as one', async () => {
    const { found } = await objects('--repo', 'https://git.example.com/a/b.git');
    const [account, service, deployment] = found;
    expect(account).toMatchObject({ kind: 'ServiceAccount', automountServiceAccountToken: false });
    expect(service).toMatchObject({
      metadata: { name: 'operator-ip', namespace: 'akash-services' },
      spec: { ports: [{ name: 'rest', port: 8080 }] },
    });
    expect(isRunningAkashOperator(deployment)).toBe(false);
    expect(deployment.spec.template.metadata.labels).toMatchObject(service.spec.selector);
    const [container] = deployment.spec.template.spec.containers;
    expect(container.args).toContain('--listen=0.0.0.0:8080');
    expect(container.securityContext.readOnlyRootFilesystem).toBe(true);
  });

  test('accepts another cluster domain and pending refs', async () => {
    const argsOf = async (...words: readonly string[]): Promise<readonly string[]> => {
      const { found } = await objects('--repo', 'https://git.example.com/a/b.git', ...words);
      return found[2].spec.template.spec.containers[0].args;
    };
    expect(await argsOf('--cluster-domain', 'Cluster.Local.')).toEqual(await argsOf());
    const more = ['--pending-refs', 'refs/pull/*/head', '--pending-refs', 'refs/heads/x'];
    expect(await argsOf('--cluster-domain', 'k8s.example.net', ...more)).toEqual([
      ...(await argsOf()),
      '--allowed-host=.svc.k8s.example.net',
      '--pending-refs=refs/pull/*/head',
      '--pending-refs=refs/heads/x',
    ]);
    const before = await argsOf();
    for (const time of ['30s', '99999s', '90m', '99999h']) {
      expect(await argsOf('--interval', time)).toEqual([...before, `--interval=${time}`]);
    }
    const bad = await objects('--repo', 'https://git.example.com/a', '--cluster-domain', 'a b');
    expect([bad.status, bad.err]).toEqual([64, expect.stringContaining('domain of a cluster')]);
  });

  test('requires a key for ssh, and a namespace without a provider', async () => {
    const told = async (...words: readonly string[]) => (await objects('--repo', ...words)).err;
    const short = 'git@git.example.com:a/b.git';
    const nobody =
      'caution: leases/pools.yaml names no Akash provider in cluster default: set --namespace and --name\n';
    const keyless =
      'caution: ssh needs a key and known hosts: use --secret, unless the image has them\n';
    expect(await told(short)).toBe(`${keyless}${nobody}`);
    expect(await told('ssh://git@git.example.com/a/b.git', '--namespace', 'web')).toBe(keyless);
    expect(await told(short, '--namespace', 'web', '--secret', 'key')).toBe('');
    expect(await told('https://git.example.com/a/b.git', '--namespace', 'web')).toBe('');
  });

  test('has a ServiceMonitor that selects its Service only on request', async () => {
    const repo = ['--repo', 'https://git.example.com/a/b.git', '--name', 'x'];
    const { found } = await objects(...repo, '--monitor');
    const [, service, , monitor] = found;
    expect((await objects(...repo)).found).toEqual(found.slice(0, 3));
    expect(monitor).toMatchObject({ kind: 'ServiceMonitor', metadata: service.metadata });
    expect(service.metadata.labels).toMatchObject(monitor.spec.selector.matchLabels);
    expect(monitor.spec.endpoints).toMatchObject([{ port: 'rest', honorLabels: true }]);
  });

  test.each([
    ['ssh://git@git.example.com/a/b.git', 'GIT_SSH_COMMAND'],
    ['git@git.example.com:a/b.git', 'GIT_SSH_COMMAND'],
    ['https://git.example.com/a/b.git', 'GIT_CONFIG_VALUE_0'],
  ])('gives git the Secret for %s', async (repo, name) => {
    const { found } = await objects('--repo', repo, '--secret', 'key', '--name', 'x');
    const { spec } = found[2].spec.template;
    for (const container of [...spec.initContainers, ...spec.containers]) {
      expect(container.env.map((one: { name: string }) => one.name)).toContain(name);
      const mount = { name: 'secrets', mountPath: '/secrets', readOnly: true };
      expect(container.volumeMounts).toContainEqual(mount);
      // Kubernetes expands $(NAME).
      expect(JSON.stringify(container)).not.toContain('$(');
    }
    expect(spec.volumes).toContainEqual({
      name: 'secrets',
      secret: { secretName: 'key', defaultMode: 0o440 },
    });
  });

  test.each([
    [['--repo', 'https://user:word@git.example.com/a.git'], 'credentials'],
    [['--repo', 'http://git.example.com/a.git', '--secret', 'x'], 'only over https or ssh'],
    [['--repo', 'https://git.example.com/a.git', '--branch', 'a$b'], 'branch'],
    [['--repo', 'https://git.example.com/a.git', '--image', 'a b'], 'image'],
    [[], '--repo'],
  ])('refuses %j', async (words, text) => {
    const { status, err, found } = await objects(...words);
    expect([status, found]).toEqual([64, []]);
    expect(err).toContain(text);
    expect(err).not.toContain('user:word');
  });
});
