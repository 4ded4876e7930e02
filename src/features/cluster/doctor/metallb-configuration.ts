import { type Check, unknown } from './facts.ts';

/** METALLB_CONFIGURATION: one finding for each reason to refuse it; nothing before MetalLB 0.15.3. */
export const checkConfiguration: Check = ({ refusedConfigurations: refused }) => {
  const code = 'METALLB_CONFIGURATION';
  if (!refused.known) return [unknown(code, refused.reason)];
  if (refused.value === undefined) return [];
  if (refused.value.length === 0) {
    return [{ level: 'ok', code, found: 'no part of MetalLB refuses its configuration' }];
  }
  return refused.value.map(({ object, message, hint }) => ({
    level: 'problem',
    code,
    found: `${object}: ${message}`,
    means: 'no new address is given or announced until MetalLB takes its configuration again',
    fix: hint,
  }));
};
