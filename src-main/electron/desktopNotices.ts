import type { Payload } from '@shared/contract/contract'

/** Older ones are forgotten: clicking them does nothing. */
const MAX_SHOWN = 50

export interface Shown {
  onClick(listener: () => void): void
  onClose(listener: () => void): void
}

interface DesktopNoticesOptions {
  /** Undefined where the system has no notifications. */
  readonly show: (title: string, body: string) => Shown | undefined
  /** The person chose one. */
  readonly onChosen: (about: Payload<'window.showPlace'>) => void
}

/** Notifications of the desktop, each with its place in the window. */
export class DesktopNotices {
  readonly #options: DesktopNoticesOptions
  /** A notification that nobody refers to is no longer heard when it is clicked. */
  readonly #shown = new Set<Shown>()

  constructor(options: DesktopNoticesOptions) {
    this.#options = options
  }

  notify({ title, body, about }: Payload<'notice.raised'>): void {
    const shown = this.#options.show(visible(title), visible(body))
    if (!shown) return
    this.#shown.add(shown)
    for (const oldest of this.#shown) {
      if (this.#shown.size <= MAX_SHOWN) break
      this.#shown.delete(oldest)
    }
    const gone = () => this.#shown.delete(shown)
    shown.onClose(gone)
    shown.onClick(() => {
      gone()
      this.#options.onChosen(about)
    })
  }
}

/** A desktop may obey markup and control characters; what stands here was written by others. */
const visible = (text: string): string =>
  text
    .replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, ' ')
    .replaceAll('<', '‹')
    .replaceAll('>', '›')
