import { oncePer } from '../../../model/once-per.ts';
import { type HostnameItem, type Hostnames, listHostnames } from '../../ask/hostnames.ts';
import { type ServedTree, servedFields } from '../serve-state.ts';
import { byText, pagedAnswer, pageParameters } from './paging.ts';
import { guardedJson, type Route } from './route.ts';

const path = '/api/v1/hostnames';

const hostnamesOf = oncePer(
  (served: ServedTree): Hostnames => ({
    ...listHostnames(served.snapshot, served.day),
    ...servedFields(served),
  }),
);

const byHostname = byText(({ hostname }: HostnameItem) => hostname);

/** Queries for hostnames. Their history is among the routes that read git. */
export const hostnameRoutes: readonly Route[] = [
  {
    of: 'tree',
    ...guardedJson,
    id: 'listHostnames',
    path,
    summary: 'All held and kept hostnames with their holders and routes',
    kind: 'HostnamesPage',
    query: pageParameters,
    answer(served, request) {
      const list = hostnamesOf(served);
      return pagedAnswer({ ...request, path }, list.items, {
        order: byHostname,
        document: (items) => ({ ...list, items }),
      });
    },
  },
];
