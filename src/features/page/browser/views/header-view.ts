import type { Picture } from '../../picture-answer.ts';
import { kindCounts } from '../comparison.ts';
import { button, element, refill } from '../dom.ts';
import { verdictOf } from '../outlook.ts';
import type { PlanSentence, Store } from '../store.ts';
import { amountText, countText } from '../words.ts';
import { searchView } from './search-view.ts';

/** The revision and age of the picture, and the state of the pools. */
export function headerView(store: Store): HTMLElement {
  const { repository } = store.now.picture;
  const head = element('div', { class: 'state' });
  const fill = () => refill(head, ...state(store));
  fill();
  store.listen((changed) => {
    if (changed === 'picture') fill();
  });
  return element(
    'header',
    {},
    element(
      'div',
      { class: 'bar' },
      element('h1', {}, `Leased addresses${repository === undefined ? '' : ` of ${repository}`}`),
      searchView(store),
      themeButton(),
    ),
    head,
  );
}

function state(store: Store): readonly HTMLElement[] {
  const { index, before, plan } = store;
  const { picture } = index;
  const waiting = index.isPast ? 0 : index.waiting();
  const verdict = verdictOf(index);
  const stale = `Stale ${picture.stale}. This page shows the last valid state.`;
  const plural = countText(waiting, 'holder waits', 'holders wait');
  const level = verdict.level.replace(' ', '-');
  const pools = element('p', { class: `verdict ${level}` }, verdict.text);
  return [
    ...(picture.stale === undefined ? [] : [note('stale', stale)]),
    ...(plan === undefined
      ? [pools]
      : [
          planVerdict(plan),
          element('p', { class: `outlook ${level}` }, `After it: ${verdict.text}.`),
        ]),
    element('p', { class: 'soft' }, revisionText(picture, before?.picture)),
    ...problemNotes(picture),
    ...(waiting === 0 ? [] : [note('warn', `${plural} for an address.`)]),
    ...waitingNotes(store),
    ...arrivedNotes(store),
  ];
}

/** The plan's sentence on the change from before to after. */
function planVerdict({ verdict, summary }: PlanSentence): HTMLElement {
  const level = verdict === 'blocked' ? 'full' : verdict === 'caution' ? 'filling' : 'ample';
  return element('p', { class: `verdict ${level}` }, summary);
}

/** Names the broken declarations, as far as the picture has them. */
function problemNotes({ problems, firstProblems = [] }: Picture): readonly HTMLElement[] {
  if (problems === 0) return [];
  const count = countText(problems, 'problem', 'problems');
  const left = problems - firstProblems.length;
  const items = firstProblems.map(({ file, line, code, message }) =>
    element('li', {}, message, element('div', { class: 'soft' }, `${file}:${line}, ${code}`)),
  );
  const more =
    left > 0 ? [element('li', { class: 'soft' }, `and ${left} more: \`leasehold check\``)] : [];
  const text = `Declarations have ${count}: claims may be missing.`;
  const made = note('warn', text);
  made.append(element('ul', { class: 'problems' }, ...items, ...more));
  return [made];
}

/** Most hostnames without a record that are named. */
const mostWaiting = 10;

/** Names the declared hostnames without a record. */
function waitingNotes(store: Store): readonly HTMLElement[] {
  const { waitingHostnames: all } = store.index.picture;
  if (all.length === 0) return [];
  const left = all.length - mostWaiting;
  const names = all
    .slice(0, mostWaiting)
    .map(({ hostname }) => button(hostname, {}, () => store.showHostname(hostname)));
  const more = left > 0 ? [`and ${amountText(left)} more`] : [];
  const count = countText(all.length, 'declared hostname has', 'declared hostnames have');
  const made = note('warn', `${count} no record yet.`);
  made.append(element('p', { class: 'numbers' }, ...names, ...more));
  return [made];
}

/** The changes of the last update of a served page, until they are read. */
function arrivedNotes(store: Store): readonly HTMLElement[] {
  const { changes, hostnameChanges, before } = store;
  const [addresses, hostnames] = [[...changes.values()], [...hostnameChanges.values()]];
  if (before || addresses.length + hostnames.length === 0) return [];
  const [[first], [name]] = [addresses, hostnames];
  const counts = [
    ...(first ? [`New: ${kindCounts(addresses)}.`] : []),
    ...(name ? [`New hostnames: ${kindCounts(hostnames)}.`] : []),
  ];
  const where = first ? 'on the map and in the list' : 'in the list';
  const made = note('arrived', `${counts.join(' ')} They are marked ${where}. `);
  const show = () => {
    if (first) store.show(first.at, first.address);
    else if (name) store.showHostname(name.hostname);
  };
  made.append(
    button('Show', {}, show),
    ' ',
    button('Clear the marks', {}, () => store.settle()),
  );
  return [made];
}

function note(kind: string, text: string): HTMLElement {
  return element('div', { class: `note ${kind}`, role: 'status' }, text);
}

function revisionText(picture: Picture, before: Picture | undefined): string {
  const from = before ? `From ${commitText(before)} to ` : '';
  const more = picture.partial ? '. The rest is loading: claims, hostnames, histories.' : '';
  return `${from}${commitText(picture)}, as of ${picture.day} (UTC)${more}`;
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
