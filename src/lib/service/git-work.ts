import type { Day } from '../../core/model/day.ts';
import type { Address } from '../../core/net/address.ts';
import type { Plan } from '../../core/run/plan/plan-answer.ts';
import type { Ledger } from '../history/address-history.ts';
import type { AddressHistory, HostnameHistory } from '../history/address-history-answer.ts';

/** Queries that read git. Commits are full object names. */
export interface GitWork {
  /** See {@link ledgerOf}. */
  ledger(commit: string): Promise<Ledger>;
  /** See {@link addressHistory}. */
  history(question: {
    readonly address: Address;
    readonly commit: string;
  }): Promise<AddressHistory>;
  /** See {@link hostnameHistory}. */
  hostnameHistory(question: {
    readonly hostname: string;
    readonly commit: string;
  }): Promise<HostnameHistory>;
  /** Returns the plan from the base to the head. */
  plan(question: {
    readonly base: string;
    readonly head: string;
    readonly day: Day;
  }): Promise<Plan>;
}
