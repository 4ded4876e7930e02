import { parentPort, workerData } from 'node:worker_threads';
import { longWork } from '../app/serve/long-work.ts';
import { endGit } from '../io/git/git-end.ts';
import { answerThread } from '../io/work-thread.ts';
import { type ServeSource, workDeskOf } from './serve-work.ts';

/** What the thread of `leasehold serve` runs that reads trees and walks git. */
if (parentPort) {
  answerThread(parentPort, longWork(workDeskOf(workerData as ServeSource)), endGit);
}
