import type { ActionId } from '@shared/actions'
import type { ViewChoiceKey } from '../../client/viewChoices'
import type { ChosenSetting } from '../../views/settings/settingChoices'
import type { SettingRow } from '../../client/settingRows'

type SettingGoal =
  | { readonly to: 'setting'; readonly row: SettingRow; readonly value: null }
  | { readonly to: 'setting'; readonly row: ChosenSetting; readonly value: string }

export type Goal =
  | { readonly to: 'action'; readonly action: ActionId }
  /** `named` by the person: the machine that runs stays in front until the new one is live. */
  | { readonly to: 'machine'; readonly machine: string; readonly named: boolean }
  | { readonly to: 'address'; readonly address: number }
  | { readonly to: 'task'; readonly task: string }
  | { readonly to: 'run'; readonly project: number; readonly run: string | null }
  | { readonly to: 'recording'; readonly recording: string }
  | SettingGoal
  | { readonly to: 'choice'; readonly choice: ViewChoiceKey; readonly value: string }

export interface PaletteItem {
  /** Stays the same over a restart. */
  readonly key: string
  readonly kind: string
  readonly title: string
  readonly detail: string
  readonly also?: string | undefined
  readonly shortcut?: string
  readonly limit: string | null
  readonly goal: Goal
}
