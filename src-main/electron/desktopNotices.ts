import type { Payload } from '@shared/contract/contract'

type Notice = Payload<'notice.raised'>

export interface WatchedRun {
  readonly project: number
  readonly run: string
}

/** Clicking an older notification does nothing. */
const MAX_SHOWN = 50

export interface Shown {
  close(): void
  onClick(listener: () => void): void
  onClose(listener: () => void): void
}

interface DesktopNoticesOptions {
  readonly show: (title: string, body: string) => Shown | undefined
  readonly watched: () => WatchedRun | null
  readonly isInFront: () => boolean
  readonly onChosen: (about: Notice['about']) => void
}

export class DesktopNotices {
  readonly #options: DesktopNoticesOptions
  /** Keeps references: a notification that is garbage-collected no longer reports clicks. */
  readonly #shown = new Map<Shown, Notice['about']>()
  #ends: Notice[] = []
  #summary: Shown | undefined

  constructor(options: DesktopNoticesOptions) {
    this.#options = options
  }

  notify(notice: Notice): void {
    const { about } = notice
    if (about.kind === 'steering' && this.#options.isInFront()) return
    if (about.kind !== 'run' && about.kind !== 'report') {
      this.#show(notice)
      return
    }
    const watched = this.#options.watched()
    if (watched && about.kind === 'run' && about.project === watched.project && about.run === watched.run) return
    for (const [shown, other] of this.#shown) if (isNeedOf(other, about)) this.#close(shown)
    this.#ends.unshift(notice)
    if (this.#summary) this.#close(this.#summary)
    this.#summary = this.#show(summed(this.#ends) ?? notice)
  }

  seen(): void {
    this.#ends = []
    this.#summary = undefined
  }

  #show({ title, body, about }: Notice): Shown | undefined {
    const shown = this.#options.show(visible(title), visible(body))
    if (!shown) return undefined
    this.#shown.set(shown, about)
    for (const oldest of this.#shown.keys()) {
      if (this.#shown.size <= MAX_SHOWN) break
      this.#shown.delete(oldest)
    }
    const gone = () => this.#shown.delete(shown)
    shown.onClose(gone)
    shown.onClick(() => {
      gone()
      this.#options.onChosen(about)
    })
    return shown
  }

  #close(shown: Shown): void {
    this.#shown.delete(shown)
    shown.close()
  }
}

const isNeedOf = (need: Notice['about'], run: Notice['about']): boolean =>
  need.kind === 'need' && run.kind === 'run' && need.project === run.project && need.run === run.run

function summed(ends: readonly Notice[]): Notice | undefined {
  if (ends.length < 2) return undefined
  const body = ends.map(({ body }) => body).join('\n')
  return { title: `${ends.length} runs ended`, body: body.slice(0, 600), about: { kind: 'report' } }
}

/** Untrusted text: a desktop might interpret control characters and markup. */
const visible = (text: string): string =>
  text
    .replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, ' ')
    .replaceAll('<', '‹')
    .replaceAll('>', '›')
