import { UsageError } from '../failure.ts';
import { clusterServers } from '../gitops-values.ts';
import { askPools } from './pool-questions.ts';
import type { Prompts } from './prompts.ts';
import { type SetupGround, saysPools } from './setup-answers.ts';
import {
  listFault,
  listOf,
  type SetupWord,
  type SetupWords,
  usual,
  wordFault,
} from './setup-words.ts';

/** Asks for all that was not said on the command line, and gives all that is said then. Each answer is checked at once. */
export async function askWords(
  prompts: Prompts,
  said: SetupWords,
  ground: SetupGround,
): Promise<SetupWords> {
  let words = await askProfile(prompts, said, ground);
  if (saysPools(words, ground)) words = await askPools(prompts, words, ground);
  if (!ground.hasPolicy && words.reviewer.length === 0) {
    words = { ...words, reviewer: await askReviewers(prompts, words) };
  }
  words = await askEngine(prompts, words, ground);
  words = await askForge(prompts, words);
  return words;
}

async function askProfile(
  prompts: Prompts,
  words: SetupWords,
  ground: SetupGround,
): Promise<SetupWords> {
  if (words.for !== undefined || ground.pools !== undefined) return words;
  const answer = await prompts.choice({
    message: 'Who are you?',
    options: [
      { value: 'akash', label: 'a provider of Akash' },
      { value: 'platform', label: 'a platform team with MetalLB, without Akash' },
    ],
  });
  return { ...words, for: answer };
}

async function askReviewers(prompts: Prompts, words: SetupWords): Promise<readonly string[]> {
  const answer = await prompts.text({
    message: 'Who approves changes of pools and policy? @user, @org/team, mail; empty for nobody',
    example: '@acme/network',
    fault: (text) =>
      text === '' ? undefined : listFault(text, (part) => wordFault('reviewer', part, words)),
  });
  return listOf(answer);
}

async function askEngine(
  prompts: Prompts,
  said: SetupWords,
  ground: SetupGround,
): Promise<SetupWords> {
  let words = said;
  if (words.engine === undefined) {
    const engine = await prompts.choice({
      message: 'What applies the manifests?',
      options: [
        { value: 'argocd', label: 'Argo CD' },
        { value: 'flux', label: 'Flux' },
        { value: 'none', label: 'something else: kubectl apply' },
      ],
    });
    words = { ...words, engine };
  }
  if (words.branch === undefined) {
    words = {
      ...words,
      branch: await askWord(prompts, 'branch', words, {
        message: 'The branch that is applied',
        initial: usual.branch,
      }),
    };
  }
  if (words.engine !== 'argocd' && words.engine !== 'flux') return words;
  if (words.repo === undefined) {
    const message = 'The git repository of these leases, without credentials';
    words = {
      ...words,
      repo: await askWord(prompts, 'repo', words, {
        message,
        example: 'https://git.example.com/acme/leases.git',
      }),
    };
  }
  if (words.engine === 'argocd') return askServers(prompts, words, ground);
  if (words.secret !== undefined) return words;
  const secret = await prompts.text({
    message: 'The Secret of Flux with what opens the repository; empty for a public one',
    fault: (text) => (text === '' ? undefined : wordFault('secret', text, words)),
  });
  return secret === '' ? words : { ...words, secret };
}

/** One cluster alone is the one that Argo CD runs in. */
async function askServers(
  prompts: Prompts,
  words: SetupWords,
  { pools }: SetupGround,
): Promise<SetupWords> {
  const known =
    words.cluster.length > 0 ? words.cluster : (pools?.clusters ?? []).map(({ name }) => name);
  if (known.length < 2 || words.server.length > 0) return words;
  const server: string[] = [];
  for (const name of known) {
    const asked = known
      .slice(0, server.length + 1)
      .map((one) => ({ name: one, shards: 1 as const }));
    const answer = await prompts.text({
      message: `The API server of ${name}, as Argo CD knows it`,
      example: 'https://kubernetes.default.svc',
      fault: (text) => usageFault(() => clusterServers(asked, [...server, `${name}=${text}`])),
    });
    server.push(`${name}=${answer}`);
  }
  return { ...words, server };
}

function usageFault(check: () => unknown): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
}

async function askForge(prompts: Prompts, said: SetupWords): Promise<SetupWords> {
  let words = said;
  if (words.forge === undefined) {
    const forge = await prompts.choice({
      message: 'Where are pull requests reviewed?',
      options: [
        { value: 'github', label: 'GitHub' },
        { value: 'gitlab', label: 'GitLab' },
        { value: 'none', label: 'elsewhere' },
      ],
    });
    words = { ...words, forge };
  }
  if (words.leasehold !== undefined) return words;
  const message = 'Your copy of leasehold, and the commit of it that is to run: URL#COMMIT';
  const example = `https://git.example.com/OWNER/leasehold.git#${'0'.repeat(40)}`;
  return { ...words, leasehold: await askWord(prompts, 'leasehold', words, { message, example }) };
}

function askWord(
  prompts: Prompts,
  word: SetupWord,
  words: SetupWords,
  question: { readonly message: string; readonly initial?: string; readonly example?: string },
): Promise<string> {
  return prompts.text({ ...question, fault: (text) => wordFault(word, text, words) });
}
