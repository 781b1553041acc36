/** How long a step of the search for a value takes over 64 KiB: the first ones, which have the most candidates. */
import { firstStep, nextStep, type ValueSize } from '../../src-shared/c64/search/valueSearch'
import { median, type Row } from './row'

const SIZE = 0x10000
const ROUNDS = 51

const before = Uint8Array.from({ length: SIZE }, (_, address) => address & 0xff)
/** One byte in a hundred differs, so that most candidates stay. */
const after = before.map((byte, address) => (address % 100 === 0 ? byte + 1 : byte))

export default function valueSearch(): Promise<Row[]> {
  const sizes: readonly ValueSize[] = [1, 2]
  const conditions = ['unchanged', 'up 1', '= 7']
  return Promise.resolve(
    sizes.flatMap((size) =>
      conditions.map((condition) => {
        const first = firstStep(before, size)
        const times = Array.from({ length: ROUNDS }, () => {
          const started = performance.now()
          nextStep(first, after, condition, size)
          return performance.now() - started
        })
        const value = median(times)
        const name = `“${condition}” over 64 KiB, ${size === 1 ? 'bytes' : 'words'}`
        return { name, value, unit: 'ms', target: 'under 5 ms', met: value < 5 }
      }),
    ),
  )
}
