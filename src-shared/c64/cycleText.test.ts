import { expect, it } from 'vitest'
import { cycleText } from './cycleText'

it.each([
  [0, '0 cycles'],
  [1, '1 cycle'],
  [999, '999 cycles'],
  [4_000, '4.1 ms'],
  [985_248, '1.00 s'],
  [59 * 985_248, '59.00 s'],
  [125 * 985_248, '2:05'],
])('%i cycles of PAL are %s', (cycles, text) => {
  expect(cycleText(cycles, 985_248)).toBe(text)
})
