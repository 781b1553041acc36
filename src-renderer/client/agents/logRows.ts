import type { LogStep } from '@shared/contract/agents'

export type LogRow = { readonly step: number } | { readonly line: number }

export interface LogRows {
  readonly count: number
  readonly at: (row: number) => LogRow
  readonly rowOf: (line: number) => number
  readonly stepOf: (line: number) => number | undefined
}

export function logRows(
  steps: readonly Pick<LogStep, 'line'>[],
  isOpen: (step: number) => boolean,
  total: number,
): LogRows {
  // Its lines may be counted later than its steps.
  const known = steps.filter(({ line }) => line < total)
  if (known.length === 0)
    return { count: total, at: (row) => ({ line: row }), rowOf: (line) => line, stepOf: () => undefined }
  const firstLines = known.map(({ line }) => line)
  const firstRows: number[] = []
  let count = 0
  for (const [step, line] of firstLines.entries()) {
    firstRows.push(count)
    count += 1 + (isOpen(step) ? (firstLines[step + 1] ?? total) - line : 0)
  }
  const stepOf = (line: number) => lastUpTo(firstLines, line)
  return {
    count,
    at: (row) => {
      const step = lastUpTo(firstRows, row)
      const below = row - (firstRows[step] ?? 0)
      return below === 0 ? { step } : { line: (firstLines[step] ?? 0) + below - 1 }
    },
    rowOf: (line) => {
      const step = stepOf(line)
      return (firstRows[step] ?? 0) + 1 + line - (firstLines[step] ?? 0)
    },
    stepOf,
  }
}

/** 0 where all are above `value`. */
function lastUpTo(numbers: readonly number[], value: number): number {
  let low = 0
  let high = numbers.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((numbers[middle] ?? 0) <= value) low = middle
    else high = middle - 1
  }
  return low
}
