import type { Picture } from '../model/picture.ts';
import { element, section } from './dom.ts';
import { type Ask, askPicture, askWith, RefusedError } from './server.ts';

/** Where the token is kept: in this tab, until it is closed. */
const place = 'leasehold-token';

/** What is to be done with a token that the server takes. */
type Opened = (picture: Picture, ask: Ask) => void;

/** Asks whoever looks for the token of the server, unless this tab had it already. */
export async function openWithToken(opened: Opened): Promise<void> {
  const kept = sessionStorage.getItem(place);
  const why = kept === null ? '' : await tried(kept, opened);
  if (why === undefined) return;
  const view = tokenView(why, async (token) => {
    const refused = await tried(token, (picture, ask) => {
      view.remove();
      opened(picture, ask);
    });
    if (refused === undefined) sessionStorage.setItem(place, token);
    return refused;
  });
  document.body.prepend(view);
  view.querySelector('input')?.focus();
}

/** Why a token opens nothing; undefined when it does. */
async function tried(token: string, opened: Opened): Promise<string | undefined> {
  const ask = askWith(token);
  try {
    const picture = await askPicture(ask);
    opened(picture, ask);
    return undefined;
  } catch (error) {
    const status = error instanceof RefusedError ? error.status : undefined;
    if (status === 401) sessionStorage.removeItem(place);
    return reasons[String(status)] ?? 'The server is not reached.';
  }
}

const reasons: Readonly<Record<string, string>> = {
  401: 'The server does not know this token.',
  503: 'The server has nothing to show yet. Try again in a moment.',
};

function tokenView(why: string, take: (token: string) => Promise<string | undefined>): HTMLElement {
  const input = element('input', {
    id: 'token',
    type: 'password',
    autocomplete: 'off',
    spellcheck: 'false',
    required: true,
  });
  const said = element('p', { role: 'status' }, why);
  const form = element(
    'form',
    { class: 'tools' },
    element('label', { for: 'token' }, 'Token'),
    input,
    element('button', { type: 'submit' }, 'Open'),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void take(input.value.trim()).then((refused) => said.replaceChildren(refused ?? ''));
  });
  const hint = element(
    'p',
    { class: 'soft' },
    'This server asks for a bearer token. It is kept in this tab until that is closed, and sent to this server only.',
  );
  return element(
    'main',
    {},
    element('h1', {}, 'Leased addresses'),
    section('open', 'Who looks?', form, said, hint),
  );
}
