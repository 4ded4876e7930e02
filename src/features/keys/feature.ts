import type { Feature } from '../../core/cli/feature.ts';

/** Makes and uses the keys that prove who owns an address. */
export const keys: Feature = {
  name: 'keys',
  commands: {
    key: {
      group: 'change',
      summary: 'make and use the keys that prove who owns an address',
      description: 'make, show and use the keys that prove who owns an address',
      load: async () => (await import('./cli/key-commands.ts')).keyCommands,
    },
  },
  examples: {
    key: [
      ['make a key; the secret is not written into git', 'key new shop/next --out ../next.secret'],
      ['what refers to a key', 'key show shop/own'],
    ],
    'key new': [
      ['make a key, and write its secret to a file', 'key new shop/next --out ../next.secret'],
      ['make a key of a secret that you have', 'key new shop/next --secret-file new.secret'],
    ],
    'key rotate': [
      [
        'replace the secret of a key, and write the new one to a file',
        'key rotate shop/own --secret-file own.secret --out ../new.secret',
      ],
      [
        'with the old secret from standard input, and a new one that you have',
        'key rotate shop/own --secret-file - --new-secret-file new.secret',
      ],
    ],
    'key show': [
      ['what refers to a key', 'key show shop/own'],
      ['in another folder', 'key show shop/own -C .'],
    ],
    'key sign': [
      [
        'let another Service take the address over',
        'key sign shop/own --secret-file own.secret --action reclaim \\\n    --address 203.0.113.7 --holder east/service/shop/new',
      ],
      [
        'remove the key of an address',
        'key sign shop/own --secret-file own.secret --action rotate \\\n    --address 203.0.113.7',
      ],
    ],
  },
};
