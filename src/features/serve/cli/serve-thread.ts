import { parentPort, workerData } from 'node:worker_threads';
import { loadParts } from '../../../core/tree/parts.ts';
import { endGit } from '../../../core/world/git/git.ts';
import { features } from '../../../features.ts';
import { longWork } from '../long-work.ts';
import { inParts } from '../tree-parts.ts';
import { answerThread } from '../world/work-thread.ts';
import { type ServeSource, workDeskOf } from './serve-work.ts';

/** The thread of `leasehold serve` that reads trees and git. */
if (parentPort) {
  await loadParts(features);
  answerThread(parentPort, inParts(longWork(workDeskOf(workerData as ServeSource))), endGit);
}
