import type { Picture } from '../model/picture.ts';
import { element } from './dom.ts';
import { PictureIndex } from './picture-index.ts';
import type { Store } from './store.ts';

/** Milliseconds after which a lost connection is tried again; the browser itself tries after shorter breaks. */
const pause = 15_000;

/** A served page asks its server for what is new, and says when that one is not reached. */
export function followServer(store: Store): HTMLElement {
  const lost = element('p', { class: 'note stale', role: 'status', hidden: true });
  lost.append('The connection to the server is lost: what is shown may be old.');
  const load = async () => {
    try {
      const answer = await window.fetch('/api/v1/picture');
      if (!answer.ok) throw new Error(String(answer.status));
      store.replace(new PictureIndex((await answer.json()) as Picture));
      lost.hidden = true;
    } catch {
      lost.hidden = false;
    }
  };
  listen(load, lost);
  return lost;
}

function listen(load: () => Promise<void>, lost: HTMLElement): void {
  const events = new EventSource('/api/v1/events');
  let wasLost = false;
  const changed = () => void load();
  for (const name of ['revision']) events.addEventListener(name, changed);
  events.addEventListener('open', () => {
    if (wasLost) changed();
    wasLost = false;
  });
  events.addEventListener('error', () => {
    wasLost = true;
    lost.hidden = false;
    if (events.readyState === EventSource.CLOSED) setTimeout(() => listen(load, lost), pause);
  });
}
