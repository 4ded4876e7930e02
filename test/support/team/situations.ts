/**
 * What the histories prove beside the rest. What is off is played and counted all the same, and is no fault: the product does not
 * have it yet.
 */
const situations = {
  /** Each refusal ends in green within five steps of what it prints, but those of the codes in `ofOthers`. */
  hints: true,
  /** A number of releases that a pull request confirms is confirmed on the target, in whichever way it lands. */
  confirmations: true,
  /** Nothing goes to somebody else before its retention, counted from the landing of the release. */
  retentions: true,
  /** A red target is repaired within five steps of what its check prints. */
  target: true,
  /** A revert on main that `synth` and `check` accept is green there. */
  reverts: true,
  /** `leasehold history` tells until when a release that was renewed in a second commit is kept. */
  renewals: true,
  /** Two edits of one declaration that a person joins in a merge or a rebase are accepted. */
  joins: true,
} as const;

/**
 * The codes that can ask for an edit of somebody else's declaration: a stacked branch that is rebased brings back what its base has
 * moved since. Nobody here edits that.
 */
const ofOthers = new Set(['HOSTNAME_TAKEN']);

/** True for refusals that have to end in green. */
export function mustEnd(codes: Iterable<string>): boolean {
  return isOn('hints') && ![...codes].some((code) => ofOthers.has(code));
}

/** True for a situation that is on. */
export function isOn(situation: keyof typeof situations): boolean {
  return situations[situation];
}
