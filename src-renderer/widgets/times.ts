/** `12:03:04`, of ms since 1970. */
export const timeOfDay = (time: number): string => new Date(time).toTimeString().slice(0, 8)

/** `21 Nov, 12:03:04`, of ms since 1970; without the day where it is today. */
export function dayAndTime(time: number): string {
  const date = new Date(time)
  const [, month = '', day = ''] = date.toDateString().split(' ')
  return date.toDateString() === new Date().toDateString()
    ? timeOfDay(time)
    : `${Number(day)} ${month}, ${timeOfDay(time)}`
}

/** `12:03:04.520`, of ms since 1970. */
export const preciseTime = (time: number): string =>
  `${timeOfDay(time)}.${String(Math.floor(time % 1000)).padStart(3, '0')}`
