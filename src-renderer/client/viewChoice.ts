import type { ViewName } from '@shared/views'

export interface ViewChoice {
  readonly view: ViewName
  /** Before the option's label in the command palette. */
  readonly title: string
  /** Of the control in its view. */
  readonly label: string
  /** Label of each value; the first is chosen until the person chooses. */
  readonly options: Readonly<Record<string, string>>
  readonly tips?: Readonly<Record<string, string>>
  /** What must be chosen as well for this to be seen. */
  readonly within?: Readonly<Record<string, string>>
}
