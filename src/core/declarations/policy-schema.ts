import * as z from 'zod';
import { dnsLabel, dnsName } from '../text/common-fields.ts';
import { akashAddress } from './akash-fields.ts';
import { editorMetadata } from './object-meta.ts';

/** The limit for every list. */
const most = 1000;

const part = '[A-Za-z0-9_][A-Za-z0-9._-]*';

const folder = z
  .string()
  .max(255)
  .regex(
    new RegExp(`^leases(?:/${part})+$`),
    'expected a folder below leases/ without / at the end, of letters, digits, ., _ and -',
  )
  .describe('A folder below leases/, with everything in it.');

const namespace = z
  .string()
  .max(127)
  .regex(
    /^(?:[a-z0-9](?:[-a-z0-9]*[a-z0-9])?\/)?[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/,
    'expected a namespace or <cluster>/<namespace>',
  )
  .describe('A namespace, in any cluster or, with <cluster>/ in front, in one.');

const port = z.int().min(1).max(65535);

const portRange = z
  .string()
  .regex(/^[1-9]\d{0,4}-[1-9]\d{0,4}$/, 'expected a port or first-last')
  .describe('first-last, both included.');

const account = '[A-Za-z0-9](?:[A-Za-z0-9._-]{0,253}[A-Za-z0-9])?';
const group = '[A-Za-z0-9_](?:[A-Za-z0-9._-]{0,253}[A-Za-z0-9_])?';
const domain = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
const mail = `[A-Za-z0-9](?:[A-Za-z0-9._%+-]{0,63})@${domain}(?:\\.${domain})+`;

/** A reviewer, as written in CODEOWNERS. */
export const reviewer = z
  .string()
  .max(255)
  .regex(
    new RegExp(`^(?:@${account}(?:/${group})*|${mail})$`),
    'expected @user, @org/team or an e-mail address',
  )
  .describe('@user, @org/team or an e-mail address, as in CODEOWNERS.');

const signer = z
  .string()
  .max(255)
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9@._%+/:=-]*$/,
    'expected a principal of the allowed signers file, such as ana@example.com',
  )
  .describe('A principal of the allowed signers file.');

const party = {
  reviewers: z.array(reviewer).max(most).default([]).describe('Who reviews, for CODEOWNERS.'),
  signers: z.array(signer).max(most).default([]).describe('Who signs, for verify-history.'),
};

const tenant = z.strictObject({
  name: dnsLabel.describe('The tenant, as messages name it.'),
  folders: z.array(folder).min(1).max(most).describe('The folders that the tenant declares in.'),
  owners: z
    .array(akashAddress)
    .max(most)
    .default([])
    .describe('The accounts akash1… whose leases it may declare; default: none.'),
  namespaces: z
    .array(namespace)
    .max(most)
    .default([])
    .describe(
      'The namespaces whose Services, Reservations and Hostnames it may declare; default: none.',
    ),
  hostnames: z
    .array(dnsName)
    .min(1)
    .max(most)
    .optional()
    .describe(
      'The hostnames and DNS names of addresses that it may declare; *.example.com is all below; default: all.',
    ),
  clusters: z.array(dnsLabel).min(1).max(most).optional().describe('Default: all clusters.'),
  zones: z.array(dnsLabel).min(1).max(most).optional().describe('Default: all zones.'),
  pools: z.array(dnsLabel).min(1).max(most).optional().describe('Default: all pools.'),
  advertisements: z
    .array(dnsLabel)
    .max(most)
    .optional()
    .describe('The advertisements that it may choose; default: all.'),
  ports: z
    .array(z.union([port, portRange]))
    .min(1)
    .max(most)
    .optional()
    .describe('The ports on addresses, single ones and first-last; default: all.'),
  ...party,
});

/** `leases/policy.yaml`: the folders of tenants, what each may declare, and its reviewers. */
export const policySchema = z
  .strictObject({
    apiVersion: z.literal('leasehold.dev/v1'),
    kind: z.literal('Policy'),
    metadata: editorMetadata,
    operators: z
      .strictObject(party)
      .prefault({})
      .describe("The owners of all files that are not a tenant's; they may declare anything."),
    tenants: z
      .array(tenant)
      .max(most)
      .default([])
      .describe('The tenants, each with folders of its own.'),
  })
  .describe('The policy of leasehold, leases/policy.yaml.');

/** The policy with defaults filled in, before it is normalized. */
export type WrittenPolicy = z.output<typeof policySchema>;

export type WrittenTenant = WrittenPolicy['tenants'][number];
