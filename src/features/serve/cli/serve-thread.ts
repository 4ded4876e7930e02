import { parentPort, workerData } from 'node:worker_threads';
import { endGit } from '../../../core/world/git/git.ts';
import { answerThread } from '../../../core/world/work-thread.ts';
import { longWork } from '../long-work.ts';
import { inParts } from '../tree-parts.ts';
import { type ServeSource, workDeskOf } from './serve-work.ts';

/** The thread of `leasehold serve` that reads trees and git. */
if (parentPort) {
  answerThread(parentPort, inParts(longWork(workDeskOf(workerData as ServeSource))), endGit);
}
