import type { Picture } from '../../features/picture/picture-answer.ts';
import { fillThresholds } from '../../model/fill-level.ts';
import { button, element, refill } from '../dom.ts';
import type { PictureIndex } from '../picture-index.ts';
import type { Store } from '../store.ts';
import { countText } from '../words.ts';

/** The revision and age of the picture, and the state of the pools. */
export function headerView(store: Store): HTMLElement {
  const head = element('div', { class: 'state' });
  const fill = () => refill(head, ...state(store));
  fill();
  store.listen((changed) => {
    if (changed === 'picture') fill();
  });
  return element(
    'header',
    {},
    element('div', { class: 'bar' }, element('h1', {}, 'Leased addresses'), themeButton()),
    head,
  );
}

function state({ index, before }: Store): readonly HTMLElement[] {
  const { picture } = index;
  const waiting = index.waiting();
  const stale = `Stale ${picture.stale}. This page shows the last valid state.`;
  const notes = [
    ...(picture.problems === 0
      ? []
      : [
          note(
            'warn',
            `Declarations have ${countText(picture.problems, 'problem', 'problems')}: claims may be missing. leasehold check names them.`,
          ),
        ]),
    ...(waiting === 0
      ? []
      : [note('warn', `${countText(waiting, 'holder waits', 'holders wait')} for an address.`)]),
  ];
  return [
    ...(picture.stale === undefined ? [] : [note('stale', stale)]),
    element('p', { class: `verdict ${roomClass(index)}` }, verdictText(index)),
    element('p', { class: 'soft' }, revisionText(picture, before?.picture)),
    ...notes,
  ];
}

function note(kind: string, text: string): HTMLElement {
  return element('p', { class: `note ${kind}`, role: 'status' }, text);
}

function fullPools({ picture }: PictureIndex, least: number): readonly string[] {
  return picture.pools
    .filter(({ families }) => families.some(({ percent }) => percent >= least))
    .map(({ pool }) => pool);
}

function roomClass(index: PictureIndex): string {
  if (index.picture.stale !== undefined || index.picture.pools.length === 0) return 'waits';
  if (fullPools(index, 100).length > 0) return 'full';
  return fullPools(index, fillThresholds['nearly full'].percent).length > 0 ? 'tight' : 'roomy';
}

function verdictText(index: PictureIndex): string {
  return `${index.picture.stale === undefined ? '' : 'Last known: '}${roomText(index)}`;
}

function roomText(index: PictureIndex): string {
  const full = fullPools(index, 100);
  if (full.length > 0) return `No address is left in ${full.join(', ')}`;
  const tight = fullPools(index, fillThresholds['nearly full'].percent);
  if (tight.length > 0) return `Nearly full: ${tight.join(', ')}`;
  return index.picture.pools.length === 0 ? 'No pool is declared' : 'No pool is nearly full';
}

function revisionText(picture: Picture, before: Picture | undefined): string {
  const from = before ? `From ${commitText(before)} to ` : '';
  return `${from}${commitText(picture)}, as of ${picture.day} (UTC)`;
}

function commitText({ revision: { commit, ref, at, uncommitted } }: Picture): string {
  if (commit === undefined) return 'working tree without a commit';
  const when = at === undefined ? '' : ` of ${at}`;
  const name = `${commit.slice(0, 12)}${when}${ref === undefined ? '' : ` (${ref})`}`;
  return uncommitted ? `working tree, more than ${name}` : name;
}

/**
 * The button for light and dark mode. The default follows the system; the label names the mode that
 * it switches to.
 */
function themeButton(): HTMLElement {
  const isDark = () => {
    const { theme } = document.documentElement.dataset;
    return theme === undefined
      ? matchMedia('(prefers-color-scheme: dark)').matches
      : theme === 'dark';
  };
  const made = button('', { class: 'theme' }, () => {
    document.documentElement.dataset.theme = isDark() ? 'light' : 'dark';
    name();
  });
  const name = () => made.replaceChildren(isDark() ? 'Light' : 'Dark');
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', name);
  name();
  return made;
}
