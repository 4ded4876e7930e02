import { expect } from 'vitest';
import { accountOf, leaseText } from '../declarations/lease-text.ts';
import { checkHere } from '../run/direct-commands.ts';
import { type Finished, runInProcess } from '../run/run-in-process.ts';
import { tempTree } from '../trees/temp-tree.ts';
import { type BotRemote, botEnvironment, botRemote } from './bot-remote.ts';
import { remade } from './cached-repository.ts';

/** The owner of the lease that is declared beforehand. */
export const alice = accountOf('alice');
/** A claim of hers. */
export const web = { name: 'shop', service: 'web', port: 8080, externalPort: 80 };
/** Her lease: two claims of one endpoint. */
export const aliceFile = {
  'leases/alice.yaml': `# Alice's shop\n${leaseText('alice', 1, [web, { ...web, service: 'api', externalPort: 81 }])}`,
};
/** A lease whose endpoint stands in an SDL. */
export const sdlFiles = {
  'leases/sdl/carol.yaml': `apiVersion: leasehold.dev/v1
kind: Lease
spec:
  id: { owner: ${accountOf('carol')}, dseq: '9', gseq: 1, oseq: 1 }
  sdl: carol.sdl.yaml
`,
  'leases/sdl/carol.sdl.yaml': `version: '2.0'
endpoints: { myip: { kind: ip } }
services:
  web:
    image: nginx
    expose: [{ port: 80, to: [{ global: true, ip: myip }] }]
profiles:
  compute: { web: { resources: { cpu: { units: 1 }, memory: { size: 1Gi }, storage: { size: 1Gi } } } }
  placement: { dcloud: { pricing: { web: { denom: uakt, amount: 1 } } } }
deployment: { web: { dcloud: { profile: web, count: 1 } } }
`,
};

/** A bot in a clone of its own. */
export interface Bot {
  readonly remote: BotRemote;
  run(...argv: readonly string[]): Promise<Finished>;
  /** What the branch has of a file. */
  file(path: string): string;
  /** The tree of the branch, checked out for a person, has no problem. */
  assertSound(): Promise<void>;
}

/** A bot for this test, with a branch that declares these files. */
export async function botWith(files: Readonly<Record<string, string>> = {}): Promise<Bot> {
  const { remote, clone } = await remade(`bot ${JSON.stringify(files)}`, async () => {
    const root = tempTree();
    const made = await botRemote(root, files);
    return { root, remote: made, clone: made.clone('bot') };
  });
  return {
    remote,
    run: (...argv) => runInProcess(argv, clone.root, botEnvironment),
    file: (path) => remote.git('show', `main:${path}`),
    async assertSound() {
      remote.person.git('pull', '-q', '--ff-only', 'origin', 'main');
      expect(await checkHere(remote.person.root)).toEqual([]);
      expect(clone.git('status', '--porcelain')).toBe('');
    },
  };
}
