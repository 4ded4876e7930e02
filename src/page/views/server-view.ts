import type { Status, StatusProblem } from '../../features/serve/status-answer.ts';
import { timeNow } from '../clock.ts';
import { element, section } from '../dom.ts';
import { countText } from '../words.ts';

/** What a served page says of its server. */
export interface ServerView {
  readonly part: HTMLElement;
  /** The server has nothing to show yet, or the page has not got it yet. */
  waiting(status: Status): void;
  /** The server is not reached; or the status with which it answered. */
  lost(status: number | undefined): void;
  /** What is shown is what the server has. */
  fine(): void;
  /** Asks whoever looks for a token. */
  askToken(wasRefused: boolean): Promise<string>;
}

/** Problems that are named: `leasehold check` has them all. */
const mostProblems = 10;

/** A part above all others; it stands alone until there is a picture, and is empty while all is well. */
export function serverView(): ServerView {
  const said = element('div', { role: 'status' }, ...nothingYet('Asking the server.'));
  const asked = element('div');
  const part = element('aside', { class: 'server', 'aria-label': 'Server' }, said, asked);
  let isShown = false;
  let last = '';
  /** Says a thing once: it is read aloud, and a page that waits would say the same again and again. */
  const say = (key: string, parts: readonly HTMLElement[]) => {
    asked.replaceChildren();
    if (key !== last) said.replaceChildren(...parts);
    last = key;
  };
  return {
    part,
    waiting(status) {
      const key = JSON.stringify([status.ready, status.stale]);
      if (!isShown) say(key, waitingParts(status));
      else if (!status.ready)
        say(key, [note(`The server was started anew and has nothing to show yet: ${old}`)]);
    },
    lost(status) {
      say(
        `lost ${status}`,
        isShown ? [note(lostText(status, timeNow()))] : nothingYet(startText(status)),
      );
    },
    fine() {
      isShown = true;
      say('', []);
    },
    askToken(wasRefused) {
      const why = isShown
        ? `The server no longer takes the token of this page, since ${timeNow()}: ${old}`
        : 'The server does not know this token.';
      const told = isShown || wasRefused ? [note(why)] : [];
      say(`token ${why} ${wasRefused}`, isShown ? told : [title(), ...told]);
      return new Promise((take) => {
        const form = tokenForm(take);
        asked.replaceChildren(form);
        if (!isShown) form.querySelector('input')?.focus();
      });
    },
  };
}

const old = 'what is shown may be old.';

function title(): HTMLElement {
  return element('h1', {}, 'Leased addresses');
}

function nothingYet(text: string, ...more: readonly HTMLElement[]): readonly HTMLElement[] {
  const verdict = element('p', { class: 'verdict waits' }, 'Nothing to show yet');
  return [title(), verdict, element('p', {}, text), ...more];
}

function note(text: string): HTMLElement {
  return element('p', { class: 'note stale' }, text);
}

function waitingParts({ ready, stale, source }: Status): readonly HTMLElement[] {
  if (ready) return nothingYet('The addresses are on their way.');
  if (!stale)
    return nothingYet(`The server reads ${source}. This page shows it as soon as it is there.`);
  const { since, reason, problems } = stale;
  const why = reason === undefined ? '' : `: ${reason}`;
  const text = `Since ${since} the server cannot show ${source}${why}. This page looks again by itself.`;
  return nothingYet(text, ...problemList(problems));
}

function problemList(problems: readonly StatusProblem[]): readonly HTMLElement[] {
  const left = problems.length - mostProblems;
  if (problems.length === 0) return [];
  return [
    section(
      'problems',
      countText(problems.length, 'problem', 'problems'),
      element('ul', { class: 'problems' }, ...problems.slice(0, mostProblems).map(problemItem)),
      ...(left > 0 ? [element('p', { class: 'soft' }, `and ${left} more`)] : []),
    ),
  ];
}

function problemItem({ code, message, at, hint }: StatusProblem): HTMLElement {
  return element(
    'li',
    {},
    element('strong', {}, message),
    element('div', { class: 'soft' }, `${at}, ${code}`),
    ...(hint === undefined ? [] : [element('div', {}, hint)]),
  );
}

function lostText(status: number | undefined, since: string): string {
  const what =
    status === undefined
      ? 'The connection to the server is lost'
      : `The server does not say what is new (it answers ${status})`;
  return `${what} since ${since}: ${old} The page tries again by itself.`;
}

function startText(status: number | undefined): string {
  const what = status === undefined ? 'The server is not reached' : `The server answers ${status}`;
  return `${what}. This page tries again by itself.`;
}

function tokenForm(take: (token: string) => void): HTMLElement {
  const input = element('input', {
    id: 'token',
    type: 'password',
    autocomplete: 'off',
    spellcheck: 'false',
    required: true,
    // What a header cannot have is no token.
    pattern: '[!-~]+',
    title: 'letters, digits and signs of ASCII, without spaces',
  });
  const form = element(
    'form',
    { class: 'tools' },
    element('label', { for: 'token' }, 'Token'),
    input,
    element('button', { type: 'submit' }, 'Open'),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    take(input.value);
  });
  const hint = element(
    'p',
    { class: 'soft' },
    'This server asks for a bearer token. It is kept in this tab until that is closed, and sent to this server only.',
  );
  return section('open', 'Who looks?', form, hint);
}
