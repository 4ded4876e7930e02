import type { CodeExplanation } from './code-explanation.ts';

/** What an SDL cannot be leased for. */
export const sdlCodes = {
  SDL_INVALID: {
    title: 'An SDL does not have the shape that Akash reads.',
    fix: 'Correct the place that is named; Akash itself would refuse the deployment or drop the endpoint.',
  },
  SDL_VERSION: {
    title: 'An SDL has a version other than 2.0 and 2.1.',
    fix: "Write version: '2.0' or version: '2.1'.",
  },
  SDL_ENDPOINT_NAME: {
    title: 'An IP endpoint of an SDL has a name that Akash refuses.',
    fix: 'Use at least two characters: a lower-case letter, then lower-case letters, digits, - and _.',
  },
  SDL_ENDPOINT_KIND: {
    title: 'An endpoint of an SDL has no kind, or one other than ip.',
    fix: 'Write kind: ip.',
  },
  SDL_ENDPOINT_UNKNOWN: {
    title: 'An expose names an IP endpoint that the SDL does not declare.',
    fix: 'Declare it under endpoints.',
  },
  SDL_ENDPOINT_UNUSED: {
    title: 'An SDL declares an IP endpoint that no deployed service uses.',
    fix: 'Use it or remove it: Akash refuses the deployment.',
  },
  SDL_NOT_GLOBAL: {
    title: 'An expose asks for an IP endpoint without being global.',
    fix: 'Write global: true beside ip.',
  },
  SDL_HOST: {
    title: 'A host under accept is no name that Akash takes.',
    fix: 'Use lower-case letters, digits, - and . in at most 253 characters. Akash takes no wildcard, and refuses the deployment.',
  },
  SDL_HOST_TAKEN: {
    title: 'An SDL asks for one host twice.',
    fix: 'Name it once, under an expose with one entry under to, of a service that is deployed to one placement. Akash reads it once for each of these, and refuses the deployment.',
  },
  SDL_HTTP_OPTION: {
    title: 'An HTTP option of an expose is one that Akash refuses.',
    fix: 'Stay within the limits: max_body_size 104857600, proxy_buffer_size 1048576, read_timeout and send_timeout 60000; next_cases of error, timeout, 500, 502, 503, 504, 403, 404 and 429, or off alone.',
  },
  SDL_GROUP_UNKNOWN: {
    title: "The SDL has no placement for the lease's gseq.",
    fix: 'Correct gseq: placements count from 1 in name order.',
  },
  SDL_NO_ENDPOINT: {
    title: "No service of the lease's placement asks for a leased address.",
    fix: 'Remove the declaration: such a lease needs no address.',
  },
  SDL_NOT_EDITED: {
    title:
      "A claim would be added to a lease, or taken from one, whose endpoints stand in the tenant's SDL.",
    fix: 'Change the SDL in a commit of your own, or write the endpoints into the declaration in place of spec.sdl. A lease as a whole can be purged.',
  },
} as const satisfies Record<string, CodeExplanation>;
