import { describe, expect, it } from 'vitest';
import { placeText, problemsOf } from '../../../support/declarations/read-declaration.ts';
import { marked } from '../text/mark.ts';

describe('a declaration', () => {
  it.each([
    ['apiVersion: ▸v1\nkind: Lease\n', 'KIND_UNKNOWN'],
    ['apiVersion: ▸v1\nkind: Reservation\n', 'KIND_UNKNOWN'],
    ['apiVersion: ▸leasehold.dev/v1\nkind: Service\n', 'KIND_UNKNOWN'],
    ['apiVersion: ▸apps/v1\nkind: Deployment\n', 'KIND_UNKNOWN'],
    ['apiVersion: v1\nkind: ▸ConfigMap\n', 'KIND_UNKNOWN'],
    ['apiVersion: leasehold.dev/v1\nkind: ▸Leese\n', 'KIND_UNKNOWN'],
    ['apiVersion: leasehold.dev/v1\nkind: ▸constructor\n', 'KIND_UNKNOWN'],
  ])('of an unknown kind has no other problem: %j', (markedText, code) => {
    const { text, place } = marked(`${markedText}metadata: { name: x }\n`);

    expect(problemsOf(text).map(placeText)).toEqual([`${code} ${place}`]);
  });

  it.each([
    ['kind: Service\nmetadata: { name: web }\nspec: { ports: [{ port: 80 }] }\n', 'apiVersion'],
    ['apiVersion: v1\nmetadata: { name: web }\nspec: { ports: [{ port: 80 }] }\n', 'kind'],
    [
      'kind: Reservation\nspec: { namespace: a, service: b, ports: [{ port: 80 }] }\n',
      'apiVersion',
    ],
  ])('with only apiVersion or kind is read as the kind that it implies: %j', (text, missing) => {
    expect(problemsOf(text).map(({ message }) => message)).toEqual([
      `the file lacks the field '${missing}'`,
    ]);
  });

  it('lists the known kinds', () => {
    const text = 'apiVersion: leasehold.dev/v1\nkind: Reservaton\n';

    expect(problemsOf(text)).toMatchObject([
      {
        message:
          "'kind' is 'Reservaton', expected Lease or Reservation or Promise or Hostname or Rename with apiVersion leasehold.dev/v1",
        hint: "did you mean 'Reservation'?",
      },
    ]);
  });
});
