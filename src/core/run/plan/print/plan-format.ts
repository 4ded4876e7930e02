import type { Forge } from '../../../model/forges/forges.ts';
import type { TableStyle } from '../../../text/print/table.ts';
import type { LineAt } from '../../../tree/source-line.ts';
import type { Plan } from '../plan-answer.ts';

/** The web pages of a repository on a forge. */
export interface ForgePages {
  readonly forge: Forge;
  /** `https://github.com/owner/name`, without a trailing slash. */
  readonly repository: string;
}

/** How `leasehold plan` prints. A format reads what concerns it. */
interface PlanStyle {
  readonly table: TableStyle;
  /** List equal addresses and problems one by one. */
  readonly all: boolean;
  /** Show how the manifests change. */
  readonly manifests: boolean;
  /** The maximum length, in UTF-16 units. */
  readonly maxChars: number;
  /** Undefined outside of CI. */
  readonly pages: ForgePages | undefined;
  /** The version of the program. */
  readonly version: string;
  /** The lines of the reviewed files; undefined for a plan that was read. */
  readonly lineAt: LineAt | undefined;
}

/** Prints a plan in one format. */
export type PrintPlan = (plan: Plan, style: PlanStyle) => string;

/** Formats of `plan -o`, by name. Each is loaded when it is asked for. */
export type PlanFormats = Readonly<Record<string, () => Promise<PrintPlan>>>;
