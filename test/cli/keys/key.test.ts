import {
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { first, owners, secretFile } from '../../support/repositories/key-owner.ts';
import { runInProcess } from '../../support/run/run-in-process.ts';
import { example } from '../../support/trees/example.ts';
import { fileStates } from '../../support/trees/file-states.ts';

const own = 'leases/keys/shop/own.yaml';
const repositoryId = 'leases/keys/repository.yaml';

/** What is printed after a key of the namespace shop was made. */
const next = (name: string) => `
next:
  name the key in declarations of the namespace shop:
    a Service: the annotation ipam.vitistack.io/secret: ${name}
    a Reservation: the field secret: ${name}
  npx --no -- leasehold synth
  git add -A
  git commit -m "Add the key shop/${name}"
`;

function outside(): string {
  const folder = mkdtempSync(join(tmpdir(), 'leasehold-out-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

describe('key new', () => {
  test('prints a secret once, and writes a key and the id of the repository that check takes', async () => {
    const root = example();
    const { status, out, err } = await runInProcess(['key', 'new', 'shop/own'], root);
    expect([status, err]).toEqual([
      0,
      `wrote ${own}\nwrote ${repositoryId}\nthe secret is printed only once; store it where only you can read it:\n${next('own')}`,
    ]);
    expect(out).toMatch(/^[0-9a-f]{32}\n$/);
    expect(readFileSync(join(root, repositoryId), 'utf8')).toMatch(
      /^apiVersion: leasehold.dev\/v1\nkind: Repository\nid: '[0-9a-f]{32}'\n$/,
    );
    const all = JSON.stringify(fileStates(root));
    expect(all).not.toContain(out.trim());
    expect((await runInProcess(['check'], root)).status).toBe(0);
  });

  test('leaves the id of the repository as it is, and makes another salt for each key', async () => {
    const root = example();
    const secret = secretFile('correct horse battery staple');
    for (const name of ['shop/own', 'blog/own']) {
      await runInProcess(['key', 'new', name, '--secret-file', secret], root);
    }
    const id = readFileSync(join(root, repositoryId), 'utf8');
    const { err } = await runInProcess(['key', 'new', 'shop/other', '--secret-file', secret], root);
    expect(err).toBe(`wrote leases/keys/shop/other.yaml\n${next('other')}`);
    expect(readFileSync(join(root, repositoryId), 'utf8')).toBe(id);
    const keys = ['shop/own', 'blog/own', 'shop/other'].map((name) =>
      readFileSync(join(root, `leases/keys/${name}.yaml`), 'utf8'),
    );
    expect(new Set(keys.flatMap((text) => text.split('\n').slice(2, 4))).size).toBe(6);
  });

  test('never makes a key anew', async () => {
    const { run, read } = await owners();
    const before = read(own);
    const { status, out, err } = await run('key', 'new', 'shop/own');
    expect([status, out]).toEqual([64, '']);
    expect(err).toBe(
      'leasehold: leases/keys/shop/own.yaml already exists; `leasehold key rotate` gives it a new secret\n',
    );
    expect(read(own)).toBe(before);
  });

  test('writes the secret to a file that only its owner reads', async () => {
    const root = example();
    const file = join(outside(), 'own');
    const { status, out } = await runInProcess(['key', 'new', 'shop/own', '--out', file], root);
    expect([status, out]).toEqual([0, '']);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).toMatch(/^[0-9a-f]{32}\n$/);
  });

  test.each([
    [
      'is there already',
      (folder: string) => join(folder, 'there'),
      /^leasehold: .*there is there already/,
    ],
    ['is a link', (folder: string) => join(folder, 'link'), /is there already/],
    ['has no folder', (folder: string) => join(folder, 'none', 'own'), /cannot be written: ENOENT/],
    ['lies in the repository', () => 'own', /lies in the repository/],
    ['lies in a folder of it', () => 'leases/own', /lies in the repository/],
    [
      'lies in it by a link',
      (folder: string) => join(folder, 'root', 'own'),
      /lies in the repository/,
    ],
  ])('writes nothing when that file %s', async (_, fileIn, message) => {
    const root = example();
    const folder = outside();
    writeFileSync(join(folder, 'there'), '');
    symlinkSync('nowhere', join(folder, 'link'));
    symlinkSync(root, join(folder, 'root'));
    const file = fileIn(folder);
    const { status, out, err } = await runInProcess(
      ['key', 'new', 'shop/own', '--out', file],
      root,
    );
    expect([status, out]).toEqual([74, '']);
    expect(err).toMatch(message);
    expect(existsSync(join(root, own))).toBe(false);
    expect(readFileSync(join(folder, 'there'), 'utf8')).toBe('');
  });

  test.each([
    ['is empty', '', 64],
    ['has 7 characters', 'secret7', 64],
    ['has more than a secret has', 'a'.repeat(1025), 64],
  ])('takes no own secret that %s', async (_, secret, status) => {
    const root = example();
    const argv = ['key', 'new', 'shop/own', '--secret-file', secretFile(secret)];
    const finished = await runInProcess(argv, root);
    expect([finished.status, finished.out]).toEqual([status, '']);
    expect(finished.err).not.toContain(secret || 'nothing');
    expect(existsSync(join(root, own))).toBe(false);
  });

  test.each([
    ['8 characters', 'abcdefgh', /^caution: the secret has 8 characters/m],
    ['15 characters of two bytes', 'ü'.repeat(15), /^caution: the secret has 15 characters/m],
    ['16 characters', 'abcdefghijklmnop', undefined],
  ])('says how weak an own secret of %s is', async (_, secret, caution) => {
    const argv = ['key', 'new', 'shop/own', '--secret-file', secretFile(secret)];
    const { status, out, err } = await runInProcess(argv, example());
    expect([status, out]).toEqual([0, '']);
    if (caution) expect(err).toMatch(caution);
    else expect(err).not.toContain('caution');
    expect(err).not.toContain(secret);
  });

  test.each(['own', 'Shop/own', 'shop/', 'shop/../own', 'shop/own/more'])(
    'takes no key of the name %s',
    async (name) => {
      const { status, err } = await runInProcess(['key', 'new', name], example());
      expect([status, /It is not NAMESPACE\/NAME/.test(err)]).toEqual([64, true]);
    },
  );
});

describe('key show', () => {
  test('says who names a key, and which addresses have it', async () => {
    const { run, read, put, synth } = await owners("ipam.vitistack.io/ip-family: 'dual'");
    const publicKey = /publicKey: '(.*)'/.exec(read(own))?.[1];
    const { status, out } = await run('key', 'show', 'shop/own');
    expect(status).toBe(0);
    expect(out).toBe(`key         shop/own
public key  ${publicKey}
named by    service/shop/web (leases/shop/web.yaml)

ADDRESS      STATE  SINCE       GENERATION  HOLDER
${first}  held   2026-01-02  0           default/service/shop/web
2001:db8::   held   2026-01-02  0           default/service/shop/web
`);
    put('leases/shop/web.yaml', '');
    await synth('2026-01-05');
    const released = await run('key', 'show', 'shop/own');
    expect(released.out).not.toContain('named by');
    expect(released.out).toMatch(/released, free from 2026-01-12 {2}2026-01-02 {2}0 /);
  });

  test('knows no key that there is not', async () => {
    const { status, err } = await runInProcess(['key', 'show', 'shop/own'], example());
    expect([status, err]).toEqual([64, 'leasehold: leases/keys/ has no valid key shop/own\n']);
  });
});
