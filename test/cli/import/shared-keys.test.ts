import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { exportedPool, exportedService } from '../../support/imports/exported-cluster.ts';
import {
  beside,
  expectSettled,
  importedBy,
  notesOf,
  told,
} from '../../support/imports/imported-cluster.ts';
import { gitRepository } from '../../support/repositories/git-repository.ts';
import { runInProcess } from '../../support/run/run-in-process.ts';
import { content, putFile } from '../../support/trees/temp-tree.ts';

const helm = { 'app.kubernetes.io/managed-by': 'Helm' };
const port = (number: number, protocol = 'TCP') => ({
  spec: {
    ports: [{ name: 'p', port: number, protocol }],
    selector: { app: 'resolver' },
    externalTrafficPolicy: 'Local',
  },
});

/** A Service of a chart on 192.0.2.70, for TCP or UDP. */
const resolver = (protocol: 'TCP' | 'UDP', key = 'resolver-svc') =>
  exportedService({
    name: `dns-${protocol.toLowerCase()}`,
    addresses: ['192.0.2.70'],
    labels: helm,
    annotations: { 'metallb.universe.tf/allow-shared-ip': key },
    ...port(53, protocol),
  });

const joining = (policy: string, key = 'resolver-svc') => `apiVersion: v1
kind: Service
metadata:
  name: front
  namespace: web
  annotations:
    metallb.io/allow-shared-ip: ${key}
spec:
  type: LoadBalancer
  externalTrafficPolicy: ${policy}
  selector: { app: resolver }
  ports: [{ port: 80 }]
`;

const front = 'leases/web/front.yaml';
const keysIn = (text: string) => [...text.matchAll(/allow-shared-ip: (.*)/g)].map(([, key]) => key);

async function valuesOf(root: string): Promise<string> {
  const { status, out } = await runInProcess(['list', '-o', 'values'], root);
  expect(status).toBe(0);
  return out;
}

async function sharersImported(): Promise<string> {
  const root = beside([resolver('TCP'), resolver('UDP'), ...exportedPool]);
  await importedBy('cluster', root);
  return root;
}

describe('the live sharing key of imported Services', () => {
  it('is kept in the Reservations of charts that share, with their pods, and printed for both', async () => {
    const root = beside([resolver('TCP'), resolver('UDP'), ...exportedPool]);
    const answer = await importedBy('cluster', root);
    expect(notesOf(answer)).toEqual([
      'changed Service web/dns-tcp: it is a Reservation, since Helm writes it',
      'changed Service web/dns-udp: it is a Reservation, since Helm writes it',
    ]);
    for (const name of ['dns-tcp', 'dns-udp']) {
      expect(content(root)[`leases/web/${name}.yaml`]).toContain(
        '  liveSharingKey: resolver-svc\n  externalTrafficPolicy: Local\n  selector:\n    app: resolver\n',
      );
    }
    const values = await valuesOf(root);
    expect(keysIn(values)).toEqual(['resolver-svc', 'resolver-svc']);
    expect(values.match(/externalTrafficPolicy: Local/g)).toHaveLength(2);
    await expectSettled(root, ['192.0.2.70 default/shared/web/resolver-svc']);
  });

  it.each(['true', '1.5', 'two words: "x" #', 'ключ', "it's"])(
    'is kept as it is: %s',
    { tags: 'slow' },
    async (key) => {
      const root = beside([resolver('TCP', key), resolver('UDP', key), ...exportedPool]);
      await importedBy('cluster', root);
      const values = await valuesOf(root);
      const [first, second] = keysIn(values);
      expect(first).toBe(second);
      putFile(root, front, joining('Local', sharedIn(root)));
      expect(await runInProcess(['synth'], root)).toMatchObject({ status: 0, err: '' });
      const objects = Object.entries(content(root)).flatMap(([path, text]) =>
        path.startsWith('dist/') ? parseAllDocuments(text).map((one) => one.toJS()) : [],
      );
      const found = objects.find((one) => one.kind === 'Service').metadata.annotations;
      expect(found['metallb.io/allow-shared-ip']).toBe(key);
      expect(await runInProcess(['check'], root)).toMatchObject({ status: 0 });
    },
  );

  it('is given to a Service that joins them, which needs their pods', async () => {
    const root = await sharersImported();
    putFile(root, front, joining('Cluster'));
    const refused = await runInProcess(['synth'], root);
    expect(refused.status).toBe(1);
    expect(refused.out).toMatch(/^leases\/web\/front\.yaml:4:3 SHARING_CONFLICT /);
    expect(refused.out).toContain(
      'hint: set externalTrafficPolicy: Local and the selector app=resolver, or give it another sharing key',
    );
    putFile(root, front, joining('Local'));
    expect(await runInProcess(['synth'], root)).toMatchObject({ status: 0 });
    const manifests = Object.entries(content(root)).filter(([path]) => path.startsWith('dist/'));
    expect(manifests.flatMap(([, text]) => keysIn(text))).toEqual(['resolver-svc']);
    expect(keysIn(await valuesOf(root))).toEqual(['resolver-svc', 'resolver-svc']);
    await expectSettled(root, ['192.0.2.70 default/shared/web/resolver-svc']);
  });

  it('is a caution of the plan when it changes for Services that another tool renders', async () => {
    const root = await sharersImported();
    const repository = gitRepository(root);
    repository.git('add', '-A');
    repository.git('commit', '-qm', 'import');
    for (const path of ['leases/web/dns-tcp.yaml', 'leases/web/dns-udp.yaml']) {
      putFile(root, path, content(root)[path]?.replace(/ {2}liveSharingKey.*\n/, '') ?? '');
    }
    expect(await runInProcess(['synth'], root)).toMatchObject({ status: 0 });
    const { out } = await runInProcess(['plan', '--base', 'HEAD'], root);
    expect(out).toMatch(/^Caution: /);
    expect(out).toContain(
      'REACH_CHANGED Service web/dns-udp, which another tool renders, gets other values: sharing key resolver-svc → leasehold-web; MetalLB takes the shared address from it while another Service has the old ones',
    );
  });

  it('is kept by a Service that declares it when those of the charts leave', async () => {
    const root = await sharersImported();
    putFile(root, front, joining('Local'));
    putFile(
      root,
      'leases/web/back.yaml',
      joining('Local').replace('front', 'back').replace('80', '81'),
    );
    expect(await runInProcess(['synth'], root)).toMatchObject({ status: 0 });
    const repository = gitRepository(root);
    repository.git('add', '-A');
    repository.git('commit', '-qm', 'join');
    repository.git('rm', '-q', 'leases/web/dns-tcp.yaml', 'leases/web/dns-udp.yaml');
    const lost = await runInProcess(['synth'], root);
    expect(lost.status).toBe(1);
    expect(lost.out).toContain(
      'hint: keep the key: write the annotation leasehold.dev/live-sharing-key: resolver-svc into one of the Services that stay\n',
    );
    const kept = 'annotations:\n    leasehold.dev/live-sharing-key: resolver-svc';
    putFile(root, front, joining('Local').replace('annotations:', kept));
    expect(await runInProcess(['synth'], root)).toMatchObject({ status: 0 });
    const manifests = Object.entries(content(root)).filter(([path]) => path.startsWith('dist/'));
    expect(manifests.flatMap(([, text]) => keysIn(text))).toEqual(['resolver-svc', 'resolver-svc']);
  });

  it('is refused when two differ on one address', async () => {
    const root = await sharersImported();
    const path = 'leases/web/dns-udp.yaml';
    const other = content(root)[path]?.replace('liveSharingKey: resolver-svc', 'liveSharingKey: x');
    putFile(root, path, other ?? '');
    const { status, out } = await runInProcess(['check'], root);
    expect(status).toBe(1);
    expect(out).toContain(
      "HOLDER_CONFLICT Service 'dns-udp' shares one address, but dns-udp 53/UDP has liveSharingKey x and dns-tcp 53/TCP has liveSharingKey resolver-svc",
    );
    expect(out).toContain(
      'hint: use the same liveSharingKey in all of them, or set it in one only',
    );
  });

  it('of Reservations from before is a line of the next import', async () => {
    const root = await sharersImported();
    for (const path of ['leases/web/dns-tcp.yaml', 'leases/web/dns-udp.yaml']) {
      putFile(root, path, content(root)[path]?.replace(/ {2}liveSharingKey.*\n/, '') ?? '');
    }
    expect(notesOf(await importedBy('cluster', root))).toEqual(
      ['dns-tcp', 'dns-udp'].map(
        (name) =>
          `left Service web/${name}: its sharing key is resolver-svc, and leasehold-web here: write liveSharingKey: "resolver-svc" into leases/web/${name}.yaml, since it loses its address when it gets another key`,
      ),
    );
  });

  it('has a line when a lone Service gets another one, and none when its Reservation keeps it', async () => {
    const annotations = { 'metallb.io/allow-shared-ip': 'alone' };
    const root = beside([
      exportedService({ name: 'app', addresses: ['192.0.2.65'], annotations }),
      exportedService({ name: 'chart', addresses: ['192.0.2.66'], annotations, labels: helm }),
      ...exportedPool,
    ]);
    const answer = await importedBy('cluster', root);
    expect(told(answer)).toEqual([
      'Reservation web/chart added 192.0.2.66',
      'Service web/app added 192.0.2.65',
    ]);
    expect(notesOf(answer)).toEqual([
      'changed Service web/app: its sharing key alone becomes leasehold-web: no other live Service has its address',
      'changed Service web/chart: it is a Reservation, since Helm writes it',
    ]);
    expect(keysIn(await valuesOf(root))).toEqual(['alone']);
  });

  it('over namespaces is one key, whatever the pods', async () => {
    const there = { ...port(54), namespace: 'other' };
    const annotations = { 'metallb.io/allow-shared-ip': 'both' };
    const live = { addresses: ['192.0.2.70'], annotations, labels: helm };
    const root = beside([
      exportedService({ name: 'here', ...live, ...port(53) }),
      exportedService({ name: 'there', ...live, ...there }),
      ...exportedPool,
    ]);
    await importedBy('cluster', root);
    expect(keysIn(await valuesOf(root))).toEqual(['both', 'both']);
    await expectSettled(root, ['192.0.2.70 anycast/both']);
  });
});

/** The name by which the Reservations share. */
function sharedIn(root: string): string {
  const text = content(root)['leases/web/dns-tcp.yaml'] ?? '';
  return /^ {2}sharingKey: (.*)$/m.exec(text)?.[1] ?? '';
}
