import type { ValueSource } from '@shared/contract/orchestration'

export interface TimelineRow {
  readonly label: string
  /** ms since 1970. */
  readonly from: number
  /** Equal to `from` for a moment; null for what has begun and has no end in the files. */
  readonly to: number | null
  readonly tone: 'ok' | 'warn' | 'bad' | 'muted' | 'accent'
  /** What more there is to say, such as a result. */
  readonly note: string
  readonly source: ValueSource | null
  /** Key of its row in the plan. */
  readonly key: string | null
}
