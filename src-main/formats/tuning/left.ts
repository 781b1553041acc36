/** Specification 004 has no status for a run that was left: this is remembered beside the files. */
import type { Remembered } from '../format'

const LEFT = 'left'

export const isLeft = (remembered: Remembered): boolean => remembered.get(LEFT) !== undefined

export const rememberLeft = (isLeft: boolean): Readonly<Record<string, string | null>> => ({
  [LEFT]: isLeft ? 'yes' : null,
})
