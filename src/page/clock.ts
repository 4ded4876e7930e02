/** The time of day where the browser is, `10:04:07`. */
export function timeNow(): string {
  return new Date().toTimeString().slice(0, 8);
}
