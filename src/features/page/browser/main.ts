import type { OtherPart, Picture } from '../picture-answer.ts';
import { element, keepFocus } from './dom.ts';
import { keepInLink } from './link.ts';
import { listsView } from './lists/lists-view.ts';
import { mapView } from './map/map-view.ts';
import { tabState } from './outlook.ts';
import { PictureIndex } from './picture-index.ts';
import { followServer } from './server.ts';
import { type PlanSentence, Store } from './store.ts';
import { inTasks, isLarge } from './tasks.ts';
import { changesView } from './views/changes-view.ts';
import { detailsView } from './views/details-view.ts';
import { headerView } from './views/header-view.ts';
import { poolsView } from './views/pools-view.ts';
import { nameTab, serverView } from './views/server-view.ts';

const picture = readJson<Picture>('picture');
if (picture) void showReport(picture);
else if ('served' in document.body.dataset) {
  const view = serverView();
  let store: Store | undefined;
  document.body.prepend(view.part);
  void followServer(view, async (next) => {
    if (store) return replace(store, next);
    const shown = show(next, undefined);
    store = shown.store;
    return shown.isDone;
  });
}

/** Shows the picture in a file. What a large one has behind the script is read after its first rows are there. */
async function showReport(first: Picture): Promise<void> {
  const { store, isDone } = show(first, readJson<Picture>('before'));
  if (!first.partial) return;
  await isDone;
  if (document.readyState === 'loading')
    await new Promise((read) => document.addEventListener('DOMContentLoaded', read));
  const { partial: _, ...now } = first;
  await replace(store, { ...now, ...readJson<OtherPart>('other') });
}

/** Adds the views of a picture to the page. `isDone` resolves once all are there. */
function show(
  shown: Picture,
  before: Picture | undefined,
): { readonly store: Store; readonly isDone: Promise<void> } {
  const compared = before && {
    before: new PictureIndex(before),
    plan: readJson<PlanSentence>('plan'),
  };
  const detail = matchMedia('(max-width: 40rem)').matches ? 'coarse' : 'fine';
  const store = new Store(new PictureIndex(shown), compared, detail);
  const beside = element('div', { class: 'beside' });
  const main = element('main');
  const steps = [
    () => document.body.append(headerView(store), main),
    ...(before ? [() => main.append(changesView(store))] : []),
    () => main.append(poolsView(store), beside),
    () => beside.append(mapView(store), detailsView(store)),
    () => beside.append(listsView(store)),
  ];
  keepInLink(store);
  const name = () => nameTab({ state: tabState(store) });
  name();
  store.listen((changed) => {
    if (changed === 'picture') name();
  });
  return { store, isDone: inTasks(steps, isLarge(shown)) };
}

async function replace(store: Store, next: Picture): Promise<void> {
  const index = new PictureIndex(next);
  await inTasks([() => keepFocus(() => store.replace(index))], isLarge(next));
}

/** The data that leasehold embedded in the page; undefined without any. */
function readJson<Value>(id: string): Value | undefined {
  const text = document.getElementById(id)?.textContent;
  return text ? (JSON.parse(text) as Value) : undefined;
}
