import { parseAllDocuments } from 'yaml';
import { renderDist } from '../../src/manifests/render.ts';
import type { Placement } from '../../src/model/placement.ts';
import type { Pools } from '../../src/model/pools.ts';
import type { Problem } from '../../src/model/problem.ts';

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
): ReadonlyMap<string, string> {
  const outcome = renderDist(pools, placements);
  if (!outcome.ok) throw new Error(outcome.problems.map(({ message }) => message).join('; '));
  return outcome.value;
}

/** All objects of all files, read back from the texts as Kubernetes would. */
export function rendered(pools: Pools, placements: readonly Placement[]): readonly Rendered[] {
  return [...renderedTexts(pools, placements)].flatMap(([path, text]) =>
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

/** The problems, where there must be some. */
export function problemsOf(pools: Pools, placements: readonly Placement[]): readonly Problem[] {
  const outcome = renderDist(pools, placements);
  if (outcome.ok) throw new Error('expected problems, and there are none');
  return outcome.problems;
}
