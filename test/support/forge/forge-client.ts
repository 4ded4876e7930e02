import type { Clock } from '../../../src/core/interfaces/clock.ts';
import { commentMarker } from '../../../src/features/forge/comment.ts';
import type { Forge } from '../../../src/features/forge/forge.ts';
import { forgeClients } from '../../../src/features/forge/world/forge-clients.ts';
import type { FakeForge } from './fake-forge.ts';

/** A clock that only its pauses move on. */
export interface RecordedWaiting extends Clock {
  /** Every pause, in milliseconds. */
  readonly pauses: readonly number[];
}

/** A {@link RecordedWaiting}: nothing is waited for. */
export function recordedWaiting(): RecordedWaiting {
  const pauses: number[] = [];
  return {
    pauses,
    now: () => pauses.reduce((sum, pause) => sum + pause, 0),
    pause: async (milliseconds) => {
      pauses.push(milliseconds);
    },
  };
}

/** The pull request of a fake, as its adapter sees it. */
export function forgeAt(
  kind: keyof typeof forgeClients,
  fake: Pick<FakeForge, 'api'>,
  waiting: Clock,
  more: { readonly token?: string; readonly request?: number } = {},
): Forge {
  const asked = { number: 7, api: fake.api, token: 'fake-token', tokenFrom: 'SOME_TOKEN', ...more };
  const timing = { clock: waiting, ...(more.request && { request: more.request }) };
  return forgeClients[kind].open({ ...asked, repository: 'acme/leases' }, timing);
}

/** A body of ours. */
export function bodyOf(text: string, part = 1, key = 'default'): string {
  return `${commentMarker(key, part)}\n${text}\n`;
}
