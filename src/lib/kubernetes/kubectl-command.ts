import { groupBy } from '../../core/model/order.ts';
import { shellWord } from '../../core/text/print/escape.ts';
import { replaceCommands } from '../../core/text/print/sentence.ts';
import { grantingCommand } from './doctor-checks.ts';

/** The options of a command that choose the cluster; kubectl has the same. */
export interface Connection {
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
}

/** A text whose commands are for the cluster that was asked, whatever kubectl's own context is. */
export function textFor(text: string, connection: Connection): string {
  return replaceCommands(text, (command) => commandFor(command, connection));
}

/** The same of a command. */
export function commandFor(command: string, connection: Connection): string {
  // Whoever grants permissions is not the account of this connection, which lacks them.
  if (command === grantingCommand) return command;
  const options = optionsFor(connection);
  return command.replaceAll(/\bkubectl (?=-|[a-z])/g, () => ['kubectl', ...options, ''].join(' '));
}

/** The words that choose the cluster, for kubectl and for leasehold. */
export function optionsFor({ kubeconfig, context }: Connection): readonly string[] {
  return [
    ...(kubeconfig === undefined ? [] : ['--kubeconfig', shellWord(kubeconfig)]),
    ...(context === undefined ? [] : ['--context', shellWord(context)]),
  ];
}

/** A live Service, and the labels or annotations that it gets, each as `KEY=VALUE`. */
export interface MarkedService {
  readonly service: { readonly namespace?: string | undefined; readonly name: string };
  readonly verb: 'label' | 'annotate';
  readonly texts: readonly string[];
  /** True when it has one of them with another value, which kubectl keeps by itself. */
  readonly isOverwriting?: boolean;
}

/** The commands that label or annotate Services: one for all of a namespace that get the same. */
export function markingCommands(all: readonly MarkedService[]): string[] {
  const groups = groupBy(all, ({ service, verb, texts, isOverwriting = false }) =>
    [service.namespace, verb, isOverwriting, ...texts].join(' '),
  );
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const names = group.map(({ service }) => service.name).join(' ');
    const words = first.texts.map(shellWord).join(' ');
    const command = `kubectl -n ${first.service.namespace} ${first.verb} service ${names} ${words}`;
    return [first.isOverwriting ? `${command} --overwrite` : command];
  });
}
