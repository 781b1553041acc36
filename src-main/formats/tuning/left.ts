/** A run that the person left: specification 004 has no status for it, so that Bridgedeck remembers it beside the files. */
import type { Remembered } from '../format'

const LEFT = 'left'

export const isLeft = (remembered: Remembered): boolean => remembered.get(LEFT) !== undefined

export const rememberLeft = (isLeft: boolean): Readonly<Record<string, string | null>> => ({
  [LEFT]: isLeft ? 'yes' : null,
})
