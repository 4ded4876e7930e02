import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DeniedError, EnvironmentError } from '../../../../../src/core/model/problem.ts';
import type { LiveCluster } from '../../../../../src/lib/kubernetes/live-cluster.ts';
import { kubernetesCluster } from '../../../../../src/lib/kubernetes/world/kubernetes.ts';
import {
  type FakeApiServer,
  fakeApiServer,
  type Refusal,
} from '../../../../support/live/fake-api-server.ts';

let fake: FakeApiServer;
let cluster: LiveCluster;

beforeEach(async () => {
  fake = await fakeApiServer();
  cluster = await kubernetesCluster({ kubeconfig: fake.kubeconfig, context: undefined }, '/');
});
afterEach(() => fake.close());

const services = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    metadata: { name: `s${index}`, namespace: index % 2 === 0 ? 'even' : 'odd', managedFields: [] },
  }));

/** What a call is refused with. */
async function failureOf(call: Promise<unknown>): Promise<Error> {
  return call.then(
    () => new Error('it was not refused'),
    (error: Error) => error,
  );
}

describe('a live cluster', () => {
  it('is named by context and server', { tags: 'slow' }, () => {
    expect(cluster.name).toBe(`fake (${fake.url})`);
  });

  it.each([0, 1, 499, 500, 501, 1001])('lists %i objects page by page', async (count) => {
    fake.objects = { service: services(count) };
    const listed = await cluster.list('service');

    expect(listed?.map(({ metadata }) => metadata.name)).toEqual(
      services(count).map(({ metadata }) => metadata.name),
    );
    expect(fake.requests).toHaveLength(Math.max(1, Math.ceil(count / 500)));
  });

  it('leaves out who wrote which field, but for Services, pools and advertisements', async () => {
    const port = { 'k:{"port":80,"protocol":"TCP"}': {} };
    const fieldsV1 = { 'f:spec': { 'f:ports': port } };
    const deep = { 'f:spec': { 'f:ports': { 'k:{"port":80,"protocol":"TCP"}': { '.': {} } } } };
    const managedFields = [
      { manager: 'kubectl', operation: 'Update', fieldsV1: deep },
      { manager: 'controller', subresource: 'status' },
    ];
    const metadata = { name: 's', namespace: 'even' };
    const objects = [{ metadata: { ...metadata, managedFields } }];
    const kinds = ['service', 'addressPool', 'l2Advertisement', 'configMap'] as const;
    fake.objects = Object.fromEntries(kinds.map((kind) => [kind, structuredClone(objects)]));
    const kept = [
      { manager: 'kubectl', fieldsV1 },
      { manager: 'controller', subresource: 'status' },
    ];

    expect(await cluster.list('configMap')).toEqual([{ metadata }]);
    for (const kind of ['service', 'addressPool', 'l2Advertisement'] as const) {
      expect(await cluster.list(kind)).toEqual([
        { metadata: { ...metadata, managedFields: kept } },
      ]);
    }
  });

  it('lists one namespace', async () => {
    fake.objects = { service: services(3), addressPool: [] };
    await cluster.list('addressPool', 'metallb-system');

    expect(await cluster.list('service', 'odd')).toHaveLength(1);
    expect(fake.requests).toEqual([
      'GET /apis/metallb.io/v1beta1/namespaces/metallb-system/ipaddresspools?limit=500',
      'GET /api/v1/namespaces/odd/services?limit=500',
    ]);
  });

  it('returns undefined for a kind that is not served, and requires Services', async () => {
    expect(await cluster.list('addressPool')).toBeUndefined();
    expect(await cluster.list('admissionPolicy')).toBeUndefined();
    expect((await failureOf(cluster.list('service'))).message).toMatch(
      /answers 404 .* list services/,
    );
  });

  /** Answers the first requests for a second page as if it had been forgotten. */
  const forget = (times: number) => {
    let left = times;
    fake.refuse = (path) => {
      if (!path.includes('continue=') || left === 0) return undefined;
      left -= 1;
      return { status: 410, message: 'The provided continue parameter is too old' };
    };
  };

  it('begins a list anew when the API server forgot where it was', async () => {
    fake.objects = { service: services(501) };
    forget(2);

    expect(await cluster.list('service')).toHaveLength(501);
  });

  it('gives up beginning anew', async () => {
    fake.objects = { service: services(501) };
    forget(3);

    expect((await failureOf(cluster.list('service'))).message).toMatch(/changes faster than/);
  });

  it.each<[string, Refusal, RegExp]>([
    ['401', { status: 401, message: 'Unauthorized' }, /refuses the credentials .*expired or wrong/],
    [
      '410 at once',
      { status: 410, message: 'too old' },
      /answers 410 when asked to list services: too old/,
    ],
    [
      '403',
      { status: 403, message: 'no' },
      /does not let this user list services.*leasehold bootstrap rbac/,
    ],
    [
      '500',
      { status: 500, message: 'etcd is\nslow' },
      /answers 500 when asked to list services: etcd is/,
    ],
    [
      'no JSON',
      { text: '<html>Sign in</html>' },
      /does not answer \S+ as a Kubernetes API server does: <html>Sign in/,
    ],
    [
      'no list',
      { text: '{"kind":"Status"}' },
      /does not answer \S+ as a Kubernetes API server does/,
    ],
    [
      'nameless objects',
      { text: '{"items": [null]}' },
      /does not answer \S+ as a Kubernetes API server does/,
    ],
    ['null', { text: 'null' }, /does not answer \S+ as a Kubernetes API server does/],
    [
      'nothing',
      { text: '' },
      /does not answer \S+ as a Kubernetes API server does: no further details/,
    ],
  ])('reports the failure of a cluster that answers with %s', async (_, refusal, message) => {
    fake.refuse = () => refusal;
    const failure = await failureOf(cluster.list('service'));

    expect(failure).toBeInstanceOf(EnvironmentError);
    expect(failure.message).toMatch(message);
    expect(failure.message).toContain(fake.url);
  });

  it('distinguishes a refusal by RBAC from others', async () => {
    fake.refuse = () => ({ status: 403, message: 'no' });
    expect(await failureOf(cluster.list('configMap', 'kube-system'))).toMatchObject({
      request: 'list configmaps in kube-system',
      user: 'this user',
    });
    fake.refuse = () => ({
      status: 403,
      message: 'services is forbidden: User "system:anonymous" cannot list resource "services"',
    });
    expect(await failureOf(cluster.list('service'))).toMatchObject({
      message: expect.stringContaining('does not let system:anonymous list services;'),
      user: 'system:anonymous',
    });
    expect(await failureOf(cluster.list('event'))).toBeInstanceOf(DeniedError);
    fake.refuse = () => ({ status: 401, message: 'no' });
    expect(await failureOf(cluster.list('event'))).not.toBeInstanceOf(DeniedError);
  });

  it('asks once with credentials that are refused at once', async () => {
    fake.refuse = () => ({ status: 401, message: 'no' });

    await failureOf(cluster.list('service'));
    expect(fake.requests).toHaveLength(1);
  });

  it('asks for credentials once more when they are refused later on', async () => {
    fake.objects = { service: [] };
    await cluster.list('service');
    let refusals = 1;
    fake.refuse = () => {
      refusals -= 1;
      return refusals < 0 ? undefined : { status: 401, message: 'expired' };
    };

    expect(await cluster.list('service')).toEqual([]);
  });

  it('cannot be reached when nothing listens', async () => {
    await fake.close();
    const failure = await failureOf(cluster.list('service'));

    expect(failure).toBeInstanceOf(EnvironmentError);
    expect(failure.message).toBe(
      `the cluster at ${fake.url} cannot be reached: nothing listens there (ECONNREFUSED)`,
    );
    fake = await fakeApiServer();
  });

  it('returns its version', async () => {
    expect(await cluster.version()).toBe('v1.34.1');
    fake.refuse = () => ({ text: '{}' });
    expect((await failureOf(cluster.version())).message).toMatch(
      /does not answer \S+ as a Kubernetes API server does/,
    );
  });
});

describe('a dry run', () => {
  const pool = { metadata: { name: 'p', namespace: 'm' }, spec: {} };

  it('sends the object with its kind, and asks for nothing to be kept', async () => {
    let sent = '';
    fake.answer = (_, body) => {
      sent = body;
      return { text: '{}' };
    };

    expect((await cluster.dryRun('addressPool', pool)).verdict).toBe('accepted');
    expect(fake.requests).toEqual([
      'POST /apis/metallb.io/v1beta1/namespaces/m/ipaddresspools?dryRun=All&fieldManager=leasehold',
    ]);
    expect(JSON.parse(sent)).toEqual({
      apiVersion: 'metallb.io/v1beta1',
      kind: 'IPAddressPool',
      ...pool,
    });
  });

  it.each([
    [403, 'admission webhook "x.metallb.io" denied the request: overlap', 'refused'],
    [422, 'spec.addresses: Required value', 'refused'],
    [403, 'ipaddresspools.metallb.io is forbidden: User "a" cannot create resource', 'denied'],
    [500, 'Internal error occurred: failed calling webhook "x": timeout', 'failed'],
    [404, 'namespaces "m" not found', 'failed'],
    [409, 'ipaddresspools.metallb.io "p" already exists', 'accepted'],
  ])('that is answered %i %s is %s', async (status, message, verdict) => {
    fake.answer = () => ({ status, message });

    expect(await cluster.dryRun('addressPool', pool)).toEqual({ verdict, message });
  });
});

describe('the log of a pod', () => {
  it('returns its last lines, and nothing for a pod without a log', async () => {
    fake.answer = () => ({ text: 'one\ntwo\n' });
    expect(await cluster.log('akash services', 'a/b', 200)).toBe('one\ntwo\n');
    expect(fake.requests).toEqual([
      'GET /api/v1/namespaces/akash%20services/pods/a%2Fb/log?tailLines=200',
    ]);
    for (const status of [400, 404, 500]) {
      fake.answer = () => ({ status, message: 'no' });
      expect(await cluster.log('a', 'b', 1)).toBeUndefined();
    }
  });

  it('may be denied', async () => {
    fake.answer = () => ({ status: 403, message: 'User "ci" cannot get resource "pods/log"' });

    expect(await failureOf(cluster.log('a', 'b', 1))).toMatchObject({
      user: 'ci',
      request: 'get pods/log in a',
    });
  });
});
