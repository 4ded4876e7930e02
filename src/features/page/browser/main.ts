import type { Picture } from '../picture-answer.ts';
import { element, keepFocus } from './dom.ts';
import { keepInLink } from './link.ts';
import { listsView } from './lists/lists-view.ts';
import { mapView } from './map/map-view.ts';
import { tabState } from './outlook.ts';
import { PictureIndex } from './picture-index.ts';
import { followServer } from './server.ts';
import { type PlanSentence, Store } from './store.ts';
import { changesView } from './views/changes-view.ts';
import { detailsView } from './views/details-view.ts';
import { headerView } from './views/header-view.ts';
import { poolsView } from './views/pools-view.ts';
import { nameTab, serverView } from './views/server-view.ts';

/** The views of a picture with more records are added one by one, so that no task is long. */
const mostAtOnce = 2000;

const picture = readJson<Picture>('picture');
if (picture) show(picture, readJson<Picture>('before'));
else if ('served' in document.body.dataset) {
  const view = serverView();
  let store: Store | undefined;
  document.body.prepend(view.part);
  void followServer(view, (next) => {
    if (store) replace(store, next);
    else store = show(next, undefined);
  });
}

/** Adds the views of a picture to the page. */
function show(shown: Picture, before: Picture | undefined): Store {
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
  void inTasks(steps, shown.records.length > mostAtOnce);
  return store;
}

async function inTasks(steps: readonly (() => void)[], isSplit: boolean): Promise<void> {
  for (const step of steps) {
    if (isSplit) await new Promise((resolve) => setTimeout(resolve, 0));
    step();
  }
}

function replace(store: Store, next: Picture): void {
  const index = new PictureIndex(next);
  keepFocus(() => store.replace(index));
}

/** The data that leasehold embedded in the page; undefined without any. */
function readJson<Value>(id: string): Value | undefined {
  const text = document.getElementById(id)?.textContent;
  return text ? (JSON.parse(text) as Value) : undefined;
}
