import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { first, owners, secretFile, serviceText } from '../../support/repositories/key-owner.ts';
import { answerOf } from '../../support/run/json-answer.ts';
import { runInProcess } from '../../support/run/run-in-process.ts';
import { example } from '../../support/trees/example.ts';

const own = 'leases/keys/shop/own.yaml';
const repositoryId = 'leases/keys/repository.yaml';
const about = { apiVersion: 'leasehold.dev/v1', day: '2026-11-20' };

describe('the answers of key for programs', () => {
  test('new has the files, and the secret that the text has', async () => {
    const line = ['key', 'new', 'shop/own'];
    expect(await answerOf(line, example(), { schema: 'new-key' })).toEqual({
      ...about,
      ...{ kind: 'NewKey', key: 'shop/own', files: [own, repositoryId] },
      secret: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
  });

  test('new has no secret that the user chose', async () => {
    const secret = 'correct horse battery staple';
    const line = ['key', 'new', 'shop/own', '--secret-file', secretFile(secret)];
    const answer = await answerOf(line, example(), { schema: 'new-key' });
    expect(answer).toEqual({
      ...about,
      ...{ kind: 'NewKey', key: 'shop/own', files: [own, repositoryId] },
    });
  });

  test('new has no secret that it wrote to a file', async () => {
    const file = `${secretFile('none')}.new`;
    const line = ['key', 'new', 'shop/own', '--out', file];
    const answer = await answerOf(line, example(), { schema: 'new-key' });
    expect(answer).not.toHaveProperty('secret');
  });

  test('show has the declarations and the addresses', async () => {
    const { root, repository, read, run } = await owners();
    const answer = await answerOf(['key', 'show', 'shop/own'], root, { schema: 'key-usage' });
    expect(answer).toEqual({
      ...{ ...about, kind: 'KeyUsage', commit: repository.git('rev-parse', 'HEAD').trim() },
      key: 'shop/own',
      publicKey: /publicKey: '(.*)'/.exec(read(own))?.[1],
      namedBy: [{ service: 'service/shop/web', file: 'leases/shop/web.yaml' }],
      addresses: [
        {
          ...{ address: first, state: 'held', since: '2026-01-02', generation: 0 },
          holder: 'default/service/shop/web',
        },
      ],
    });
    const yaml = await run('key', 'show', 'shop/own', '-o', 'yaml');
    expect(parse(yaml.out)).toEqual(answer);
  });

  test('show -o wide drops nothing at a narrow terminal', async () => {
    const { run } = await owners();
    const { out } = await run('key', 'show', 'shop/own', '-o', 'wide');
    expect(out).toContain(`${first}  held   2026-01-02  0           default/service/shop/web\n`);
  });

  test('sign has the statement, and the signature that the text has', async () => {
    const { root, secret, put } = await owners();
    put('leases/shop/web.yaml', '');
    put('leases/blog/web.yaml', serviceText('blog'));
    const holder = 'default/service/blog/web';
    const line = ['key', 'sign', 'shop/own', '--secret-file', secret, '--action', 'reclaim'];
    const asked = [...line, '--address', first, '--holder', holder];
    const answer = await answerOf(asked, root, { schema: 'key-signature' });
    expect(answer).toMatchObject({
      ...{ ...about, kind: 'KeySignature', key: 'shop/own', action: 'reclaim', uncommitted: true },
      ...{ address: first, holder, generation: 0 },
    });
    expect(answer).not.toHaveProperty('newKey');
    const { out } = await runInProcess(asked, root);
    expect(answer).toHaveProperty('signature', out.trim());
  });

  test('rotate has the files and the addresses', async () => {
    const { root, secret } = await owners();
    const fresh = secretFile('another long secret');
    const line = ['key', 'rotate', 'shop/own', '--secret-file', secret];
    const asked = [...line, '--new-secret-file', fresh, '--today', '2026-01-05'];
    expect(await answerOf(asked, root, { schema: 'key-rotation' })).toMatchObject({
      ...{ kind: 'KeyRotation', day: '2026-01-05', uncommitted: true, key: 'shop/own' },
      ...{ files: [own, 'leases/shop/web.yaml'], signed: [first], kept: [] },
    });
  });

  test('a refusal is a failure', async () => {
    const line = ['key', 'show', 'shop/own'];
    expect(await answerOf(line, example(), { schema: 'failure', status: 64 })).toMatchObject({
      reason: 'leases/keys/ has no valid key shop/own',
    });
  });
});
