import { KubeConfig } from '@kubernetes/client-node';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EnvironmentError } from '../../../../../src/core/model/problem.ts';
import {
  ApiServer,
  connectionFailure,
} from '../../../../../src/lib/kubernetes/world/api-server.ts';
import {
  type FakeApiServer,
  fakeApiServer,
  kubeconfigFor,
} from '../../../../support/live/fake-api-server.ts';

const request = { verb: 'get', resource: '/version', path: '/version' };
let fake: FakeApiServer;

beforeEach(async () => {
  fake = await fakeApiServer();
});
afterEach(() => fake.close());

function serverOf(kubeconfig: string, patience?: number): ApiServer {
  const config = new KubeConfig();
  config.loadFromString(kubeconfig);
  return new ApiServer(config, patience);
}

describe('an API server', () => {
  it('gives whatever status it answers with', async () => {
    fake.refuse = () => ({ status: 500, message: 'no' });

    expect((await serverOf(kubeconfigFor(fake.url)).ask(request)).status).toBe(500);
  });

  it('is not waited for without end', async () => {
    fake.refuse = () => 'hang';
    const failure = await serverOf(kubeconfigFor(fake.url), 50)
      .ask(request)
      .catch((error) => error);

    expect(failure).toBeInstanceOf(EnvironmentError);
    expect(failure.message).toBe(
      `the cluster at ${fake.url} cannot be reached: it did not answer in time`,
    );
  });

  it.each([
    ['does not answer', 'hang'],
    ['answers that it is busy', { status: 429, message: 'later', retryAfter: '9' }],
  ] as const)('is not waited for after a stop when it %s', async (_, refusal) => {
    const config = new KubeConfig();
    config.loadFromString(kubeconfigFor(fake.url));
    const controller = new AbortController();
    fake.refuse = () => {
      setImmediate(() => controller.abort());
      return refusal;
    };
    const server = new ApiServer(config, undefined, controller.signal);
    await expect(server.ask(request)).rejects.toThrow();
    await expect(server.ask(request)).rejects.toThrow();
    expect(fake.requests).toHaveLength(1);
  });

  it.each([
    [429, 2, 200, 3],
    [503, 4, 200, 5],
    [429, 5, 429, 5],
  ])(
    'that answers %i and when to ask again is asked again: %i times',
    async (status, times, last, requests) => {
      let left = times;
      fake.refuse = () => {
        left -= 1;
        return left < 0 ? undefined : { status, message: 'later', retryAfter: '0' };
      };

      expect((await serverOf(kubeconfigFor(fake.url)).ask(request)).status).toBe(last);
      expect(fake.requests).toHaveLength(requests);
    },
  );

  it.each([
    [429, undefined],
    [429, '3600'],
    [429, 'Fri, 20 Nov 2026 10:00:00 GMT'],
    [403, '0'],
  ])('that answers %i, and to come again in %s, is not asked again', async (status, retryAfter) => {
    fake.refuse = () => ({ status, message: 'no', ...(retryAfter ? { retryAfter } : {}) });

    expect((await serverOf(kubeconfigFor(fake.url)).ask(request)).status).toBe(status);
    expect(fake.requests).toHaveLength(1);
  });

  it('may be behind a proxy, whose password is not shown', async () => {
    const kubeconfig = kubeconfigFor('https://cluster.test', 'secret').replace(
      '"server"',
      '"proxy-url":"http://me:pass@127.0.0.1:9","server"',
    );
    const failure = await serverOf(kubeconfig)
      .ask(request)
      .catch((error) => error);

    expect(failure).toBeInstanceOf(EnvironmentError);
    expect(failure.message).toBe(
      'the cluster at https://cluster.test cannot be reached through the proxy 127.0.0.1:9: nothing listens there (ECONNREFUSED)',
    );
  });

  it('may be below a path', async () => {
    fake.refuse = () => ({ text: 'ok' });
    await serverOf(kubeconfigFor(`${fake.url}/clusters/a`)).ask(request);

    expect(fake.requests).toEqual(['GET /clusters/a/version']);
  });
});

describe('connectionFailure', () => {
  const said = (fields: object) =>
    connectionFailure('https://x', undefined, Object.assign(new Error('why,\nand more'), fields))
      .message;

  it.each([
    [{ code: 'ENOTFOUND' }, 'there is no such host name (ENOTFOUND)'],
    [{ code: 'ECONNRESET' }, 'it closed the connection (ECONNRESET)'],
    [{ name: 'TimeoutError' }, 'it did not answer in time'],
    [
      { code: 'SELF_SIGNED_CERT_IN_CHAIN' },
      'its certificate is not accepted: no authority that is trusted here has signed it (SELF_SIGNED_CERT_IN_CHAIN)',
    ],
    [{ code: 'CERT_HAS_EXPIRED' }, 'its certificate is not accepted: why'],
    [
      { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' },
      'its certificate is not accepted: no authority that is trusted here has signed it (UNABLE_TO_VERIFY_LEAF_SIGNATURE)',
    ],
    [{ code: 'ERR_TLS_CERT_ALTNAME_INVALID' }, 'its certificate is not accepted: why'],
    [{ code: 'ESOMETHING' }, 'why'],
  ])('is a sentence for %j', (fields, reason) => {
    expect(said(fields)).toBe(`the cluster at https://x cannot be reached: ${reason}`);
  });

  it('has a sentence for a thrown value that is not an Error', () => {
    expect(connectionFailure('https://x', undefined, 'odd').message).toMatch(/: odd$/);
  });
});
