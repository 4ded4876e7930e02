import { parseAllDocuments } from 'yaml';
import { renderDist } from '../../../src/core/manifests/render.ts';
import { nameProblems } from '../../../src/core/manifests/rules/name-problems.ts';
import {
  serviceProblems,
  sharingProblems,
} from '../../../src/core/manifests/rules/service-problems.ts';
import { declaredIn } from '../../../src/core/model/claim.ts';
import type { Placement } from '../../../src/core/model/holder.ts';
import type { Hostname } from '../../../src/core/model/hostname.ts';
import { compareText, sortedKeys } from '../../../src/core/model/order.ts';
import type { Pools } from '../../../src/core/model/pools.ts';
import { compareProblems, type Problem } from '../../../src/core/model/problem.ts';
import type { DeclaredService, Reservation } from '../../../src/core/model/service.ts';

/** An object as a reader of the text finds it. */
export interface Rendered {
  readonly path: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations: Readonly<Record<string, string>>;
  };
  // biome-ignore lint/suspicious/noExplicitAny: a test looks at the parts it is about
  readonly spec?: any;
  readonly data?: Readonly<Record<string, string>>;
}

/** The texts, where there must be no problem. */
export function renderedTexts(
  pools: Pools,
  placements: readonly Placement[],
  unleased: readonly DeclaredService[] = [],
): ReadonlyMap<string, string> {
  const problems = problemsOf(pools, placements, unleased);
  if (problems.length > 0) throw new Error(problems.map(({ message }) => message).join('; '));
  return textsOf(pools, placements, servicesOf(placements, unleased));
}

/** All files that are rendered: path to text, in path order. */
export function textsOf(
  pools: Pools,
  placements: readonly Placement[],
  services: readonly (DeclaredService | Reservation)[] = [],
  hostnames: readonly Hostname[] = [],
): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  renderDist(pools, { placements, services, hostnames }, (path, text) => {
    texts.set(path, String(text));
  });
  return new Map(sortedKeys(texts).map((path) => [path, texts.get(path) ?? '']));
}

/** All objects of all files, read back from the texts as Kubernetes would. */
export function rendered(
  pools: Pools,
  placements: readonly Placement[],
  unleased: readonly DeclaredService[] = [],
): readonly Rendered[] {
  return [...renderedTexts(pools, placements, unleased)].flatMap(([path, text]) =>
    parseAllDocuments(text, { version: '1.1' }).map((document) => ({
      path,
      ...(document.toJS() as Omit<Rendered, 'path'>),
    })),
  );
}

/** The objects of a kind. */
export function ofKind(objects: readonly Rendered[], kind: string): readonly Rendered[] {
  return objects.filter((object) => object.kind === kind);
}

/** What stands against rendering, in the order of reports. */
export function problemsOf(
  pools: Pools,
  placements: readonly Placement[],
  unleased: readonly (DeclaredService | Reservation)[] = [],
  hostnames: readonly Hostname[] = [],
): readonly Problem[] {
  const holders = placements
    .map(({ holder }) => holder)
    .sort((left, right) => compareText(left.id, right.id));
  const problems = [
    ...nameProblems(pools, holders, { services: servicesOf(placements, unleased), hostnames }),
    ...serviceProblems(pools, holders),
    ...sharingProblems(holders),
  ];
  return problems.sort(compareProblems);
}

function servicesOf(
  placements: readonly Placement[],
  unleased: readonly (DeclaredService | Reservation)[],
): readonly (DeclaredService | Reservation)[] {
  return [...placements.flatMap(({ holder }) => declaredIn(holder.claims)), ...unleased];
}
