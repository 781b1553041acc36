/** Parts of a run as text for the terminal. */
import type { Fact, ValueSource } from '@shared/contract/orchestration'

export const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ')

export const placeOf = ({ file, line }: ValueSource): string => `${file}${line === undefined ? '' : `:${line}`}`

/** `1 run`, `2 runs` */
export const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`

export const factText = ({ value }: Fact<string | number>): string =>
  value === null ? 'unknown' : oneLine(String(value))
