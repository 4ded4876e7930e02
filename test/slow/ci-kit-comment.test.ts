import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sanitizedJson } from '../../src/core/text/print/escape.ts';
import { actionStep, commandsIn, type Ran, runStep } from '../support/forge/ci-kit.ts';
import { head, plan } from '../support/forge/comment-run.ts';
import { type FakeForge, fakeForge } from '../support/forge/fake-forge.ts';
import { type BuiltProgram, buildProgram } from '../support/run/built-program.ts';
import { snapshot, tempTree } from '../support/trees/temp-tree.ts';

/** A zip file of these texts, as the store of a forge's artifacts makes it. */
function zipOf(files: Readonly<Record<string, string | Uint8Array>>): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [path, content] of Object.entries(files)) {
    const name = Buffer.from(path);
    const whole = Buffer.from(content);
    const packed = deflateRawSync(whole);
    const fields = fieldsOf(whole, packed, name);
    const body = Buffer.concat([Buffer.from('PK\x03\x04'), fields, name, packed]);
    const more = Buffer.alloc(14);
    more.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), fields, more, name);
    bodies.push(body);
    offset += body.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(bodies.length, 8);
  end.writeUInt16LE(bodies.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...bodies, central, end]);
}

/** What the header before a file and its entry in the directory have in common. */
function fieldsOf(whole: Buffer, packed: Buffer, name: Buffer): Buffer {
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(20, 0);
  fields.writeUInt16LE(8, 4);
  fields.writeUInt32LE(crc32(whole), 10);
  fields.writeUInt32LE(packed.length, 14);
  fields.writeUInt32LE(whole.length, 18);
  fields.writeUInt16LE(name.length, 22);
  return fields;
}

/*
 * What the privileged workflow does: takes one file of a stranger's artifact, and puts the plan in it on
 * the pull request that the event leads to. The API is a fake on the loopback; curl, unzip and leasehold
 * are real.
 */
let program: BuiltProgram;
beforeAll(() => {
  program = buildProgram();
});
afterAll(() => program.remove());

const token = { 'inputs.token': 'fake-token' };

interface Artifact {
  readonly zip: Uint8Array;
  readonly name?: string;
  /** As the list says. */
  readonly size?: number;
}

/** A GitHub whose run 99 left these artifacts, which a second server gives out, as GitHub's store does. */
async function githubWith(...artifacts: readonly Artifact[]) {
  const github = await fakeForge('github');
  const store = await fakeForge('github');
  github.interfere = ({ path, headers }) => {
    if (headers.authorization !== 'Bearer fake-token') return undefined;
    if (path.startsWith('/repos/acme/leases/actions/runs/99/artifacts?')) {
      const list = artifacts.map(({ zip, name = 'leasehold-plan', size = zip.length }, index) => ({
        id: index + 1,
        name,
        size_in_bytes: size,
        expired: false,
      }));
      return { status: 200, text: JSON.stringify({ artifacts: list }) };
    }
    const [, id] = /^\/repos\/acme\/leases\/actions\/artifacts\/(\d+)\/zip$/.exec(path) ?? [];
    return id === undefined
      ? undefined
      : { status: 302, headers: { Location: `${store.api}/${id}` } };
  };
  store.interfere = ({ path }) => {
    const artifact = artifacts[Number(path.slice(1)) - 1];
    return { status: 200, ...(artifact && { text: artifact.zip }) };
  };
  return { github, store };
}

const envOf = ({ api }: FakeForge) => ({
  GITHUB_API_URL: api,
  GITHUB_REPOSITORY: 'acme/leases',
  GITHUB_ACTIONS: 'true',
  GITHUB_ACTION_PATH: dirname(program.build),
});

function take(github: FakeForge, runId = '99', artifact = 'leasehold-plan'): Promise<Ran> {
  const step = actionStep('Take the plan of the other workflow');
  const inputs = { 'inputs.run-id': runId, 'inputs.artifact': artifact, ...token };
  return runStep(step, { cwd: tempTree(), env: envOf(github) }, inputs);
}

describe("a stranger's artifact", () => {
  test('gives its plan.json, and nothing else of it is unpacked', async () => {
    const outside = {
      '../../escaped': 'x',
      '/tmp/leasehold-escaped': 'x',
      'plan.md': '# Approved',
    };
    const { github, store } = await githubWith({
      zip: zipOf({ ...outside, 'plan.json': sanitizedJson(plan) }),
    });
    const ran = await take(github);
    expect(ran).toMatchObject({ status: 0, log: '' });
    const folder = dirname(ran.outputs.plan ?? '');
    const files = snapshot(folder);
    expect(Object.keys(files)).toEqual(['artifacts.json', 'header', 'plan.json', 'plan.zip']);
    expect(files['plan.json']).toBe(sanitizedJson(plan));
    expect(store.requests.map(({ headers }) => headers.authorization)).toEqual([undefined]);
  });

  test('is the newest of its name', async () => {
    const old = { zip: zipOf({ 'plan.json': 'old' }) };
    const other = { zip: zipOf({ 'plan.json': 'other' }), name: 'leasehold-plan-2' };
    const { github } = await githubWith(old, { zip: zipOf({ 'plan.json': 'new' }) }, other);
    const { outputs } = await take(github);
    expect(snapshot(dirname(outputs.plan ?? ''))['plan.json']).toBe('new');
  });

  test('that is not there is told, and nothing is posted', async () => {
    const { github } = await githubWith();
    const ran = await take(github);
    expect(ran).toMatchObject({ status: 0, outputs: {} });
    expect(commandsIn(ran.log)).toEqual([
      '::notice::The other workflow made no plan, so nothing is posted.',
    ]);
  });

  const small = zipOf({ 'plan.json': '{}' });
  test.each<[string, Artifact, string]>([
    [
      'says that it is too large',
      { zip: small, size: 33_554_433 },
      'The artifact is larger than 32 MiB.',
    ],
    [
      'unpacks to more than a plan can be',
      { zip: zipOf({ 'plan.json': new Uint8Array(150_000_000) }) },
      'The plan is larger than 128 MiB.',
    ],
    ['has no plan', { zip: zipOf({ 'plan.md': 'x' }) }, 'The artifact has no plan.json.'],
    ['is no zip file', { zip: Buffer.from('hello') }, 'The artifact has no plan.json.'],
  ])('that %s is an error', async (_, artifact, message) => {
    const { github } = await githubWith(artifact);
    const ran = await take(github);
    expect(ran).toMatchObject({ status: 74, outputs: {} });
    expect(commandsIn(ran.log)).toEqual([`::error::${message}`]);
  });

  test('that is larger than it says is not taken', async () => {
    const zip = Buffer.alloc(33_554_433);
    const { github } = await githubWith({ zip, size: 10 });
    const ran = await take(github);
    expect(ran.status).not.toBe(0);
    expect(ran.outputs).toEqual({});
  });

  test.each([
    ['$(touch pwned)', 'leasehold-plan'],
    ['1/../2', 'leasehold-plan'],
    ['99', 'x&per_page=1'],
  ])('is not looked for as run %s, artifact %s', async (runId, artifact) => {
    const { github } = await githubWith();
    expect((await take(github, runId, artifact)).status).toBe(74);
    expect(github.requests).toEqual([]);
  });
});

describe('the comment', () => {
  const planPath = "steps.taken.outputs.plan || format('{0}/plan.json', steps.plan.outputs.folder)";
  const comment = (github: FakeForge, env: Record<string, string>, pullHead = '') =>
    runStep(
      actionStep('Comment'),
      { cwd: tempTree(), env: { ...envOf(github), ...env } },
      {
        [planPath]: join(tempTree({ 'plan.json': sanitizedJson(plan) }), 'plan.json'),
        'github.event.pull_request.head.sha': pullHead,
        'inputs.key': 'default',
        'inputs.split': 'true',
        ...token,
      },
    );

  test("comes to the fork's pull request, once, whatever the branch is called", async () => {
    const github = await fakeForge('github');
    const branch = 'a;b$(touch pwned)';
    github.pulls.set(`forker:${branch}`, [
      { number: 7, head: { sha: head, repo: { full_name: 'forker/leases' } } },
    ]);
    const event = {
      workflow_run: {
        event: 'pull_request',
        head_sha: head,
        head_branch: branch,
        head_repository: { full_name: 'forker/leases' },
        display_title: 'x\n::set-output name=plan::owned',
        pull_requests: [],
      },
    };
    const folder = tempTree();
    writeFileSync(join(folder, 'event.json'), JSON.stringify(event));
    const env = { GITHUB_EVENT_PATH: join(folder, 'event.json'), GITHUB_REF: 'refs/heads/main' };
    const [first, second] = [await comment(github, env), await comment(github, env)];
    expect(first).toMatchObject({
      status: 0,
      log: '1 comment created on pull request 7 of acme/leases\n',
      outputs: {},
    });
    expect(second?.log).toBe('1 comment untouched on pull request 7 of acme/leases\n');
    expect(github.comments).toHaveLength(1);
  });

  test('comes from the job that planned, on a branch of the repository', async () => {
    const github = await fakeForge('github');
    const ran = await comment(github, { GITHUB_REF: 'refs/pull/7/merge' }, head);
    expect(ran.status).toBe(0);
    expect(github.comments).toHaveLength(1);
  });

  test('that cannot be posted fails the job, and shows no token', async () => {
    const github = await fakeForge('github');
    github.interfere = () => ({ status: 403, text: '{"message":"Resource not accessible"}' });
    const ran = await comment(github, { GITHUB_REF: 'refs/pull/7/merge' }, head);
    expect(ran.status).toBe(74);
    expect(ran.log).toContain('permissions: pull-requests: write');
    expect(ran.log).not.toContain('fake-token');
  });
});
