/** `label` where the file does not tell code from data; a constant is found by its name only. */
export const labelKinds = ['code', 'data', 'label', 'constant'] as const
export type LabelKind = (typeof labelKinds)[number]

export interface ProgramLabel {
  readonly name: string
  readonly scope: string | null
  readonly address: number
  /** Bytes; null where the file does not tell. */
  readonly size: number | null
  readonly kind: LabelKind
}

export const MAX_NAME_LENGTH = 200
export const MAX_SCOPE_LENGTH = 300

export const fullNameOf = ({ scope, name }: Pick<ProgramLabel, 'scope' | 'name'>): string =>
  scope === null ? name : `${scope}.${name}`

/**
 * Endings of listings and reports, which many tools write: only those of 64tass and ACME with numbered lines are read.
 */
export const listingEndings = ['lst', 'rep', 'report'] as const

export const labelFileEndings = ['vs', 'lbl', 'labels', 'sym', 'dbg', 'dbj', 'elf', ...listingEndings] as const
