import { execFileSync } from 'node:child_process';
import { createHash, createPublicKey, verify } from 'node:crypto';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cosignKey } from '../support/run/cosign.ts';
import { runProcess } from '../support/run/run-process.ts';
import { type Container, printedContainers } from '../support/serve/pod.ts';

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const isAsked = process.env.TEST_IMAGE === '1';
if (!isAsked) {
  process.stderr.write('image.test.ts is skipped: it needs root, a network and TEST_IMAGE=1\n');
}

describe.skipIf(!isAsked)('the image of a release', { timeout: 900_000 }, () => {
  let folder: string;
  let layout: string;
  let root: string;
  let example: string;

  const release = async (
    out: string,
    env: Readonly<Record<string, string>>,
    ...options: readonly string[]
  ): Promise<Buffer> => {
    const argv = ['release/release.mjs', '--image', '--out', out, ...options];
    const { status, err } = await runProcess(process.execPath, argv, { cwd: '.', env });
    expect([status, err]).toEqual([0, '']);
    return readFileSync(join(out, `leasehold-${version}.oci.tar`));
  };

  const blob = (digest: string): Buffer =>
    readFileSync(join(layout, 'blobs', digest.replace(':', '/')));
  const index = () => JSON.parse(readFileSync(join(layout, 'index.json'), 'utf8'));
  const manifest = () => JSON.parse(blob(index().manifests[0].digest).toString());

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'leasehold-image-'));
    [layout, root] = [join(folder, 'layout'), join(folder, 'root')];
    example = join(folder, 'example');
    for (const part of ['leases', 'dist']) cpSync(part, join(example, part), { recursive: true });
    mkdirSync(layout);
    mkdirSync(root);
    const key = join(folder, 'cosign.key');
    writeFileSync(key, cosignKey.text);
    const env = { COSIGN_PASSWORD: cosignKey.password };
    await release(join(folder, 'released'), env, '--key', key);
    const archive = join(folder, 'released', `leasehold-${version}.oci.tar`);
    execFileSync('tar', ['-xf', archive, '-C', layout]);
    for (const { digest } of manifest().layers) {
      execFileSync('tar', ['-xpzf', '-', '-C', root], { input: blob(digest) });
    }
  }, 900_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Runs a shell script in the image, with the example in /srv. */
  function inImage(script: string) {
    const isolated = ['--mount', '--net', '--pid', '--fork', 'sh'];
    const inside = ['test/support/run/image-root.sh', root, example, '/bin/sh', '-c'];
    return runProcess('unshare', [...isolated, ...inside, script], { cwd: '.' });
  }

  test('has the same bytes on each machine and day', async () => {
    const elsewhere = join(folder, 'another place');
    mkdirSync(elsewhere);
    const again = await release(join(folder, 'again'), { TMPDIR: elsewhere, TZ: 'Asia/Tokyo' });
    const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
    const first = readFileSync(join(folder, 'released', `leasehold-${version}.oci.tar`));
    expect(digest(again)).toBe(digest(first));
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  test('is a layout of at most 60 MB, whose blobs have their digests', () => {
    const blobs = readdirSync(join(layout, 'blobs/sha256'));
    const bytes = blobs.map((name) => blob(`sha256:${name}`));
    expect(bytes.map((one) => createHash('sha256').update(one).digest('hex'))).toEqual(blobs);
    const { config, layers } = manifest();
    const named = [index().manifests[0], config, ...layers].map(({ digest, size }) => [
      digest,
      size,
    ]);
    const own = blobs.map((name, at) => [`sha256:${name}`, bytes[at]?.length]);
    expect(named.sort()).toEqual(own.sort());
    const size = bytes.reduce((sum, one) => sum + one.length, 0);
    process.stdout.write(`image: ${(size / 1e6).toFixed(1)} MB compressed\n`);
    expect(size).toBeLessThan(60_000_000);
    expect(JSON.parse(blob(config.digest).toString())).toMatchObject({
      architecture: 'amd64',
      config: { User: '1000:1000', Entrypoint: ['leasehold'] },
    });
  });

  test('has its signature in a layout of its own, with the tag where cosign looks for it', () => {
    const signed = join(folder, 'signature');
    mkdirSync(signed);
    const archive = join(folder, 'released', `leasehold-${version}.oci.sig.tar`);
    execFileSync('tar', ['-xf', archive, '-C', signed]);
    const read = (path: string) => readFileSync(join(signed, path));
    const [{ digest, annotations }] = JSON.parse(read('index.json').toString()).manifests;
    const wanted: string = index().manifests[0].digest;
    expect(annotations['org.opencontainers.image.ref.name']).toBe(
      `${wanted.replace(':', '-')}.sig`,
    );
    const { layers } = JSON.parse(read(`blobs/${digest.replace(':', '/')}`).toString());
    const payload = read(`blobs/${layers[0].digest.replace(':', '/')}`);
    expect(JSON.parse(payload.toString()).critical.image['docker-manifest-digest']).toBe(wanted);
    const signature = layers[0].annotations['dev.cosignproject.cosign/signature'];
    const key = createPublicKey(cosignKey.publicText);
    expect(verify('sha256', payload, key, Buffer.from(signature, 'base64'))).toBe(true);
  });

  test('has no program that gives its user other rights', () => {
    const found = execFileSync('find', [root, '-type', 'f', '-perm', '/6000'], {
      encoding: 'utf8',
    });
    expect(found).toBe('');
  });

  test('checks the example as a user, on a read-only root, without a network', async () => {
    const { status, out, err } = await inImage(
      'id=$(node -p "process.getuid()"); echo "$id"; (: > /file) 2> /dev/null || echo read-only; LEASEHOLD_TODAY=2026-11-20 leasehold -C /srv synth; leasehold -C /srv check',
    );
    expect([status, out + err]).toEqual([
      0,
      expect.stringMatching(/^1000\nread-only\n[\s\S]*all files up to date\n/),
    ]);
  });

  test('starts leasehold in less than a second of CPU', async () => {
    const { status, out } = await inImage('leasehold --version; times');
    const [printed, , children = ''] = out.split('\n');
    expect([status, printed]).toEqual([0, version]);
    const parts = [...children.matchAll(/(\d+)m([\d.]+)s/g)];
    const seconds = parts.reduce(
      (sum, [, minutes, rest]) => sum + 60 * Number(minutes) + Number(rest),
      0,
    );
    process.stdout.write(`image: --version: ${seconds.toFixed(2)} s of CPU\n`);
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThan(1);
  });

  test('has git over https and ssh, and what bootstrap serve runs', async () => {
    const script = [
      'cd /srv && git init -q -b main && git add -A',
      'git -c user.name=a -c user.email=a@b.c commit -q -m x',
      'git clone -q --no-tags --single-branch --branch main -- /srv /tmp/leases',
      'leasehold -C /tmp/leases plan --base HEAD --head HEAD > /dev/null && echo planned',
      'for url in https://127.0.0.1:9/x ssh://git@127.0.0.1:9/x; do git ls-remote $url || true; done',
      'ssh-keygen -q -t ed25519 -N "" -f /tmp/key && echo made',
    ];
    const { status, out, err } = await inImage(`set -e\n${script.join('\n')}\n`);
    expect([status, out, err]).toEqual([
      0,
      'planned\nmade\n',
      expect.stringMatching(/to connect to 127\.0\.0\.1[\s\S]*ssh: connect to host 127\.0\.0\.1/),
    ]);
  });

  test('serves a branch in the pod of bootstrap serve, and ends when it is asked to', async () => {
    const repo = 'https://git.example.com/leases.git';
    const { init, main } = await printedContainers(example, ['--repo', repo]);
    const lines = ({ command, args = [] }: Container) =>
      [...command, ...args]
        .map((word) => `'${word.replace(repo, 'file:///tmp/origin')}'`)
        .join(' ');
    const ask = `
      import { setTimeout as pause } from 'node:timers/promises';
      const get = async (path) => (await fetch('http://127.0.0.1:8080' + path)).status;
      const until = Date.now() + 60_000;
      while ((await get('/ready').catch(() => 0)) !== 200 && Date.now() < until) await pause(50);
      for (const path of ['/health', '/ready', '/usage', '/api/v1/status', '/']) console.log(path, await get(path));
    `;
    const script = [
      'cd /srv && git init -q -b main && git add -A',
      'git -c user.name=a -c user.email=a@b.c commit -q -m x',
      'git clone -q --bare /srv /tmp/origin && cd /',
      lines(init),
      `${lines(main)} > /tmp/log 2>&1 & served=$!`,
      `node --input-type=module -e "${ask}"`,
      'kill -TERM "$served"; wait "$served" && echo ended',
    ];
    const { status, out, err } = await inImage(`set -e\n${script.join('\n')}\n`);
    const answers = ['/health 200', '/ready 200', '/usage 200', '/api/v1/status 200', '/ 200'];
    expect([status, out, err]).toEqual([0, `${[...answers, 'ended'].join('\n')}\n`, '']);
  });
});
