import { parseDay } from '../model/day.ts';
import { InternalError } from '../model/problem.ts';
import type { World } from './world.ts';

/** The world of the running process: its streams, its folder and its clock. */
export function processWorld(): World {
  return {
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
    color: process.stderr.isTTY === true && !process.env.NO_COLOR,
    today: () => {
      const day = parseDay(new Date().toISOString().slice(0, 10));
      if (day === undefined) throw new InternalError('the clock gives no day');
      return day;
    },
    cwd: process.cwd(),
  };
}
