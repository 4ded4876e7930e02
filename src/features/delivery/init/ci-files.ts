import { InternalError } from '../../../model/problem.ts';
import { ciPaths } from '../../../model/setup-files.ts';
import type { ToolSource } from './setup.ts';
import { actionName } from './tool.ts';

/** Gives the text of a file that leasehold ships, by its path in the package. */
export type ShippedText = (path: string) => string;

/** What the CI of a forge runs, path to text: the kit of leasehold's docs, with the place of leasehold filled in. */
export function ciTexts(
  forge: 'github' | 'gitlab',
  tool: ToolSource,
  shipped: ShippedText,
): ReadonlyMap<string, string> {
  const fill = forge === 'github' ? filledWorkflow : filledTemplate;
  return new Map(ciPaths[forge].map(([path, source]) => [path, fill(shipped(source), tool)]));
}

/** The pipeline of a project that has no other. It includes the kit. */
export function pipelineText(): string {
  return ['include:', ...ciPaths.gitlab.map(([path]) => `  - local: ${path}`), ''].join('\n');
}

function filledWorkflow(text: string, { url, commit }: ToolSource): string {
  const told = '#\n# Replace OWNER and the digest by your copy of leasehold and a commit of it.\n';
  const used = /uses: OWNER\/leasehold@0{40} # v[0-9.]+\n/g;
  return filled(text, [
    [told, ''],
    [used, `uses: ${actionName(url)}@${commit}\n`],
  ]);
}

function filledTemplate(text: string, { url, commit }: ToolSource): string {
  const told =
    '#\n# Set LEASEHOLD_REPOSITORY and LEASEHOLD_COMMIT to your copy of leasehold and a commit of it.\n';
  return filled(text, [
    [told, ''],
    [/LEASEHOLD_REPOSITORY: https:.*\n/, `LEASEHOLD_REPOSITORY: ${url}\n`],
    [/LEASEHOLD_COMMIT: '0{40}'\n/, `LEASEHOLD_COMMIT: '${commit}'\n`],
  ]);
}

/** A kit that lacks one of its gaps is not the one that this leasehold came with. */
function filled(text: string, gaps: readonly (readonly [string | RegExp, string])[]): string {
  return gaps.reduce((before, [gap, into]) => {
    const after = before.replace(gap, () => into);
    if (after === before) throw new InternalError(`the CI kit lacks ${String(gap)}`);
    return after;
  }, text);
}
