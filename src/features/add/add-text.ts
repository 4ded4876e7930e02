import { sanitize } from '../../text/print/escape.ts';
import type { AddAnswer } from './add-answer.ts';

/** The file of the declaration, the addresses that it will get, and the next steps. */
export function addText({ state, file, declared, name, addresses }: AddAnswer): string {
  const what = `${declared} ${name}`;
  const lines = [
    state === 'present'
      ? `${what} is already declared in ${file}; nothing to write`
      : `${state === 'added' ? 'wrote' : 'added a port to'} ${file}`,
    `synth gives it ${addresses.join(' and ')}`,
    '',
    'next:',
    '  leasehold synth',
    '  leasehold plan',
    '  git add -A',
    `  git commit -m "Lease an address for ${name}"`,
  ];
  return lines.map((line) => `${sanitize(line)}\n`).join('');
}
