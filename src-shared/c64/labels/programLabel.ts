/** A name that a program’s assembler or compiler gave to an address. */

/** `label` where the file does not tell code from data; a constant is found by its name only. */
export const labelKinds = ['code', 'data', 'label', 'constant'] as const
export type LabelKind = (typeof labelKinds)[number]

export interface ProgramLabel {
  /** Without its scope. */
  readonly name: string
  /** The procedure or namespace that it is local to: `draw`, `main.draw`. */
  readonly scope: string | null
  readonly address: number
  /** Bytes; null where the file does not tell. */
  readonly size: number | null
  readonly kind: LabelKind
}

export const MAX_NAME_LENGTH = 200
export const MAX_SCOPE_LENGTH = 300

/** `draw.loop` */
export const fullNameOf = ({ scope, name }: Pick<ProgramLabel, 'scope' | 'name'>): string =>
  scope === null ? name : `${scope}.${name}`

/** Of listings and reports, which many tools write: only those with numbered lines of 64tass and ACME are read. */
export const listingEndings = ['lst', 'rep', 'report'] as const

/** The endings under which assemblers and compilers write labels and source lines. */
export const labelFileEndings = ['vs', 'lbl', 'labels', 'sym', 'dbg', 'dbj', 'elf', ...listingEndings] as const
