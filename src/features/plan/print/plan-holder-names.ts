import { holderText } from '../../../model/holder-text.ts';
import type { Plan } from '../plan-answer.ts';

/**
 * Names of holders as a narrow table can show them: `shop of akash17zp…nkks4`. A name that would look like
 * another one of the plan stays whole.
 */
export function shortHolderNames({ addresses }: Pick<Plan, 'addresses'>): (text: string) => string {
  const holders = addresses.flatMap(({ before, after }) =>
    [before, after].flatMap((side) => (side ? [side.holder] : [])),
  );
  const meant = new Map<string, string | undefined>();
  for (const holder of new Set(holders)) {
    const short = holderText(holder);
    meant.set(short, meant.has(short) ? undefined : holder);
  }
  return (text) => {
    const short = holderText(text);
    return meant.get(short) === text ? short : text;
  };
}
