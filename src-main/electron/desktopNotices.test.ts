import { describe, expect, it } from 'vitest'
import type { NoticePlace } from '@shared/contract/notices'
import { DesktopNotices, type WatchedRun } from './desktopNotices'

const about = (run: string): NoticePlace => ({ kind: 'need', project: 1, run, source: { file: 'a.md', line: 2 } })

interface Seen {
  readonly title: string
  readonly body: string
  isOpen: boolean
  click: () => void
  dismiss: () => void
}

function desktop(watched: () => WatchedRun | null = () => null, isInFront = () => true) {
  const shown: Seen[] = []
  const chosen: NoticePlace[] = []
  const notices = new DesktopNotices({
    show: (title, body) => {
      const one: Seen = { title, body, isOpen: true, click: () => undefined, dismiss: () => undefined }
      shown.push(one)
      return {
        close: () => (one.isOpen = false),
        onClick: (listener) => (one.click = listener),
        onClose: (listener) => (one.dismiss = listener),
      }
    },
    watched,
    isInFront,
    onChosen: (place) => chosen.push(place),
  })
  const open = () => shown.filter(({ isOpen }) => isOpen).map(({ title, body }) => [title, body])
  return { notices, shown, chosen, open }
}

const end = (run: string, body: string) => ({
  title: 'A run is done',
  body,
  about: { kind: 'run', project: 1, run } satisfies NoticePlace,
})

describe('the ends of runs', () => {
  it('are one notification until the person looks at the window, and lead to the run or the report', () => {
    const { notices, shown, chosen, open } = desktop()
    notices.notify(end('a', 'One · ncrew: done'))
    shown[0]?.click()
    notices.notify(end('b', 'Two · Maestro: done'))
    notices.notify(end('c', 'Three · Maestro: failed'))
    expect(open().at(-1)).toEqual(['3 runs ended', 'Three · Maestro: failed\nTwo · Maestro: done\nOne · ncrew: done'])
    expect(open()).toHaveLength(1)
    shown.at(-1)?.click()
    notices.seen()
    notices.notify(end('d', 'Four · ncrew: done'))
    expect(open().at(-1)).toEqual(['A run is done', 'Four · ncrew: done'])
    expect(chosen).toEqual([{ kind: 'run', project: 1, run: 'a' }, { kind: 'report' }])
  })

  it('take the place of what the run waits for, and are left out of the run that the person looks at', () => {
    let watched: WatchedRun | null = null
    const { notices, open } = desktop(() => watched)
    notices.notify({ title: 'A gate needs you', body: 'Go on?', about: about('a') })
    notices.notify({ title: 'A gate needs you', body: 'Of another', about: about('b') })
    notices.notify(end('a', 'One · ncrew: waits: Go on?'))
    watched = { project: 1, run: 'c' }
    notices.notify(end('c', 'Three · ncrew: done'))
    expect(open()).toEqual([
      ['A gate needs you', 'Of another'],
      ['A run is done', 'One · ncrew: waits: Go on?'],
    ])
  })
})

describe('a desktop notification', () => {
  it('leads to its place when it is chosen, and to none when it was closed', () => {
    const { notices, shown, chosen } = desktop()
    notices.notify({
      title: 'A question needs you',
      body: '<b>Which?</b>\u001b[31m\nTapes',
      about: about('ncrew:one'),
    })
    notices.notify({ title: 'A gate needs you', body: 'Go on?', about: about('ncrew:two') })
    expect(shown.map(({ body }) => body)).toEqual(['‹b›Which?‹/b› [31m\nTapes', 'Go on?'])
    shown[1]?.click()
    shown[0]?.dismiss()
    expect(chosen).toEqual([about('ncrew:two')])
  })

  it('tells what an agent asks only where the window is not in front', () => {
    let isInFront = true
    const { notices, open } = desktop(undefined, () => isInFront)
    const asked = { title: 'An agent asks you', body: 'coder', about: { kind: 'steering' } as const }
    notices.notify(asked)
    isInFront = false
    notices.notify(asked)
    expect(open()).toEqual([['An agent asks you', 'coder']])
  })

  it('is left out where the system has none', () => {
    const notices = new DesktopNotices({
      show: () => undefined,
      watched: () => null,
      isInFront: () => false,
      onChosen: () => undefined,
    })
    expect(() => notices.notify({ title: 'a', body: 'b', about: { kind: 'task', id: '0001_a' } })).not.toThrow()
  })
})
