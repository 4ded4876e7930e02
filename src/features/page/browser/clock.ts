/** The local time of day, `10:04:07`. */
export function timeNow(): string {
  return new Date().toTimeString().slice(0, 8);
}
