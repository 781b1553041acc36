import type { SavedFile } from '@shared/contract/savedFile'
import { visibleText } from '../widgets/visibleText'
import { call } from './call'
import { attempt, notify } from './messages'

export function notifySaved(saved: SavedFile | null, remark = ''): void {
  if (saved === null) return
  const { name, path, grant } = saved
  notify(`${visibleText(name)} saved.`, [remark, visibleText(path)].filter(Boolean).join(' '), {
    label: 'Show in folder',
    run: () => attempt(() => call('window.showSaved', { grant })),
  })
}

export const fileNameOf = (name: string): string =>
  name
    .replaceAll(/[^\w. -]+/g, '')
    .trim()
    .slice(0, 100) || 'graphics'
