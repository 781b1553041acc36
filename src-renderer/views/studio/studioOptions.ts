import { z } from 'zod'
import { MAX_GRID, photoDefaults, type PhotoOptions } from '@shared/graphics/photo/options'
import { chosenNow, useChosen } from '../../client/chosen'
import { memoized, setViewValue, useViewState, viewValue } from '../../client/viewState'
import { currentColours, useColours } from '../../frames/screenOptions'

const colour = z.int().min(0).max(15).nullable().catch(null)
const amount = z.int().min(-100).max(100).catch(0)
const position = z.number().min(0).max(1).catch(0.5)
const grid = (first: number) => z.int().min(1).max(MAX_GRID).catch(first)

const numbersSchema = z.object({
  x: position,
  y: position,
  brightness: amount,
  contrast: amount,
  saturation: amount,
  strength: z.int().min(0).max(100).catch(photoDefaults.strength),
  columns: grid(4),
  rows: grid(2),
  background: colour,
  multicolour1: colour,
  multicolour2: colour,
})
export type StudioNumbers = z.infer<typeof numbersSchema>

const KEY = 'studio.numbers'
const readNumbers = memoized((stored: unknown): StudioNumbers => numbersSchema.parse(stored ?? {}))

export const useStudioNumbers = () => useViewState(KEY, readNumbers)[0]

export const changeNumbers = (changes: Partial<StudioNumbers>): void =>
  setViewValue(KEY, { ...viewValue(KEY, readNumbers), ...changes })

export const resetNumbers = (): void =>
  changeNumbers({ x: 0.5, y: 0.5, brightness: 0, contrast: 0, saturation: 0, strength: photoDefaults.strength })

export function currentOptions(name: string): PhotoOptions {
  return {
    ...viewValue(KEY, readNumbers),
    target: chosenNow('studio.target'),
    fit: chosenNow('studio.fit'),
    dither: chosenNow('studio.dither'),
    aspect: chosenNow('studio.aspect'),
    palette: currentColours(),
    name,
  }
}

export function useOptionsStamp(): string {
  const numbers = useStudioNumbers()
  const [target] = useChosen('studio.target')
  const [fit] = useChosen('studio.fit')
  const [dither] = useChosen('studio.dither')
  const [aspect] = useChosen('studio.aspect')
  return JSON.stringify([numbers, target, fit, dither, aspect, useColours()])
}
