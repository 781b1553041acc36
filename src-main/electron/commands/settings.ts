import type { PathSetting } from '@shared/contract/settings'
import type { FileFilter } from '../dialogs'
import { anyFile } from './fileFilters'
import type { MainAreaHandlers, MainServices } from './services'

const pathDialogs: Record<PathSetting, { title: string; filters: FileFilter[] }> = {
  viceExecutable: { title: 'Choose VICE’s program (x64sc or x64)', filters: [anyFile] },
  kernalRom: { title: 'Choose a KERNAL ROM (8 KiB)', filters: [anyFile] },
  basicRom: { title: 'Choose a BASIC ROM (8 KiB)', filters: [anyFile] },
  characterRom: { title: 'Choose a character ROM (4 KiB)', filters: [anyFile] },
}

export const createSettingsHandlers = ({
  bridge,
  dialogs,
}: Pick<MainServices, 'bridge' | 'dialogs'>): MainAreaHandlers<'settings'> => ({
  'settings.choosePath': async ({ setting }, signal) => {
    const path = await dialogs.open('path', pathDialogs[setting].title, pathDialogs[setting].filters)
    return path === undefined
      ? bridge('settings.get', {}, signal)
      : bridge('settings.setPaths', { [setting]: path }, signal)
  },
  'settings.clearPath': ({ setting }, signal) => bridge('settings.setPaths', { [setting]: null }, signal),
})
