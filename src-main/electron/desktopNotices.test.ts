import { describe, expect, it } from 'vitest'
import type { NoticePlace } from '@shared/contract/notices'
import { DesktopNotices } from './desktopNotices'

const about = (run: string): NoticePlace => ({ kind: 'need', project: 1, run, source: { file: 'a.md', line: 2 } })

describe('a desktop notification', () => {
  it('leads to its place when it is chosen, and to none when it was closed', () => {
    const shown: { title: string; body: string; click: () => void; close: () => void }[] = []
    const chosen: NoticePlace[] = []
    const notices = new DesktopNotices({
      show: (title, body) => {
        const one = { title, body, click: (): void => undefined, close: (): void => undefined }
        shown.push(one)
        return { onClick: (listener) => (one.click = listener), onClose: (listener) => (one.close = listener) }
      },
      onChosen: (place) => chosen.push(place),
    })
    notices.notify({
      title: 'A question needs you',
      body: '<b>Which?</b>\u001b[31m\nTapes',
      about: about('ncrew:one'),
    })
    notices.notify({ title: 'A gate needs you', body: 'Go on?', about: about('ncrew:two') })
    expect(shown.map(({ body }) => body)).toEqual(['‹b›Which?‹/b› [31m\nTapes', 'Go on?'])
    shown[1]?.click()
    shown[0]?.close()
    expect(chosen).toEqual([about('ncrew:two')])
  })

  it('is left out where the system has none', () => {
    const notices = new DesktopNotices({ show: () => undefined, onChosen: () => undefined })
    expect(() => notices.notify({ title: 'a', body: 'b', about: { kind: 'task', id: '0001_a' } })).not.toThrow()
  })
})
