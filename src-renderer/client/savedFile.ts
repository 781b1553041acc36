import type { SavedFile } from '@shared/contract/savedFile'
import { visibleText } from '../widgets/visibleText'
import { call } from './call'
import { attempt, notify } from './messages'

/** Says where a file was saved, and offers to show it there. @param saved null when the person cancelled */
export function notifySaved(saved: SavedFile | null, remark = ''): void {
  if (saved === null) return
  const { name, path, grant } = saved
  notify(`${visibleText(name)} saved.`, [remark, visibleText(path)].filter(Boolean).join(' '), {
    label: 'Show in folder',
    run: () => attempt(() => call('window.showSaved', { grant })),
  })
}

/** As the name of a file may have it, without an ending. */
export const fileNameOf = (name: string): string =>
  name
    .replaceAll(/[^\w. -]+/g, '')
    .trim()
    .slice(0, 100) || 'graphics'
