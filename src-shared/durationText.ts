/** ms as `12 s`, `3:05`, `2:03:05` or `4 d 2 h`; empty for null. */
export function durationText(ms: number | null): string {
  if (ms === null) return ''
  const seconds = Math.round(ms / 1000)
  if (seconds < 60) return `${seconds} s`
  const two = (number: number): string => String(number).padStart(2, '0')
  const [minutes, hours, days] = [Math.floor(seconds / 60), Math.floor(seconds / 3600), Math.floor(seconds / 86_400)]
  if (hours === 0) return `${minutes}:${two(seconds % 60)}`
  return days === 0 ? `${hours}:${two(minutes % 60)}:${two(seconds % 60)}` : `${days} d ${hours % 24} h`
}
