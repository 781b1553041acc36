import type { ViewName } from '@shared/views'

export interface ViewChoice {
  readonly view: ViewName
  readonly title: string
  readonly label: string
  readonly options: Readonly<Record<string, string>>
  readonly tips?: Readonly<Record<string, string>>
  readonly within?: Readonly<Record<string, string>>
}
