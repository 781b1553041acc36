import type { ValueSource } from '@shared/contract/orchestration'

export interface TimelineRow {
  readonly label: string
  /** ms since 1970. */
  readonly from: number
  /** Equal to `from` for a moment; null where the files have no end. */
  readonly to: number | null
  readonly tone: 'ok' | 'warn' | 'bad' | 'muted' | 'accent'
  readonly note: string
  readonly source: ValueSource | null
  readonly key: string | null
}
