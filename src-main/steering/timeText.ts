/**
 * Such as 14:03:07.
 * @param time ms since 1970
 */
export const timeText = (time: number): string => new Date(time).toTimeString().slice(0, 8)
