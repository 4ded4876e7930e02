/** Where the token is kept: in this tab, until it is closed. */
const place = 'leasehold-token';

/** The token that this tab had; undefined without one, and where a browser keeps nothing. */
export function keptToken(): string | undefined {
  return storage()?.getItem(place) ?? undefined;
}

/** Keeps a token that the server took. */
export function keepToken(token: string): void {
  storage()?.setItem(place, token);
}

/** Keeps none. */
export function forgetToken(): void {
  storage()?.removeItem(place);
}

/** Some browsers refuse it where they are told to keep nothing. */
function storage(): Storage | undefined {
  try {
    return sessionStorage;
  } catch {
    return undefined;
  }
}
