import { expect, it } from 'vitest'
import { isAbsence } from './absence'

it('Ten minutes without the window are an absence, and the first start is none', () => {
  expect([isAbsence(null, 600_000), isAbsence(1, 600_000), isAbsence(1, 600_001)]).toEqual([false, false, true])
})
