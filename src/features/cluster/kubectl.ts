import { type Connection, commandFor, textFor } from '../../lib/kubernetes/kubectl-command.ts';
import type { Diagnosis } from './diagnosis-answer.ts';
import type { Verification } from './verification-answer.ts';

/** A diagnosis whose commands are for the cluster that was asked, whatever kubectl's own context is. */
export function diagnosisFor(diagnosis: Diagnosis, connection: Connection): Diagnosis {
  return { ...diagnosis, findings: diagnosis.findings.map((one) => toldFor(one, connection)) };
}

/** The same of a verification. */
export function verificationFor(verification: Verification, connection: Connection): Verification {
  const told = <One extends object>(one: One): One => toldFor(one, connection);
  const { claims, objects, findings } = verification;
  return {
    ...verification,
    claims: claims.map((claim) => ({ ...claim, details: claim.details.map(told) })),
    objects: objects.map((object) => ({ ...object, details: object.details.map(told) })),
    findings: findings.map(told),
  };
}

function toldFor<One extends object>(one: One, connection: Connection): One {
  const entries = Object.entries(one).map(([name, text]) => {
    if (name === 'command') return [name, commandFor(String(text), connection)];
    return [name, name === 'fix' || name === 'hint' ? textFor(String(text), connection) : text];
  });
  return Object.fromEntries(entries);
}
