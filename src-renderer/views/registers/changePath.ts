import type { ByteWrite } from '@shared/contract/timeTravel'

const WIDTH = 100
const HEIGHT = 16

/**
 * The steps of a byte's value as an SVG path in 100 by 16: from the first change to `now`, 0 below and 255 above.
 * @param changes newest first
 */
export function changePath(changes: readonly Pick<ByteWrite, 'clock' | 'from' | 'to'>[], now: number): string {
  const steps = changes.toReversed()
  const [first] = steps
  if (!first) return ''
  const x = (clock: number): string => (((clock - first.clock) / Math.max(1, now - first.clock)) * WIDTH).toFixed(1)
  const y = (value: number): string => (HEIGHT - (value / 255) * HEIGHT).toFixed(1)
  return [
    `M0 ${y(first.from ?? first.to)}`,
    ...steps.map(({ clock, to }) => `H${x(clock)}V${y(to)}`),
    `H${WIDTH}`,
  ].join('')
}
