import type { Picture } from '../model/picture.ts';
import { isAddress, parseAddress } from '../net/address.ts';
import { changesView } from './changes-view.ts';
import { detailsView } from './details-view.ts';
import { element } from './dom.ts';
import { forecastView } from './forecast-view.ts';
import { headerView } from './header-view.ts';
import { leasesView } from './leases-view.ts';
import { followServer } from './live.ts';
import { mapView } from './map-view.ts';
import { PictureIndex } from './picture-index.ts';
import { poolsView } from './pools-view.ts';
import { type Ask, askWith } from './server.ts';
import { Store } from './store.ts';
import { openWithToken } from './token-view.ts';

const picture = readPicture('picture');
const isServed = 'served' in document.body.dataset;
if (picture) start(picture, askWith(undefined));
else if (isServed) void openWithToken(start);

function start(shown: Picture, ask: Ask): void {
  const before = readPicture('before');
  const store = new Store(new PictureIndex(shown), before && new PictureIndex(before));
  const sections = [
    ...(before ? [changesView(store)] : []),
    poolsView(store),
    element('div', { class: 'beside' }, mapView(store), detailsView(store)),
    leasesView(store),
    forecastView(store),
  ];
  document.body.prepend(headerView(store), element('main', {}, ...sections));
  if (isServed) document.body.prepend(followServer(store, ask));
  keepInLink(store);
}

/** The address that is selected stands behind the `#` of the page's address, so that it can be linked to. */
function keepInLink(store: Store): void {
  const follow = () => {
    const text = decodeURIComponent(location.hash.slice(1));
    const address = parseAddress(text);
    if (isAddress(address) && text !== store.view.selected) store.show(address, text);
  };
  follow();
  addEventListener('hashchange', follow);
  store.listen((changed) => {
    if (changed !== 'picture' && changed.selected !== undefined)
      history.replaceState(null, '', `#${changed.selected}`);
  });
}

/** What our own program wrote into the page. */
function readPicture(id: string): Picture | undefined {
  const text = document.getElementById(id)?.textContent;
  return text ? (JSON.parse(text) as Picture) : undefined;
}
