export const timeOfDay = (time: number): string => new Date(time).toTimeString().slice(0, 8)

export function dayAndTime(time: number): string {
  const date = new Date(time)
  const now = new Date()
  if (date.toDateString() === now.toDateString()) return timeOfDay(time)
  const [, month = '', day = '', year = ''] = date.toDateString().split(' ')
  return `${Number(day)} ${month}${date.getFullYear() === now.getFullYear() ? '' : ` ${year}`}, ${timeOfDay(time)}`
}

export const preciseTime = (time: number): string =>
  `${timeOfDay(time)}.${String(Math.floor(time % 1000)).padStart(3, '0')}`
