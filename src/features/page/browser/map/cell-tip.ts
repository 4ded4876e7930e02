import { type Child, element } from '../dom.ts';
import { holderShortText, ownerClasses, ownerText } from '../owners.ts';
import type { Space } from '../picture-index.ts';
import {
  amountText,
  claimsText,
  countText,
  drainingText,
  promisedText,
  publicText,
  stateWords,
} from '../words.ts';
import { blockText } from './blocks.ts';
import type { Cell } from './cells.ts';

/** Most owners of a block that its tip names. */
const mostOwners = 4;

/** The tip of a cell: the address or block, and who has it. */
export function cellTip(cell: Cell, space: Space, change: string | undefined): readonly Child[] {
  const changed = change === undefined ? [] : [element('p', { class: 'change' }, change)];
  const parts = cell.block.bits === 0 ? addressParts(cell) : blockParts(cell);
  const draining =
    space.pool.state === 'draining' && cell.state === 'free'
      ? [element('p', { class: 'soft' }, drainingText)]
      : [];
  return [element('strong', {}, blockText(cell.block)), ...changed, ...parts, ...draining];
}

function addressParts(cell: Cell): readonly HTMLElement[] {
  const { state, record, owners } = cell;
  const [owner] = owners;
  const line = (text: string) => (text === '' ? [] : [element('p', {}, text)]);
  const beyond = publicText(cell);
  const shown = [stateLine(state), ...line(beyond === '' ? '' : `Public address ${beyond}`)];
  if (!record || !owner) return shown;
  const { holder, freeFrom } = record.record;
  const since = promisedText(record) ?? `held since ${record.record.since}`;
  const when = state === 'held' ? since : `kept until ${freeFrom ?? ''}`;
  return [
    ...shown,
    element('p', { class: 'who' }, swatch(owner[0]), holderShortText(holder)),
    ...line(claimsText(record, 3)),
    element('p', { class: 'soft' }, when),
  ];
}

function blockParts(cell: Cell): readonly HTMLElement[] {
  const { state, held, retained, usable, owners } = cell;
  if (state === 'outside' || state === 'reserved') return [stateLine(state)];
  const free = usable - BigInt(held + retained);
  const counts = [
    `${amountText(held)} held`,
    ...(retained > 0 ? [`${amountText(retained)} retained`] : []),
    `${amountText(free > 0n ? free : 0n)} free`,
  ];
  const left = owners.length - mostOwners;
  return [
    element('p', {}, `${amountText(held + retained)} of ${amountText(usable)} in use`),
    element('p', { class: 'soft' }, counts.join(', ')),
    ...owners
      .slice(0, mostOwners)
      .map(([owner, count]) =>
        element('p', { class: 'who' }, swatch(owner), `${ownerText(owner)} ${amountText(count)}`),
      ),
    ...(left > 0
      ? [element('p', { class: 'soft' }, `and ${countText(left, 'more owner', 'more owners')}`)]
      : []),
  ];
}

function stateLine(state: Cell['state']): HTMLElement {
  return element(
    'p',
    { class: 'who' },
    element('span', { class: `cell dot ${state}` }),
    stateWords[state],
  );
}

/** The color of an owner. */
export function swatch(owner: string): HTMLElement {
  return element('span', { class: `cell dot ${ownerClasses(owner)}`, 'aria-hidden': 'true' });
}

/** A mark and what it stands for, which stays beside it when it breaks. */
export function marked(mark: HTMLElement, ...content: readonly Child[]): HTMLElement {
  return element('span', { class: 'who' }, mark, element('span', {}, ...content));
}
