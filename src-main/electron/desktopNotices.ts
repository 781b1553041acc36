import type { Payload } from '@shared/contract/contract'

/** Clicking an older notification does nothing. */
const MAX_SHOWN = 50

export interface Shown {
  onClick(listener: () => void): void
  onClose(listener: () => void): void
}

interface DesktopNoticesOptions {
  /** Undefined where the system has no notifications. */
  readonly show: (title: string, body: string) => Shown | undefined
  /** The user clicked a notification. */
  readonly onChosen: (about: Payload<'window.showPlace'>) => void
}

/** Shows desktop notifications, each of which leads to its place in the window. */
export class DesktopNotices {
  readonly #options: DesktopNoticesOptions
  /** Keeps references: a notification that is garbage-collected no longer reports clicks. */
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

/** Untrusted text without control characters and markup, which a desktop might interpret. */
const visible = (text: string): string =>
  text
    .replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, ' ')
    .replaceAll('<', '‹')
    .replaceAll('>', '›')
