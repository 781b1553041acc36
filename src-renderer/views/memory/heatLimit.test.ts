import { expect, it } from 'vitest'
import { heatLimit } from './heatLimit'

it('Each memory has its own heat where a machine tells all that its CPU does', () => {
  const limited = (told: 'none' | 'bus' | 'all') =>
    (['cpu', 'ram', 'rom', 'io'] as const).filter((space) => heatLimit('accesses', told, space) !== null)
  expect([limited('all'), limited('bus'), limited('none')]).toEqual([
    [],
    ['ram', 'rom', 'io'],
    ['cpu', 'ram', 'rom', 'io'],
  ])
})

it('Changes are known everywhere, and what runs only where the machine tells it', () => {
  expect(heatLimit('changes', 'none', 'rom')).toBeNull()
  expect([heatLimit('runs', 'bus', 'cpu'), heatLimit('runs', 'all', 'cpu')]).toEqual([expect.any(String), null])
})
