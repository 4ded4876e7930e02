/**
 * What the histories prove beside the rest. What is off is played and counted all the same, and is no fault: the product does not
 * have it yet.
 */
const situations = {
  /** Each refusal ends in green within five steps of what it prints. Off: only those of the codes in `ending`. */
  hints: true,
  /** A number of releases that a pull request confirms is confirmed on the target, in whichever way it lands. */
  confirmations: true,
  /** Nothing goes to somebody else before its cooldown, counted from the landing of the release. */
  cooldowns: true,
  /** A red target is repaired within five steps of what its check prints. */
  target: true,
  /** A revert on main that `synth` and `check` accept is green there. */
  reverts: true,
  /** `leasehold history` tells until when a release that was renewed in a second commit is kept. */
  renewals: true,
  /** Two edits of one declaration that a person joins in a merge or a rebase are accepted. */
  joins: true,
} as const;

/** The codes whose hints end, whatever they come together with of these. */
const ending = new Set([
  'ADDRESS_STRANDED',
  'DATE_AHEAD',
  'DATE_BEHIND',
  'DATE_EARLIER',
  'HOSTNAME_KEPT',
  'MASS_RELEASE',
  'MOVE_UNASKED',
  'PIN_MOVED',
  'PIN_OUTSIDE',
  'PIN_RETAINED',
  'PIN_TAKEN',
  'PORT_TAKEN',
  'STALE',
]);

/** True for refusals that have to end in green. */
export function mustEnd(codes: Iterable<string>): boolean {
  return isOn('hints') || [...codes].every((code) => ending.has(code));
}

/** True for a situation that is on. */
export function isOn(situation: keyof typeof situations): boolean {
  return situations[situation];
}
