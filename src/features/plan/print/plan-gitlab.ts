import { plain, plainJson } from '../../../text/print/plain.ts';
import type { Plan } from '../plan-answer.ts';
import { planFindings } from './plan-findings.ts';

/** Problems and cautions as a GitLab Code Quality report: no two have one fingerprint. */
export function planGitlab(plan: Plan): string {
  return plainJson(
    planFindings(plan).map(({ code, level, message, file, line, fingerprint }) => ({
      description: plain(message),
      check_name: code,
      fingerprint,
      severity: level === 'error' ? 'blocker' : 'major',
      location: { path: file, lines: { begin: line } },
    })),
  );
}
