import type { PrintPlan } from '../../core/run/plan/print/plan-format.ts';
import { forgeLinks } from '../../lib/markdown/plan-links.ts';
import { planMarkdown } from '../../lib/markdown/plan-markdown.ts';
import { planGithub, planGitlab } from './plan-findings.ts';
import { planHtml } from './plan-html.ts';
import { planSarif } from './plan-sarif.ts';

/** A comment for a forge. */
export const markdown: PrintPlan = (plan, { maxChars, pages }) =>
  planMarkdown(plan, { maxChars, linkOf: forgeLinks(pages, plan) });

/** A page for a browser. */
export const html: PrintPlan = (plan, { pages }) =>
  planHtml(plan, { linkOf: forgeLinks(pages, plan) });

/** A log of findings, as GitHub's code scanning reads it. */
export const sarif: PrintPlan = (plan, { version }) => planSarif(plan, version);

/** The lines that GitHub Actions shows as annotations. */
export const github: PrintPlan = (plan) => planGithub(plan);

/** The code quality report of GitLab. */
export const gitlab: PrintPlan = (plan) => planGitlab(plan);
