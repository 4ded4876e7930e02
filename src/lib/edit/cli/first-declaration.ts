import type { CliContext } from '../../../core/cli/cli-context.ts';
import type { Extension } from '../../../core/interfaces/extension.ts';
import type { Day } from '../../../core/model/day.ts';

/** How a declaration is written, from the options of the command that asks for it. */
interface DeclarationOptions {
  readonly output: 'text' | 'json' | 'yaml';
  readonly today?: Day;
  readonly allowDateAhead?: true;
}

/** Asks for a declaration, writes it, and returns the exit status. */
export type DeclareFirst = (
  context: CliContext,
  kind: 'Lease' | 'Service',
  options: DeclarationOptions,
) => Promise<number>;

/** Where a feature that asks for declarations offers it to `init`, for a new repository. */
export const firstDeclaration: Extension<DeclareFirst> = { name: 'the first declaration' };
