import { element, keepFocus } from './dom.ts';
import { PictureIndex } from './picture-index.ts';
import { type Ask, askPicture, listen } from './server.ts';
import type { Store } from './store.ts';

/** Milliseconds after which a lost connection is tried again: the first time, and the longest. */
const pauses = { first: 1_000, longest: 15_000 } as const;

/** A served page asks its server for what is new, and says when that one is not reached. */
export function followServer(store: Store, ask: Ask): HTMLElement {
  const lost = element('p', { class: 'note stale', role: 'status', hidden: true });
  lost.append('The connection to the server is lost: what is shown may be old.');
  void follow(ask, {
    async changed() {
      const index = new PictureIndex(await askPicture(ask));
      keepFocus(() => store.replace(index));
      lost.hidden = true;
    },
    lost() {
      lost.hidden = false;
    },
  });
  return lost;
}

interface Follower {
  changed(): Promise<void>;
  lost(): void;
}

async function follow(ask: Ask, { changed, lost }: Follower): Promise<never> {
  for (let failures = 0; ; failures += 1) {
    try {
      await listen(ask, async () => {
        await changed();
        failures = 0;
      });
    } catch {
      // Not reached, cut off, refused: all of it is told the same way, and tried again.
    }
    lost();
    const pause = Math.min(pauses.longest, pauses.first * 2 ** failures);
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
