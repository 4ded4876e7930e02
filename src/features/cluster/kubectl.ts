import { shellWord } from '../../core/text/print/escape.ts';
import { replaceCommands } from '../../core/text/print/sentence.ts';
import { grantingCommand } from '../../lib/kubernetes/doctor-checks.ts';
import type { Diagnosis } from './diagnosis-answer.ts';
import type { Verification } from './verification-answer.ts';

/** The options of a command that choose the cluster; kubectl has the same. */
export interface Connection {
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
}

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
  const shown = (command: string) => commandFor(command, connection);
  const entries = Object.entries(one).map(([name, text]) => {
    if (name === 'command') return [name, shown(String(text))];
    return [name, name === 'fix' || name === 'hint' ? replaceCommands(String(text), shown) : text];
  });
  return Object.fromEntries(entries);
}

function commandFor(command: string, { kubeconfig, context }: Connection): string {
  // Whoever grants permissions is not the account of this connection, which lacks them.
  if (command === grantingCommand) return command;
  const options = [
    ...(kubeconfig === undefined ? [] : ['--kubeconfig', shellWord(kubeconfig)]),
    ...(context === undefined ? [] : ['--context', shellWord(context)]),
  ];
  return command.replaceAll(/\bkubectl (?=-|[a-z])/g, () => ['kubectl', ...options, ''].join(' '));
}
