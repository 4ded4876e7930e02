import { describe, expect, test } from 'vitest';
import {
  first,
  judged,
  type Owners,
  owners,
  secretFile,
  synth,
} from '../../support/repositories/key-owner.ts';

const web = 'leases/shop/web.yaml';
const key = 'leases/keys/shop/own.yaml';

async function released(): Promise<Owners> {
  const life = await owners();
  life.put(web, '');
  await life.synth('2026-01-05', 'The shop closes');
  return life;
}

function resalted(life: Owners): void {
  life.put(key, life.read(key).replace(/salt: '.*'/, `salt: '${'f'.repeat(21)}A'`));
}

/** The salt stays, and the public key is that of another secret. */
async function taken(life: Owners): Promise<void> {
  const made = await life.run(
    'key',
    'new',
    'shop/eve',
    '--secret-file',
    secretFile('x'.repeat(20)),
  );
  expect(made.status).toBe(0);
  const theirs = life.read('leases/keys/shop/eve.yaml');
  const publicKey = /publicKey: .*/.exec(theirs)?.[0] ?? '';
  life.put(key, life.read(key).replace(/publicKey: .*/, publicKey));
  life.put('leases/keys/shop/eve.yaml', '');
}

/** What `check --base` and `plan` say of what was done, once it is committed. */
async function told(life: Owners): Promise<string> {
  life.commit('2026-01-06');
  const { out } = await life.run('check', '--base', 'HEAD~1');
  return out + (await life.run('plan', '--base', 'HEAD~1')).out;
}

describe('the file of a key', () => {
  test('keeps its salt while an address is held or kept by it', { tags: 'slow' }, async () => {
    for (const life of [await owners(), await released()]) {
      resalted(life);
      expect((await life.run('check')).status).toBe(0);
      const text = await told(life);
      expect(text).toContain(`${key}:1:1 KEY_REPLACED ${first} of default/service/shop/web is `);
      expect(text).toContain('its salt has changed: no secret can prove it');
    }
  });

  test('keeps its public key without a signature for another one', { tags: 'slow' }, async () => {
    const life = await released();
    await taken(life);
    expect((await life.run('check')).status).toBe(0);
    const text = await told(life);
    expect(text).toContain('it was replaced by a key that it did not sign');
    expect(text).toContain(
      `KEY_CHANGED the key shop/own gets a new public key; still under the old key: ${first}`,
    );
  });

  test('does not go while an address is kept by it, and may go afterwards', {
    tags: 'slow',
  }, async () => {
    const life = await released();
    life.repository.git('rm', '-q', key);
    expect((await life.run('check')).status).toBe(0);
    expect(await told(life)).toContain('its file is missing: no secret can prove it');
    life.repository.git('reset', '-q', '--hard', 'HEAD~1');
    life.repository.git('rm', '-q', key);
    life.commit('2026-01-12');
    expect(await judged(life, 'HEAD~1')).toBe('fine');
  });

  test('may get another name, and is told', { tags: 'slow' }, async () => {
    const life = await released();
    life.repository.git('mv', key, 'leases/keys/shop/old.yaml');
    const text = await told(life);
    expect(text).toContain('valid, and all changes since');
    expect(text).toContain('KEY_CHANGED the key shop/own is renamed to shop/old');
  });

  test('is told by the plan when it is rotated as it should be', async () => {
    const life = await owners();
    const fresh = secretFile('another long secret');
    await life.key('rotate', '--new-secret-file', fresh, '--today', '2026-01-05');
    expect(await synth(life, '2026-01-05')).toBe('fine');
    const text = await told(life);
    expect(text).toContain('valid, and all changes since');
    expect(text).toContain(
      `KEY_CHANGED the key shop/own gets a new public key; rotated with a signature of the old key: ${first}`,
    );
  });

  test('changes as anybody likes while no address has it', async () => {
    const life = await owners();
    await life.run('key', 'new', 'shop/next', '--secret-file', life.secret);
    life.commit('2026-01-05');
    life.repository.git('rm', '-q', 'leases/keys/shop/next.yaml');
    expect(await judged(life, 'HEAD')).toBe('fine');
  });
});

test('key rotate refuses a key that addresses are only kept by', async () => {
  const life = await released();
  const rotated = await life.key(
    'rotate',
    '--new-secret-file',
    secretFile('another long secret'),
    '--today',
    '2026-01-06',
  );
  expect([rotated.status, rotated.err]).toEqual([
    64,
    `leasehold: the key shop/own cannot be rotated: no held address has it, and ${first} is kept under it until 2026-01-12; create another key with \`leasehold key new\`\n`,
  ]);
});

test('no key has the name that means none', async () => {
  const life = await owners();
  const { status, err } = await life.run(
    'key',
    'new',
    'shop/default',
    '--secret-file',
    life.secret,
  );
  expect([status, err.includes('default means no key, so no key has that name')]).toEqual([
    64,
    true,
  ]);
  life.put('leases/keys/shop/default.yaml', life.read(key));
  expect((await life.run('check')).out).toContain(
    'leases/keys/shop/default.yaml:1:1 FILE_UNEXPECTED',
  );
});
