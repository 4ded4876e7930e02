import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { EnvironmentError } from '../../../../../src/core/model/problem.ts';
import { kubernetesCluster } from '../../../../../src/lib/kubernetes/world/kubernetes.ts';
import { fakeApiServer, kubeconfigFor } from '../../../../support/live/fake-api-server.ts';
import { tempTree } from '../../../../support/trees/temp-tree.ts';

interface Words {
  readonly contexts?: readonly object[];
  readonly user?: object;
  readonly current?: string | undefined;
  readonly cluster?: object;
}

/** A kubeconfig with contexts for `https://<name>.test`. */
function config({ contexts, user = {}, cluster = {}, ...words }: Words = {}): string {
  return JSON.stringify({
    clusters: [{ name: 'main', cluster: { server: 'https://main.test', ...cluster } }],
    users: [{ name: 'me', user }],
    contexts: contexts ?? [{ name: 'here', context: { cluster: 'main', user: 'me' } }],
    'current-context': 'current' in words ? words.current : 'here',
  });
}

/** The name of the cluster that is chosen, or why none is. */
async function chosen(
  root: string,
  kubeconfig: string | undefined,
  context?: string,
): Promise<string> {
  try {
    return (await kubernetesCluster({ kubeconfig, context }, root)).name;
  } catch (error) {
    expect(error).toBeInstanceOf(EnvironmentError);
    return (error as Error).message;
  }
}

/** The first answer of a cluster, or why there is none. */
async function answered(root: string, kubeconfig: string): Promise<unknown> {
  const cluster = await kubernetesCluster({ kubeconfig, context: undefined }, root);
  return cluster.list('service').catch((error) => {
    expect(error).toBeInstanceOf(EnvironmentError);
    return error.message;
  });
}

afterEach(() => vi.unstubAllEnvs());

describe('the kubeconfig', () => {
  it.each([
    [{ 'certificate-authority-data': Buffer.from('no certificate').toString('base64') }, '-data'],
    [{ 'certificate-authority': 'ca.pem' }, ''],
  ])('has a certificate authority that is a certificate, not %j', async (cluster, field) => {
    const root = tempTree({ 'ca.pem': 'no certificate', config: config({ cluster }) });
    expect(await chosen(root, 'config')).toContain(
      `cluster main has a certificate-authority${field} that is not a certificate: `,
    );
    const skipping = { ...cluster, 'insecure-skip-tls-verify': true };
    const other = tempTree({ config: config({ cluster: skipping }) });
    expect(await chosen(other, 'config')).toBe('here (https://main.test)');
  });

  it('is the one that is named, relative to the folder', async () => {
    vi.stubEnv('KUBECONFIG', '/nowhere');
    const root = tempTree({ 'a/config': config() });

    expect(await chosen(root, 'a/config')).toBe('here (https://main.test)');
  });

  it.each([
    [
      'a current context',
      config().replace('"current-context":"here"', '"current-context":{"toString":1}'),
    ],
    [
      'the name of a context',
      config({ contexts: [{ name: { toString: 1 }, context: { cluster: 'main', user: 'me' } }] }),
    ],
    [
      'the cluster of a context',
      config({ contexts: [{ name: 'here', context: { cluster: { toString: 1 }, user: 'me' } }] }),
    ],
    [
      'the user of a context',
      config({ contexts: [{ name: 'here', context: { cluster: 'main', user: { toString: 1 } } }] }),
    ],
    ['the server of a cluster', config({ cluster: { server: { toString: 1 } } })],
    ['the TLS name of a cluster', config({ cluster: { 'tls-server-name': ['x'] } })],
    ['a token', config({ user: { token: { a: 1 } } })],
  ])('may have something else than a text for %s', async (_, text) => {
    expect(await chosen(tempTree({ config: text }), 'config')).toMatch(
      /^the kubeconfig has no |, which the kubeconfig does not have$/,
    );
  });

  it('is else that of KUBECONFIG, whose first file to name something counts', async () => {
    const other = [{ name: 'there', context: { cluster: 'main', user: 'me' } }];
    const root = tempTree({
      one: config(),
      two: config({ contexts: other, current: 'there', cluster: { server: 'https://two.test' } }),
    });
    vi.stubEnv('KUBECONFIG', ['one', 'absent', 'two'].map((file) => join(root, file)).join(':'));

    expect(await chosen(root, undefined)).toBe('here (https://main.test)');
    expect(await chosen(root, undefined, 'there')).toBe('there (https://main.test)');
  });

  it('may be several files, one of them empty', async () => {
    const root = tempTree({ one: config(), none: '' });
    vi.stubEnv('KUBECONFIG', `${join(root, 'none')}:${join(root, 'one')}`);

    expect(await chosen(root, undefined)).toBe('here (https://main.test)');
  });

  it('is else that of the home folder', async () => {
    vi.stubEnv('KUBECONFIG', '');
    const root = tempTree({ '.kube/config': config() });
    vi.stubEnv('HOME', root);

    expect(await chosen('/', undefined)).toBe('here (https://main.test)');
  });

  it('is missed', async () => {
    vi.stubEnv('KUBECONFIG', '');
    const root = tempTree();
    vi.stubEnv('HOME', root);

    expect(await chosen(root, undefined)).toMatch(/^there is no kubeconfig: /);
    expect(await chosen(root, 'absent')).toBe(
      'the kubeconfig absent cannot be read: there is no such file',
    );
    vi.stubEnv('KUBECONFIG', 'gone:lost');
    expect(await chosen(root, undefined)).toBe(
      'none of the files in KUBECONFIG exists: gone, lost',
    );
  });

  it.each([
    ['invalid YAML', 'a: [', /^the kubeconfig it cannot be read: .+/],
    ['nothing', '', /no current context, and no other$/],
    ['a text', 'hello', /no current context, and no other$/],
    ['a nameless cluster', 'clusters: [{}]', /no current context, and no other$/],
    ['a folder', undefined, /^the kubeconfig it cannot be read: EISDIR/],
  ])('that holds %s is refused in one sentence', async (_, text, message) => {
    const root = tempTree(text === undefined ? { 'it/x': '' } : { it: text });

    const said = await chosen(root, 'it');
    expect(said).toMatch(message);
    expect(said).not.toContain(root);
    expect(said).not.toContain('\n');
  });

  it('may have entries that are half made, and not chosen', async () => {
    const words: Words = {
      contexts: [
        { name: 'stale', context: { cluster: '', namespace: 'web' } },
        { name: 'here', context: { cluster: 'main', user: 'me' } },
      ],
    };
    const text = config(words).replace('"clusters":[', '"clusters":[{"name":"new","cluster":{}},');
    const root = tempTree({ it: text });

    expect(await chosen(root, 'it')).toBe('here (https://main.test)');
    expect(await chosen(root, 'it', 'stale')).toBe(
      'the kubeconfig has no context stale: there are here',
    );
  });

  it('has paths that are relative to its own folder', async () => {
    const root = tempTree({
      'a/one': config({ current: undefined, user: { 'client-certificate': 'no.pem' } }),
      'b/two': '{"current-context":"here"}',
      'a/no.pem': 'no certificate',
    });
    vi.stubEnv('KUBECONFIG', `${join(root, 'b/two')}:${join(root, 'a/one')}`);
    const cluster = await kubernetesCluster({ kubeconfig: undefined, context: undefined }, '/');

    // The file exists, and is not a certificate.
    await expect(cluster.version()).rejects.toThrow(/PEM/);
  });

  it.each<[string, Words, string | undefined, string]>([
    ['an unknown context', {}, 'nope', 'the kubeconfig has no context nope: there are here'],
    [
      'no current context',
      { current: undefined },
      undefined,
      'the kubeconfig has no current context; choose one with --context: there are here',
    ],
    [
      'an absent cluster',
      { contexts: [{ name: 'here', context: { cluster: 'x', user: 'me' } }] },
      undefined,
      'context here is for cluster x, which the kubeconfig does not have',
    ],
    [
      'an absent user',
      { contexts: [{ name: 'here', context: { cluster: 'main', user: 'x' } }] },
      undefined,
      'context here is for user x, which the kubeconfig does not have',
    ],
    [
      'a wrong server',
      { cluster: { server: 'main.test' } },
      undefined,
      'cluster main has no server address: main.test',
    ],
    [
      'a wrong proxy',
      { cluster: { server: 'https://main.test', 'proxy-url': 'proxy.test:3128' } },
      undefined,
      'cluster main has a proxy-url that does not begin with http://, https:// or socks5://, or is not an address',
    ],
  ])('with %s says so', async (_, words, context, message) => {
    expect(await chosen(tempTree({ it: config(words) }), 'it', context)).toBe(message);
  });
});

describe('credentials', () => {
  it('may be none', async () => {
    const contexts = [{ name: 'here', context: { cluster: 'main' } }];
    const root = tempTree({ it: config({ contexts }) });

    expect(await chosen(root, 'it')).toBe('here (https://main.test)');
  });

  it('that are wrong are refused', async () => {
    const fake = await fakeApiServer({ service: [] });
    const root = tempTree({ right: kubeconfigFor(fake.url), it: kubeconfigFor(fake.url, 'old') });

    expect(await answered(root, 'right')).toEqual([]);
    expect(await answered(root, 'it')).toMatch(/refuses the credentials/);
    await fake.close();
  });

  it('that are not there are named', async () => {
    const fake = await fakeApiServer({ service: [] });
    const text = kubeconfigFor(fake.url).replace('{"token":"secret"}', '{}');
    const root = tempTree({ it: text });

    expect(await answered(root, 'it')).toMatch(/wants credentials.*a user name with a password$/);
    await fake.close();
  });

  it.each([
    { tokenFile: 'tokens/mine' },
    { tokenFile: 'tokens/mine', token: 'an old one' },
    { tokenFile: 'tokens/none', token: 'secret' },
    { tokenFile: 'tokens/empty', token: 'secret' },
  ])('come from a token file, as in kubectl: %j', async (user) => {
    const fake = await fakeApiServer({ service: [] });
    const text = kubeconfigFor(fake.url).replace('{"token":"secret"}', JSON.stringify(user));
    const tokens = { 'kube/tokens/mine': 'secret\n', 'kube/tokens/empty': '' };
    const root = tempTree({ ...tokens, 'kube/config': text });

    expect(await answered(root, 'kube/config')).toEqual([]);
    await fake.close();
  });

  it('that a token file should have are named', async () => {
    const root = tempTree({ it: config({ user: { tokenFile: 'none' } }) });

    expect(await chosen(root, 'it')).toBe(
      'the token file of user me cannot be read: there is no such file',
    );
  });

  it.each([
    [
      { exec: { command: 'leasehold-no-such-program' } },
      /leasehold-no-such-program.*not installed/,
    ],
    [
      { exec: { command: 'false' } },
      /the program false, .* gives none: it ends with exit status 1$/,
    ],
    [{ exec: { command: 'echo', args: ['{}'] } }, /gives none: it prints no ExecCredential/],
    [{ exec: { command: 'echo', args: ['no JSON'] } }, /gives none: it prints no ExecCredential/],
    [
      { 'client-certificate': 'absent.pem' },
      /credentials of the kubeconfig cannot be used: ENOENT/,
    ],
  ])('that cannot be obtained are reported in one sentence: %j', async (user, message) => {
    const root = tempTree({ it: config({ user }) });

    const said = await answered(root, 'it');
    expect(said).toMatch(message);
    expect(said).not.toContain(root);
  });

  it('may come from a program next to the kubeconfig, which gets an ExecCredential', async () => {
    const fake = await fakeApiServer({ service: [] });
    const script = `#!/bin/sh
[ "$MORE" = yes ] || exit 3
case "$KUBERNETES_EXEC_INFO" in *'"apiVersion":"v1beta7"'*'"interactive":false'*) ;; *) exit 4 ;; esac
cat
echo "{\\"status\\":{\\"token\\":\\"$1\\"}}"
`;
    const exec = {
      command: './bin/login',
      args: ['secret'],
      env: [{ name: 'MORE', value: 'yes' }],
      apiVersion: 'v1beta7',
    };
    const root = tempTree({
      'a/bin/login': script,
      'a/it': kubeconfigFor(fake.url).replace('{"token":"secret"}', JSON.stringify({ exec })),
    });
    chmodSync(join(root, 'a/bin/login'), 0o755);

    expect(await answered(root, 'a/it')).toEqual([]);
    await fake.close();
  });

  it('are asked for again when those of a program are refused', async () => {
    const fake = await fakeApiServer({ service: [] });
    const script = `#!/bin/sh
echo x >> asked
[ $(wc -l < asked) -eq 2 ] && echo '{"status":{"token":"old"}}' || echo '{"status":{"token":"secret"}}'
`;
    const exec = { command: './login' };
    const root = tempTree({
      login: script.replaceAll('asked', '"$(dirname "$0")/asked"'),
      it: kubeconfigFor(fake.url).replace('{"token":"secret"}', JSON.stringify({ exec })),
    });
    chmodSync(join(root, 'login'), 0o755);
    const cluster = await kubernetesCluster({ kubeconfig: 'it', context: undefined }, root);

    expect(await cluster.list('service')).toEqual([]);
    let refusals = 1;
    fake.refuse = () => {
      refusals -= 1;
      return refusals < 0 ? undefined : { status: 401, message: 'expired' };
    };
    await expect(cluster.list('service')).rejects.toThrow(/refuses the credentials/);
    expect(await cluster.list('service')).toEqual([]);
    await fake.close();
  });

  it('over plain HTTP must be allowed', async () => {
    const root = tempTree({ it: config({ cluster: { server: 'http://127.0.0.1:9' } }) });

    expect(await answered(root, 'it')).toMatch(/plain http.*insecure-skip-tls-verify/);
  });

  it('are not sent to a server without TLS', async () => {
    const fake = await fakeApiServer({ service: [] });
    const root = tempTree({
      it: config({ cluster: { server: fake.url.replace('http', 'https') } }),
    });

    expect(await answered(root, 'it')).toMatch(/^the cluster at https:.* cannot be reached: /);
    expect(fake.requests).toEqual([]);
    await fake.close();
  });
});
