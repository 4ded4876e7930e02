import { describe, expect, test } from 'vitest';
import {
  first,
  judged,
  owners,
  secretFile,
  serviceText,
  signature,
  synth,
} from '../../support/repositories/key-owner.ts';

const web = 'leases/shop/web.yaml';

describe('key sign', () => {
  test('lets a Service name another key by hand', { tags: 'slow' }, async () => {
    const life = await owners();
    await life.run('key', 'new', 'shop/next');
    const argv = ['--action', 'rotate', '--address', first, '--new-key', 'shop/next'];
    const { out, err } = await life.key('sign', ...argv);
    expect(err).toBe(
      `${first} of default/service/shop/web gets the key shop/next, once, from generation 0 of its record; set this as leasehold.dev/signature of its Service:\n`,
    );
    const text = life.read(web).replace('secret: own', 'secret: next');
    life.put(web, text);
    expect(await synth(life, '2026-01-05')).toBe('NOT_PROVEN');
    life.put(
      web,
      text
        .replace('spec:', `spec:`)
        .replace('  annotations:\n', `  annotations:\n    ${signature(out)}\n`),
    );
    expect(await synth(life, '2026-01-05')).toBe('fine');
    expect(await judged(life, 'HEAD')).toBe('fine');
  });

  const never: readonly (readonly [string, readonly string[], RegExp])[] = [
    [
      'an address without a record',
      ['--action', 'rotate', '--address', '203.0.113.9'],
      /203.0.113.9 has no valid record/,
    ],
    [
      'a rotation to the key that it has',
      ['--action', 'rotate', '--address', first, '--new-key', 'shop/own'],
      /already has that key/,
    ],
    [
      'a rotation to a key that is not there',
      ['--action', 'rotate', '--address', first, '--new-key', 'shop/none'],
      /no valid key shop\/none/,
    ],
    [
      'a rotation for another holder',
      ['--action', 'rotate', '--address', first, '--holder', 'default/service/blog/web'],
      /a rotation does not change the holder/,
    ],
    [
      'a reclaim for nobody',
      ['--action', 'reclaim', '--address', first],
      /the new holder is missing: use --holder/,
    ],
    [
      'a reclaim for what is no holder',
      ['--action', 'reclaim', '--address', first, '--holder', 'blog|web'],
      /is not a valid holder/,
    ],
    [
      'what is no address',
      ['--action', 'rotate', '--address', '203.0.113.0/32'],
      /It is not an IP address/,
    ],
    [
      'what is no action',
      ['--action', 'take', '--address', first],
      /Allowed choices are reclaim, rotate/,
    ],
  ];

  test('refuses a signature that could never be valid', async () => {
    const life = await owners();
    for (const [what, argv, message] of never) {
      const { status, out, err } = await life.key('sign', ...argv);
      expect([what, status, out]).toEqual([what, 64, '']);
      expect(err).toMatch(message);
    }
  });

  test('refuses the wrong secret, the wrong key, and an address without one', async () => {
    const life = await owners();
    const refusal = async (name: string, secret: string, address = first) => {
      const secretOption = ['--secret-file', secret];
      const what = ['--action', 'rotate', '--address', address];
      const { status, out, err } = await life.run('key', 'sign', name, ...secretOption, ...what);
      expect([status, out]).toEqual([64, '']);
      return err;
    };
    expect(await refusal('shop/own', secretFile('not the secret of it'))).toBe(
      'leasehold: the secret does not match the key shop/own\n',
    );
    await life.run('key', 'new', 'shop/next', '--secret-file', life.secret);
    expect(await refusal('shop/next', life.secret)).toBe(
      `leasehold: shop/next is not the key of ${first}: its key is shop/own\n`,
    );
    life.put('leases/blog/web.yaml', serviceText('blog'));
    await life.synth('2026-01-05');
    expect(await refusal('shop/own', life.secret, '203.0.113.1')).toBe(
      'leasehold: 203.0.113.1 has no key, so it needs no signature\n',
    );
  });
});
