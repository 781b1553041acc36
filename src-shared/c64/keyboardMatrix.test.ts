import { expect, it } from 'vitest'
import { c64Keys, matrixPosition } from './keyboardMatrix'

it('puts every key but RESTORE at its own place of the 8 by 8 matrix', () => {
  const places = c64Keys.filter((key) => key !== 'restore').map((key) => JSON.stringify(matrixPosition(key)))
  expect(new Set(places).size).toBe(64)
  expect(matrixPosition('restore')).toBeNull()
})

it('knows the keys that programs scan most', () => {
  expect(matrixPosition('inst_del')).toEqual({ column: 0, row: 0 })
  expect(matrixPosition('left_shift')).toEqual({ column: 1, row: 7 })
  expect(matrixPosition('space')).toEqual({ column: 7, row: 4 })
  expect(matrixPosition('run_stop')).toEqual({ column: 7, row: 7 })
})
