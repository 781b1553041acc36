import { showView } from './navigation'
import { idOfRow, type SettingRow } from './settingRows'

export async function showSetting(row: SettingRow): Promise<void> {
  await showView('settings')
  const element = document.getElementById(idOfRow(row))
  element?.scrollIntoView({ block: 'center' })
  element?.querySelector<HTMLElement>('input, select, button')?.focus({ preventScroll: true })
}
