import type { Status, StatusProblem } from '../../../../lib/service/status-answer.ts';
import { timeNow } from '../clock.ts';
import { element, section } from '../dom.ts';
import { countText } from '../words.ts';

/** The connection state of a served page. */
export interface ServerView {
  readonly part: HTMLElement;
  /** The server has no picture yet, or the page has not received it. */
  waiting(status: Status): void;
  /** The server is unreachable, or answered with this error status. */
  lost(status: number | undefined): void;
  /** The picture shown is current. */
  fine(): void;
  /** Asks the user for a token. */
  askToken(wasRefused: boolean): Promise<string>;
}

/** Most problems listed; `leasehold check` lists all. */
const mostProblems = 10;

/**
 * A panel above all others. It is alone until there is a picture, and empty while the connection
 * works.
 */
export function serverView(): ServerView {
  const said = element('div', { role: 'status' }, ...nothingYet('Connecting to the server.'));
  const asked = element('div');
  const part = element('aside', { class: 'server', 'aria-label': 'Server' }, said, asked);
  let isShown = false;
  let last = 'connecting';
  /** Shows a message once: screen readers read it aloud, and a waiting page would repeat it. */
  const say = (key: string, parts: readonly HTMLElement[]) => {
    asked.replaceChildren();
    if (key !== last) said.replaceChildren(...parts);
    last = key;
  };
  return {
    part,
    waiting(status) {
      const key = JSON.stringify([status.ready, status.stale]);
      nameTab({ trouble: status.ready ? '' : 'no data yet' });
      if (!isShown) say(key, waitingParts(status));
      else if (!status.ready)
        say(key, [note(`The server has restarted and has no data yet: ${old}`)]);
    },
    lost(status) {
      nameTab({ trouble: 'connection lost' });
      say(
        `lost ${status}`,
        isShown ? [note(lostText(status, timeNow()))] : nothingYet(startText(status)),
      );
    },
    fine() {
      nameTab({ trouble: '' });
      isShown = true;
      say('', []);
    },
    askToken(wasRefused) {
      nameTab({ trouble: 'token needed' });
      const why = isShown
        ? `The server no longer accepts the token of this page, since ${timeNow()}: ${old}`
        : 'The server does not accept this token.';
      const notes = isShown || wasRefused ? [note(why)] : [];
      say(`token ${why} ${wasRefused}`, isShown ? notes : [title(), ...notes]);
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
  if (ready) return nothingYet('Loading the addresses.');
  if (!stale)
    return nothingYet(`The server reads ${source}. This page shows it as soon as it is there.`);
  const { since, reason, problems, problemCount } = stale;
  const why = reason === undefined ? '' : `: ${reason}`;
  const text = `Since ${since} the server cannot show ${source}${why}. This page checks again automatically.`;
  return nothingYet(text, ...problemList(problems, problemCount));
}

/** A list of the first problems. The server sends at most 100 of `count`. */
function problemList(problems: readonly StatusProblem[], count: number): readonly HTMLElement[] {
  const left = count - Math.min(problems.length, mostProblems);
  if (problems.length === 0) return [];
  return [
    section(
      'problems',
      countText(count, 'problem', 'problems'),
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
      : `The server sends no updates (status ${status})`;
  return `${what} since ${since}: ${old} The page tries again automatically.`;
}

function startText(status: number | undefined): string {
  const what =
    status === undefined ? 'The server cannot be reached' : `The server answers ${status}`;
  return `${what}. This page tries again automatically.`;
}

function tokenForm(take: (token: string) => void): HTMLElement {
  const input = element('input', {
    id: 'token',
    type: 'password',
    autocomplete: 'off',
    spellcheck: 'false',
    required: true,
    // A token must be valid in a header.
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
  return section('open', 'Sign in', form, hint);
}

/** What the title of the tab says: trouble with the server first, then the state that is shown. */
const said: { trouble: string; state: readonly string[] } = { trouble: '', state: [] };

/** Says in the title of the tab what changed, so that one tab of many is found. */
export function nameTab(next: Partial<typeof said>): void {
  Object.assign(said, next);
  const parts = [...(said.trouble === '' ? [] : [said.trouble]), ...said.state];
  document.title = `${parts.length === 0 ? 'Leased addresses' : parts.join(' · ')} – leasehold`;
}
