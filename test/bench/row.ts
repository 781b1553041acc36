/** One measured figure. */
export interface Row {
  readonly name: string
  readonly value: number
  readonly unit: string
  /** The same for the bare counterpart (a raw loop, an empty window), measured in the same run. */
  readonly bare?: number
  /** What the issue asks for, in words; a target, not a pass mark. */
  readonly target?: string
  readonly met?: boolean
  readonly note?: string
}

/** What each test/bench/<name>.ts exports as its default. Throws an Error in one sentence when it cannot measure. */
export type Bench = (options: BenchOptions) => Promise<Row[]>

export interface BenchOptions {
  /** How long to measure where that is a choice. */
  readonly minutes?: number
  /** How often the bridge is killed. */
  readonly kills?: number
  /** How many turns of agents a night has. */
  readonly turns?: number
}

/** The value below which a share `part` (0 to 1) of the values lies. */
export function percentile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}

export const median = (values: readonly number[]): number => percentile(values, 0.5)
