import { leaseText } from '../declarations/lease-text.ts';
import { providerPoolsText } from '../declarations/pools-text.ts';
import { checkHere, listHere, synthHere } from '../run/direct-commands.ts';
import { type FileTexts, filesBelow, turnInto, unlike } from '../trees/tree-bytes.ts';

/** A repository's declarations, and what a run over them leaves when it started from the other state. */
export interface State {
  readonly name: 'A' | 'B';
  readonly declarations: FileTexts;
  readonly outputs: FileTexts;
}

/** What a frozen command says of one set of outputs under one set of declarations. */
interface View {
  readonly list: string;
  readonly stale: number;
}

/** Two states that lead to each other, for ever; `views` are by declarations, then by outputs. */
export interface TwoStates {
  readonly a: State;
  readonly b: State;
  readonly views: Readonly<Record<'A' | 'B', Readonly<Record<'A' | 'B', View>>>>;
}

/** The day of every run: released and given back on one day, an address leaves no trace of it. */
export const today = '2026-01-02';

const leases = 88;
const moving = 8;

/**
 * Makes both states in root, which is left in A. Between them {@link moving} leases go, as many come,
 * and seven of eight others change: some 160 files are written or removed, in a small repository that is read quickly.
 */
export async function makeTwoStates(root: string): Promise<TwoStates> {
  const declarations = { A: declarationsOf('A'), B: declarationsOf('B') };
  const run = async (from: 'A' | 'B' | undefined, into: 'A' | 'B'): Promise<FileTexts> => {
    turnInto(root, from === undefined ? new Map() : declarations[from], declarations[into]);
    const problems = await synthHere(root, today);
    if (problems.length > 0) throw new Error(JSON.stringify(problems));
    return filesBelow(root);
  };
  await run(undefined, 'A');
  // The first round leaves what lasts: released records, and promises that a shorter retention keeps.
  await run('A', 'B');
  await run('B', 'A');
  const outputsB = await run('A', 'B');
  const outputsA = await run('B', 'A');
  const again = [
    ...unlike(outputsB, await run('A', 'B')),
    ...unlike(outputsA, await run('B', 'A')),
  ];
  if (again.length > 0) throw new Error(`the states do not lead to each other: ${again}`);
  const changed = unlike(outputsA, outputsB).length;
  if (changed < 150) throw new Error(`only ${changed} files differ`);

  const view = async (): Promise<View> => ({
    list: await listHere(root),
    stale: (await checkHere(root)).length,
  });
  const aOverA = await view();
  turnInto(root, declarations.A, declarations.B);
  const bOverA = await view();
  await synthHere(root, today);
  const bOverB = await view();
  turnInto(root, declarations.B, declarations.A);
  const aOverB = await view();
  await synthHere(root, today);
  return {
    a: { name: 'A', declarations: declarations.A, outputs: outputsA },
    b: { name: 'B', declarations: declarations.B, outputs: outputsB },
    views: { A: { A: aOverA, B: aOverB }, B: { A: bOverA, B: bOverB } },
  };
}

function declarationsOf(state: 'A' | 'B'): FileTexts {
  const files = new Map([['leases/pools.yaml', pools]]);
  for (let index = 0; index < leases + 2 * moving; index += 1) {
    const isMoving = index < 2 * moving;
    if (isMoving && index % 2 === (state === 'A' ? 0 : 1)) continue;
    files.set(`leases/${index % 16}/${1000 + index}.yaml`, declaration(index, state));
  }
  return files;
}

function declaration(index: number, state: 'A' | 'B'): string {
  const changes = state === 'B' && index % 8 !== 0;
  const endpoints = [
    { name: 'web', service: 'web', port: changes ? 9090 : 8080, externalPort: 80 },
    ...(changes && index % 2 === 0 ? [{ name: 'web', service: 'api', port: 8443 }] : []),
  ];
  const family = index % 5 === 0 ? { ipFamily: 'dual', retentionDays: changes ? 9 : 3 } : {};
  const texts = endpoints.map((endpoint) => ({ ...endpoint, ...family }));
  return leaseText(`owner ${index}`, 1000 + index, texts);
}

const pools = providerPoolsText(`pools:
  - name: default
    zone: inet
    addresses: [203.0.113.0/24, 198.51.100.0/24, '2001:db8::/64']
`);
