// @module-tag slow

import { expect, it } from 'vitest';
import { accountOf, type EndpointText, leaseText } from '../../support/declarations/lease-text.ts';
import { defaultPoolText } from '../../support/declarations/pools-text.ts';
import { type ServiceTextWords, serviceText } from '../../support/declarations/service-text.ts';
import { gitRepository } from '../../support/repositories/git-repository.ts';
import { runInProcess } from '../../support/run/run-in-process.ts';
import { inScope } from '../../support/run/scope.ts';
import { withoutQuotes } from '../../support/run/source-quotes.ts';
import { putFile, tempTree } from '../../support/trees/temp-tree.ts';

const front = { name: 'front', service: 'web', port: 8080, externalPort: 80 };

function lease(dseq: number, more: EndpointText = {}, owner = 'dan'): string {
  return leaseText(owner, dseq, [{ ...front, ...more }]);
}

function shared(name: string, words: ServiceTextWords = {}): string {
  return serviceText(name, { ...words, ipam: { ...words.ipam, 'allow-local-shared-ip': 'k' } });
}

function pinned(name: string, address: string): string {
  return serviceText(name, { ipam: { addresses: address } });
}

function onNode(name: string, nodePort: number): string {
  return serviceText(name, { spec: { ports: [{ port: 80, nodePort }] } });
}

function promise(until: string): string {
  return `apiVersion: leasehold.dev/v1
kind: Promise
spec: { owner: ${accountOf('dan')}, endpoint: front, until: '${until}' }
`;
}

const readable = defaultPoolText().replace(
  'pools:',
  'naming: readable\nclusters: [{ name: default }, { name: second }]\ndefaultCluster: default\npools:',
);
const selecting = readable.replace('pools:', 'emit: { providerLeasedIP: false }\npools:');

function selected(owner: string, dseq: number, name = 'front'): string {
  return lease(dseq, { name }, owner).replace(' }\n', ', selector: { app: web } }\n');
}

const day = ['--today', '2026-01-10'];
const live = 'leases/zz.yaml';
const newcomer = 'leases/aa.yaml';

const gone = undefined;

/** `aa` as its hint says; `gone` removes the file. */
interface Clash {
  readonly code: string;
  readonly hint: string;
  readonly zz: string;
  readonly aa: string;
  readonly mended: string | undefined;
  readonly before?: string;
  readonly others?: Readonly<Record<string, string | undefined>>;
  readonly pools?: string;
}

// The file names and the names in the declarations would put each problem at the live one.
const clashes: readonly Clash[] = [
  {
    code: 'PORT_TAKEN',
    hint: 'if this lease replaces lease 2000/1/1, remove the endpoint there: the address stays; else change externalPort, or give it another endpoint name',
    zz: lease(2000),
    aa: lease(1000),
    mended: lease(1000, { externalPort: 81 }),
  },
  {
    code: 'PORT_TAKEN',
    hint: 'if this lease replaces lease 2000/1/1, remove the endpoint there: the address stays',
    zz: lease(2000),
    aa: lease(1000),
    mended: lease(1000),
    others: { [live]: gone },
  },
  {
    code: 'PORT_TAKEN',
    hint: 'change the port, or give it another sharing key',
    zz: shared('z'),
    aa: shared('a'),
    mended: serviceText('a'),
  },
  {
    code: 'PORT_TAKEN',
    hint: 'change the port',
    zz: shared('z'),
    before: shared('a', { port: 81 }),
    aa: shared('a'),
    mended: shared('a', { port: 82 }),
  },
  {
    code: 'SERVICE_DUPLICATE',
    hint: 'remove this one; to change the Service, edit leases/zz.yaml',
    zz: serviceText('web'),
    aa: serviceText('web', { port: 81 }),
    mended: gone,
    others: { [live]: serviceText('web', { port: 81 }) },
  },
  {
    code: 'LEASE_DUPLICATE',
    hint: 'declare its endpoints in leases/zz.yaml, and remove this file',
    zz: lease(1000),
    aa: lease(1000, { externalPort: 81 }),
    mended: gone,
    others: { [live]: leaseText('dan', 1000, [front, { ...front, externalPort: 81 }]) },
  },
  {
    code: 'PROMISE_DUPLICATE',
    hint: 'remove this one',
    zz: promise('2026-01-20'),
    aa: promise('2026-01-25'),
    mended: gone,
  },
  {
    code: 'HOLDER_CONFLICT',
    hint: 'use the same address in all of them',
    zz: shared('z', { ipam: { addresses: '203.0.113.9' } }),
    aa: shared('a', { port: 81, ipam: { addresses: '203.0.113.8' } }),
    mended: shared('a', { port: 81, ipam: { addresses: '203.0.113.9' } }),
  },
  {
    code: 'NODE_PORT_TAKEN',
    hint: 'use another one, or remove it',
    zz: onNode('z', 30080),
    aa: onNode('a', 30080),
    mended: serviceText('a'),
  },
  {
    code: 'NODE_PORT_TAKEN',
    hint: 'use another one, or remove it',
    zz: onNode('z', 30080),
    before: onNode('a', 30081),
    aa: onNode('a', 30080),
    mended: onNode('a', 30082),
  },
  {
    code: 'SHARING_CONFLICT',
    hint: 'set externalTrafficPolicy: Cluster, or give it another sharing key',
    zz: shared('z'),
    aa: shared('a', { spec: { ports: [{ port: 81 }], externalTrafficPolicy: 'Local' } }),
    mended: shared('a', { port: 81 }),
  },
  {
    code: 'PIN_TAKEN',
    hint: 'pin another address of pool default',
    zz: pinned('z', '203.0.113.9'),
    aa: pinned('a', '203.0.113.9'),
    mended: pinned('a', '203.0.113.8'),
  },
  {
    code: 'DNS_TAKEN',
    hint: 'remove it here',
    zz: serviceText('z', { dns: 'a.example.com' }),
    aa: serviceText('a', { dns: 'a.example.com' }),
    mended: serviceText('a'),
  },
  {
    code: 'NAME_TAKEN',
    hint: 'declare the lease in another cluster',
    pools: readable,
    zz: selected('zed', 1),
    aa: selected('ann', 1),
    mended: selected('ann', 1).replace('  endpoints', '  cluster: second\n  endpoints'),
  },
  {
    code: 'NAME_TAKEN',
    hint: 'use another externalPort',
    pools: readable,
    zz: selected('dan', 2),
    aa: selected('dan', 1, 'any'),
    mended: selected('dan', 1, 'any').replace('externalPort: 80', 'externalPort: 81'),
  },
  {
    code: 'NAME_TAKEN',
    hint: 'remove this lease',
    pools: selecting,
    zz: serviceText('web', { namespace: 'lease-dseq-1-gseq-1-oseq-1' }),
    aa: selected('ann', 1),
    mended: gone,
  },
];

/**
 * The commands that find a clash, before its commit or after it; a usual run plays each of them once. One record or none is of
 * no help to `check` alone.
 */
function finders(code: string, how: 'before' | 'after') {
  const synth = ['synth', ...day];
  const all = [synth, ['check', '--base', 'main', ...day], ['check']];
  const count = { PIN_TAKEN: 1, PROMISE_DUPLICATE: 2 }[code] ?? all.length;
  const isUsual = (one: readonly string[]) => count === 1 || (how === 'before') === (one === synth);
  return inScope(all.slice(0, count), isUsual);
}

it.each(clashes)(
  '$code is at the declaration that came without a record, with the live one beside it',
  async (clash) => {
    const { code, hint, zz, aa, before, mended, others = {}, pools = defaultPoolText() } = clash;
    const root = tempTree({
      'leases/pools.yaml': pools,
      '.gitignore': '.leasehold/\n',
      [live]: zz,
      ...(before === undefined ? {} : { [newcomer]: before }),
    });
    const { git } = gitRepository(root);
    expect(await runInProcess(['synth', '--no-base', ...day], root)).toMatchObject({ status: 0 });
    git('add', '-A');
    git('commit', '-q', '-m', 'Live');
    git('checkout', '-q', '-b', 'branch');
    putFile(root, newcomer, aa);
    for (const how of ['before', 'after'] as const) {
      if (how === 'after') {
        git('add', '-A');
        git('commit', '-q', '-m', 'A newcomer');
      }
      for (const command of finders(code, how)) {
        const { status, out } = await runInProcess(command, root);
        expect([command, status]).toEqual([command, 1]);
        const [place, , also] = new RegExp(`^(\\S+?):\\S+ ${code} (.*)\n  also (\\S+?):`, 'm')
          .exec(withoutQuotes(out))
          ?.filter((_, index) => index > 0) ?? [out];
        expect([place, also]).toEqual([newcomer, live]);
        expect(out).toContain(`  hint: ${hint}`);
      }
    }
    for (const [path, text] of Object.entries({ ...others, [newcomer]: mended })) {
      if (text === undefined) git('rm', '-q', '-f', path);
      else putFile(root, path, text);
    }
    expect(await runInProcess(['synth', ...day], root)).toMatchObject({ status: 0 });
    git('add', '-A');
    git('commit', '-q', '-m', 'As the hint says');
    const checked = await runInProcess(['check', '--base', 'main', ...day], root);
    expect(checked).toMatchObject({ status: 0, err: '' });
  },
);

it.each(['aa', 'zz'])(
  'a port is taken by what is committed, and not by the edit of %s',
  async (edited) => {
    const mail = (name: string) => [{ ...front, name, externalPort: 25 }];
    const texts = {
      aa: leaseText('dan', 1000, mail('one')),
      zz: leaseText('dan', 2000, mail('two')),
    };
    const files = { [newcomer]: texts.aa, [live]: texts.zz };
    const root = tempTree({ 'leases/pools.yaml': defaultPoolText(), ...files });
    const { git } = gitRepository(root);
    expect(await runInProcess(['synth', '--no-base', ...day], root)).toMatchObject({ status: 0 });
    git('add', '-A');
    git('commit', '-q', '-m', 'Two leases');
    const [file, other] = edited === 'aa' ? [newcomer, live] : [live, newcomer];
    putFile(
      root,
      file,
      edited === 'aa' ? leaseText('dan', 1000, mail('two')) : leaseText('dan', 2000, mail('one')),
    );
    for (const command of [['check'], ['synth', ...day]]) {
      const { out } = await runInProcess(command, root);
      expect(withoutQuotes(out)).toMatch(
        new RegExp(`^${file}:10:7 PORT_TAKEN .*\n  also ${other}:`),
      );
    }
  },
);
