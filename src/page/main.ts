import type { Picture } from '../features/picture/picture-answer.ts';
import { formatAddress, isAddress, parseAddress } from '../net/address.ts';
import { element, keepFocus } from './dom.ts';
import { mapView } from './map/map-view.ts';
import { PictureIndex } from './picture-index.ts';
import { followServer } from './server.ts';
import { Store } from './store.ts';
import { changesView } from './views/changes-view.ts';
import { detailsView } from './views/details-view.ts';
import { forecastView } from './views/forecast-view.ts';
import { headerView } from './views/header-view.ts';
import { leasesView } from './views/leases-view.ts';
import { poolsView } from './views/pools-view.ts';
import { serverView } from './views/server-view.ts';

const picture = readPicture('picture');
if (picture) show(picture, readPicture('before'));
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
  const store = new Store(new PictureIndex(shown), before && new PictureIndex(before));
  const sections = [
    ...(before ? [changesView(store)] : []),
    poolsView(store),
    element('div', { class: 'beside' }, mapView(store), detailsView(store)),
    leasesView(store),
    forecastView(store),
  ];
  document.body.append(headerView(store), element('main', {}, ...sections));
  keepInLink(store);
  return store;
}

function replace(store: Store, next: Picture): void {
  const index = new PictureIndex(next);
  keepFocus(() => store.replace(index));
}

/** Keeps the selected address in the fragment of the page's URL, so that it can be linked. */
function keepInLink(store: Store): void {
  const follow = () => {
    const address = parseAddress(location.hash.slice(1).replaceAll(/%3a/gi, ':'));
    if (!isAddress(address)) return;
    const text = formatAddress(address);
    if (text !== store.view.selected) store.show(address, text);
  };
  follow();
  addEventListener('hashchange', follow);
  store.listen((changed) => {
    if (changed !== 'picture' && changed.selected !== undefined)
      history.replaceState(null, '', `#${changed.selected}`);
  });
}

/** The picture that leasehold embedded in the page. */
function readPicture(id: string): Picture | undefined {
  const text = document.getElementById(id)?.textContent;
  return text ? (JSON.parse(text) as Picture) : undefined;
}
