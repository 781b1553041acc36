import type { Fact, ValueSource } from '@shared/contract/orchestration'
import { counted, oneLine } from '@shared/countedText'

export { counted, oneLine }

export const placeOf = ({ file, line }: ValueSource): string => `${file}${line === undefined ? '' : `:${line}`}`

export const factText = ({ value }: Fact<string | number>): string =>
  value === null ? 'unknown' : oneLine(String(value))
