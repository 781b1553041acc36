/** `14:03:22`, of this computer's clock, with its day when that is another. */
export function clockText(time: number): string {
  const date = new Date(time)
  const clock = date.toTimeString().slice(0, 8)
  return date.toDateString() === new Date().toDateString() ? clock : `${date.toLocaleDateString()} ${clock}`
}
