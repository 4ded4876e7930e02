import { policyPath } from '../../model/folders.ts';
import type { Policy } from '../../model/policy.ts';
import { type Outcome, type Problem, startOf } from '../../model/problem.ts';
import type { SourceTree } from '../../ports/tree.ts';
import { readPolicyFile } from '../../workspace/declared.ts';
import { codeownersText } from './codeowners-text.ts';

/**
 * The lines of CODEOWNERS for the policy of a tree. FILE_MISSING without one, FIELD_MISSING when the operators have no
 * reviewers: nobody would then have to approve what is theirs. `folder` as in {@link codeownersText}.
 */
export function codeownersOf(tree: SourceTree, folder: string): Outcome<string> {
  const policy = readPolicyFile(tree);
  if (!policy.ok) return policy;
  const problem = unreviewed(policy.value);
  if (problem) return { ok: false, problems: [problem] };
  return { ok: true, value: codeownersText(policy.value, folder) };
}

function unreviewed({ operators }: Policy): Problem | undefined {
  if (operators.reviewers.length > 0) return undefined;
  return {
    code: 'FIELD_MISSING',
    message: "'operators' lacks the field 'reviewers', which CODEOWNERS is made of",
    at: startOf(policyPath),
    hint: "name who reviews pools and policy: operators: { reviewers: ['@org/team'] }",
  };
}
