import { parentPort, workerData } from 'node:worker_threads';
import { longWork } from '../features/serve/long-work.ts';
import { inParts } from '../features/serve/tree-parts.ts';
import { endGit } from '../world/git/git.ts';
import { answerThread } from '../world/work-thread.ts';
import { type ServeSource, workDeskOf } from './serve/serve-work.ts';

/** The thread of `leasehold serve` that reads trees and git. */
if (parentPort) {
  answerThread(parentPort, inParts(longWork(workDeskOf(workerData as ServeSource))), endGit);
}
