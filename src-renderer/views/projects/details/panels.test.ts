import { systems } from '@shared/contract/orchestration'
import { expect, it } from 'vitest'

it('has a panel for every format, found by its name', () => {
  const files = Object.keys(import.meta.glob('./formats/*.tsx'))
  expect(files.sort()).toEqual(systems.map((system) => `./formats/${system}.tsx`).sort())
})
