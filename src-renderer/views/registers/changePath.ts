import type { ByteWrite } from '@shared/contract/timeTravel'

const WIDTH = 100
const HEIGHT = 16

/**
 * An SVG path in 100 by 16: a step for each change, oldest first, up to the largest value.
 * @param changes newest first
 */
export function changePath(changes: readonly Pick<ByteWrite, 'from' | 'to'>[]): string {
  const steps = changes.toReversed()
  const [first] = steps
  if (!first) return ''
  const values = [first.from ?? first.to, ...steps.map(({ to }) => to)]
  const largest = Math.max(1, ...values)
  const x = (step: number): string => ((step / values.length) * WIDTH).toFixed(1)
  const y = (value: number): string => (HEIGHT - (value / largest) * HEIGHT).toFixed(1)
  return values.map((value, step) => `${step === 0 ? 'M0 ' : 'V'}${y(value)}H${x(step + 1)}`).join('')
}
