/** `2026-11-23 15:01`, in this computer's time zone. @param time ms since 1970 */
export const localTime = (time: number): string => new Date(time).toLocaleString('sv-SE').slice(0, 16)
