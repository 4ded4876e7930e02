import { isSince } from '../../../../src/core/model/planes.ts';
import { service } from '../declared.ts';
import type { Kube, KubeObject } from '../kube.ts';
import { ofMetallb } from './metallb.ts';
import {
  all,
  type Break,
  beside,
  changed,
  fails,
  once,
  onceOn,
  passes,
  remade,
  type Sabotage,
  without,
} from './sabotage.ts';
import { app } from './site.ts';

const webhooks: KubeObject = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingWebhookConfiguration',
  metadata: { name: 'metallb-webhook-configuration' },
};

/** A pool of somebody else. */
const foreignPool = (...addresses: readonly string[]): KubeObject => ({
  ...ofMetallb('metallb.io/v1beta1', 'IPAddressPool', 'foreign'),
  spec: { addresses, autoAssign: false },
});

/** The webhook for pools, with something else. */
const poolWebhook = (part: (hook: Hook) => object) =>
  changed(webhooks, (live) => ({
    webhooks: live.webhooks.map((hook: Hook) =>
      hook.name.startsWith('ipaddresspool') ? { ...hook, ...part(hook) } : hook,
    ),
  }));

interface Hook {
  readonly name: string;
  readonly clientConfig: { readonly service: object };
}

/** What the API server answers to a pool that overlaps itself, in a dry run; nothing when it takes it. */
async function answerTo(kube: Kube): Promise<string> {
  try {
    await kube.apply(foreignPool('192.0.2.0/24', '192.0.2.0/25'), { dryRun: true });
  } catch (error) {
    return String(error);
  }
  return '';
}

/** The API server has no webhooks of MetalLB to ask. */
const unguarded = all(
  without(webhooks),
  once('a pool that is taken unasked', async (kube) => (await answerTo(kube)) === ''),
);

/** The first version of MetalLB that says whether it accepts its configuration. */
const saysSo = '0.15.3';

/** Parts of MetalLB have said that they refuse the configuration, where they say so. */
const onceRefused =
  (...parts: readonly string[]): Break =>
  async (site) => {
    if (!isSince(site.version, saysSo)) return async () => {};
    const refused = once('a configuration that is refused', async (kube) => {
      const states = await kube.list('metallb.io/v1beta1', 'ConfigurationState');
      const refusing = states.filter(({ status }) => status?.result === 'Invalid');
      return parts.every((part) => refusing.some(({ metadata }) => metadata.name === part));
    });
    return refused(site);
  };

/** A pool that MetalLB cannot read: of an overlap, which pool is named depends on the order it has them in. */
const broken = (addresses: string) =>
  all(
    unguarded,
    beside(foreignPool(addresses, '203.0.113.300/32')),
    onceRefused('controller', 'speaker-node-a'),
  );
const refusal = /203\.0\.113\.300.* \(reported by 2 MetalLB components\)/;

const stranger = service('strangers', 'guest', {
  annotations: { 'metallb.io/loadBalancerIPs': '192.0.2.5' },
});

/** What may be wrong between the API server and MetalLB's webhooks, and with the configuration that these let pass. */
export const webhookSabotages: readonly Sabotage[] = [
  {
    title: "MetalLB's webhooks are gone",
    break: unguarded,
    doctor: fails(
      ['problem', 'METALLB_WEBHOOK', /no ValidatingWebhookConfiguration/],
      ['problem', 'METALLB_ADMISSION', /would be accepted/],
    ),
  },
  {
    title: 'the webhook for pools may be passed by',
    break: poolWebhook(() => ({ failurePolicy: 'Ignore' })),
    doctor: passes(['caution', 'METALLB_WEBHOOK', /failurePolicy: Ignore/]),
  },
  {
    title: 'the API server does not reach the webhook for pools',
    break: all(
      poolWebhook(({ clientConfig }) => ({
        clientConfig: { ...clientConfig, service: { ...clientConfig.service, port: 1 } },
      })),
      once('a webhook that is not reached', async (kube) =>
        (await answerTo(kube)).includes('failed calling webhook'),
      ),
    ),
    doctor: fails(['problem', 'METALLB_ADMISSION', /does not answer: .*failed calling webhook/]),
  },
  {
    title:
      'the controller is down, the caBundle of its webhook is lost, and a Service is made anew',
    break: all(
      async ({ machine: { metallb } }) => {
        await metallb.stopController('SIGKILL');
        return () => metallb.startController();
      },
      poolWebhook(({ clientConfig: { service } }) => ({ clientConfig: { service } })),
      remade(app),
    ),
    ends: 'the controller starts',
    doctor: fails(
      ['problem', 'METALLB_WEBHOOK', /metallb-webhook-configuration has no caBundle/],
      ['problem', 'METALLB_ADMISSION', /does not answer: .*failed calling webhook/],
    ),
    verify: fails(['pending', 'Service web/app', /MetalLB has not answered yet/]),
  },
  {
    title: 'an advertisement of somebody names a community that nobody defined',
    break: all(
      beside({
        ...ofMetallb('metallb.io/v1beta1', 'BGPAdvertisement', 'stray'),
        spec: { communities: ['nowhere'] },
      }),
      onceRefused('speaker-node-a'),
    ),
    doctor: fails(['problem', 'METALLB_CONFIGURATION', /speaker-node-a: .*nowhere/, saysSo]),
    verify: fails([
      'cluster problem',
      'ConfigurationState metallb-system/speaker-node-a',
      /nowhere.*correct or delete it, mostly what was changed last/s,
      saysSo,
    ]),
  },
  {
    title: 'a broken pool over addresses that Services have slips in while there are no webhooks',
    break: broken('203.0.113.0/29'),
    doctor: fails(
      ['problem', 'METALLB_WEBHOOK', /no ValidatingWebhookConfiguration/],
      ['problem', 'METALLB_ADMISSION', /would be accepted/],
      ['problem', 'METALLB_CONFIGURATION', refusal, saysSo],
      [
        'problem',
        'FOREIGN_POOLS',
        /IPAddressPool metallb-system\/foreign .*no Service has an address from it: delete this pool/s,
      ],
    ),
    verify: fails(
      ['cluster problem', 'ConfigurationState metallb-system/controller', refusal, saysSo],
      ['cluster problem', 'IPAddressPool metallb-system/foreign', /delete this pool/],
    ),
  },
  {
    title: 'a broken pool over addresses that no Service has slips in while there are no webhooks',
    break: broken('203.0.113.8/29'),
    doctor: fails(
      ['problem', 'METALLB_WEBHOOK', /no ValidatingWebhookConfiguration/],
      ['problem', 'METALLB_ADMISSION', /would be accepted/],
      ['problem', 'METALLB_CONFIGURATION', refusal, saysSo],
      ['problem', 'FOREIGN_POOLS', /no Service has an address from it: delete this pool/],
    ),
    verify: fails(
      ['cluster problem', 'ConfigurationState metallb-system/controller', refusal, saysSo],
      ['cluster problem', 'IPAddressPool metallb-system/foreign', /delete this pool/],
    ),
  },
  {
    title: 'a pool of somebody else that is in the way of nothing serves its own',
    break: all(beside(foreignPool('192.0.2.0/28'), stranger), onceOn('192.0.2.5', stranger)),
  },
];
