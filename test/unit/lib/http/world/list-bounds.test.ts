import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EnvironmentError } from '../../../../../src/core/model/problem.ts';
import { netBoxApi } from '../../../../../src/features/export/netbox/world/netbox-api.ts';
import { ListBounds } from '../../../../../src/lib/http/world/list-bounds.ts';
import { kubernetesCluster } from '../../../../../src/lib/kubernetes/world/kubernetes.ts';
import { fakeForge } from '../../../../support/forge/fake-forge.ts';
import { forgeAt, recordedWaiting } from '../../../../support/forge/forge-client.ts';
import { type FakeApiServer, fakeApiServer } from '../../../../support/live/fake-api-server.ts';
import { fakeNetBox } from '../../../../support/netbox/fake-netbox.ts';

describe('a list without an end', () => {
  const bounds = () => new ListBounds('https://server', 'services');

  it.each<[string, (bounds: ListBounds) => void]>([
    [
      'it names a page again that it has answered',
      (list) => ['a', 'b', 'a'].map((page) => list.ask(page)),
    ],
    [
      'there are more than 20,000 pages',
      (list) => Array.from({ length: 20_001 }, (_, page) => list.ask(String(page))),
    ],
    [
      'there are more than 1,000,000 entries',
      (list) => Array.from({ length: 2001 }, () => list.count(500, { text: '' })),
    ],
    [
      'its answers have more than 2 GiB',
      (list) => {
        const text = ' '.repeat(128 * 1024 * 1024);
        for (let page = 0; page < 17; page += 1) list.count(1, { text });
      },
    ],
  ])('is refused: %s', (why, read) => {
    const list = bounds();
    expect(() => read(list)).toThrow(
      new EnvironmentError(
        `https://server lists services without an end: ${why}; look at the server, or at a proxy in front of it`,
      ),
    );
  });

  it('is not one of 1,000,000 entries', () => {
    const list = bounds();
    for (let page = 0; page < 2000; page += 1) {
      list.ask(String(page));
      list.count(500, { text: '[]' });
    }
  });
});

describe('a server whose pages go round', () => {
  const again = /^.+ lists .+ without an end: it names a page again that it has answered; /;
  let fake: FakeApiServer;

  beforeEach(async () => {
    fake = await fakeApiServer();
  });
  afterEach(() => fake.close());

  it('is refused as a Kubernetes API server', async () => {
    const text = JSON.stringify({ items: [], metadata: { continue: 'next' } });
    fake.answer = () => ({ text });
    const cluster = await kubernetesCluster(
      { kubeconfig: fake.kubeconfig, context: undefined },
      '/',
    );
    await expect(cluster.list('service')).rejects.toThrow(again);
    expect(fake.requests).toHaveLength(2);
  });

  it('is refused as GitHub', async () => {
    const github = await fakeForge('github');
    const path = '/repos/acme/leases/issues/7/comments?per_page=100';
    const headers = { Link: `<${github.api}${path}>; rel="next"` };
    github.interfere = () => ({ status: 200, text: '[]', headers });
    await expect(forgeAt('github', github, recordedWaiting()).list()).rejects.toThrow(again);
    expect(github.requests).toHaveLength(2);
  });

  it('is refused as GitLab', async () => {
    const gitlab = await fakeForge('gitlab');
    gitlab.interfere = () => ({ status: 200, text: '[]', headers: { 'X-Next-Page': '1' } });
    await expect(forgeAt('gitlab', gitlab, recordedWaiting()).list()).rejects.toThrow(again);
    expect(gitlab.requests).toHaveLength(1);
  });

  it('is refused as NetBox, whose pages are counted', async () => {
    const netbox = await fakeNetBox();
    const results = Array.from({ length: 400_000 }, (_, id) => ({ id }));
    netbox.interfere = () => ({ status: 200, value: { count: 1e9, results } });
    const access = { url: netbox.url, token: 'nbt_key.fake-token', tokenFrom: 'T' };
    const api = netBoxApi(access, { clock: recordedWaiting() });
    await expect(api.list('extras/tags', [])).rejects.toThrow(/more than 1,000,000 entries/);
    expect(netbox.requests).toHaveLength(3);
  });
});
