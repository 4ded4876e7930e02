import { draftFault, fieldFault } from '../../features/delivery/init/new-declarations.ts';
import type { Prompts } from './prompts.ts';
import { poolsDraft, profileOf, type SetupGround } from './setup-answers.ts';
import {
  listFault,
  listOf,
  type SetupWord,
  type SetupWords,
  usual,
  wordFault,
} from './setup-words.ts';

/** Asks for what a pool file says and was not said. Each pool is checked beside those before it. */
export async function askPools(
  prompts: Prompts,
  said: SetupWords,
  ground: SetupGround,
): Promise<SetupWords> {
  let words = said;
  const text = async (word: SetupWord, message: string, initial?: string): Promise<void> => {
    if (words[word] !== undefined) return;
    const fault = (answer: string): string | undefined => wordFault(word, answer, words);
    const shown = initial === undefined ? {} : { initial };
    words = { ...words, [word]: await prompts.text({ message, ...shown, fault }) };
  };
  if (profileOf(words, ground) === 'akash')
    await text('provider', "The provider's address, akash1…");
  await text('metallb', 'The MetalLB that runs, as kubectl shows its image', usual.metallb);
  await text('metallbNamespace', 'The namespace that MetalLB runs in', usual.metallbNamespace);
  if (words.cluster.length === 0) words = { ...words, cluster: await askClusters(prompts, words) };
  if (words.shards === undefined) words = { ...words, shards: await askShards(prompts) };
  if (words.pool.length > 0) return words;
  do {
    words = await askPool(prompts, words, ground);
  } while (await prompts.confirm('Is there another pool?'));
  return words;
}

async function askClusters(prompts: Prompts, words: SetupWords): Promise<readonly string[]> {
  const answer = await prompts.text({
    message: 'The names of the clusters, with a comma between two; the first is the default one',
    initial: usual.cluster,
    fault: (text) => {
      const names = listOf(text);
      const twice = names.find((name, index) => names.indexOf(name) < index);
      return (
        listFault(text, (part) => wordFault('cluster', part, words)) ??
        (twice && `${twice} is there twice`)
      );
    },
  });
  return listOf(answer);
}

function askShards(prompts: Prompts): Promise<string> {
  return prompts.choice({
    message: 'How many leases will a cluster have? This stays, once it has some',
    options: [
      { value: '1', label: 'up to some 500: one Application or Kustomization' },
      { value: '16', label: 'up to some 8,000: 16 of them' },
      { value: '256', label: 'more: 256 of them' },
    ],
    initial: '1',
  });
}

async function askPool(
  prompts: Prompts,
  words: SetupWords,
  ground: SetupGround,
): Promise<SetupWords> {
  const isFirst = words.pool.length === 0;
  const address = (part: string): string | undefined => fieldFault('poolRange', part);
  /** What the pool file would have wrong with these words added. */
  const whole = (added: Partial<SetupWords>): string | undefined =>
    draftFault(poolsDraft({ ...words, ...added }, ground));
  const name = await prompts.text({
    message: 'The name of a pool',
    ...(isFirst ? { initial: 'default' } : {}),
    fault: (text) => {
      const isTaken = words.pool.some((other) => other.startsWith(`${text}=`));
      return fieldFault('dnsLabel', text) ?? (isTaken ? 'there is one already' : undefined);
    },
  });
  const pool = (text: string): readonly string[] => [...words.pool, `${name}=${text}`];
  const addresses = await prompts.text({
    message: `The addresses of ${name}, with a comma between two`,
    example: '203.0.113.64/27, 2001:db8:30::10-2001:db8:30::ff',
    fault: (text) => listFault(text, address) ?? whole({ pool: pool(text) }),
  });
  const held = (text: string): readonly string[] =>
    listOf(text).length > 0 ? [...words.reserved, `${name}=${text}`] : words.reserved;
  const reserved = await prompts.text({
    message: `Those of ${name} that are never given out, such as gateways; empty for none`,
    fault: (text) =>
      text === ''
        ? undefined
        : (listFault(text, address) ?? whole({ pool: pool(addresses), reserved: held(text) })),
  });
  const zone = await prompts.text({
    message: `The zone of ${name}: what leases name when they want an address of its kind`,
    initial: usual.zone,
    fault: (text) => fieldFault('dnsLabel', text),
  });
  const advertise = await prompts.choice({
    message: `How does MetalLB announce ${name}?`,
    options: [
      { value: 'l2', label: 'L2: by ARP and NDP' },
      { value: 'bgp', label: 'BGP' },
    ],
    initial: 'l2',
  });
  return {
    ...words,
    pool: pool(addresses),
    reserved: held(reserved),
    zone: [...words.zone, `${name}=${zone}`],
    bgp: advertise === 'bgp' ? [...words.bgp, name] : words.bgp,
  };
}
