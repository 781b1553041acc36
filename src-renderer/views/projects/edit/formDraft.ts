import type { EditValues } from '@shared/contract/edits'
import { isSameValue } from './actionFields'

/**
 * Kept outside React: a draft that has just come in and is not drawn yet must not be taken for a form that was emptied.
 */
export class FormDraft {
  readonly #store: (values: EditValues | null) => void
  #typed: EditValues
  #kept: EditValues = {}
  #isLoaded: boolean

  /**
   * @param typed what the form starts with; null when the kept draft is still to come, by {@link load}
   * @param store keeps the values; null when there are none any more
   */
  constructor(typed: EditValues | null, store: (values: EditValues | null) => void) {
    this.#store = store
    this.#typed = typed ?? {}
    this.#isLoaded = typed !== null
  }

  get typed(): EditValues {
    return this.#typed
  }

  /** What was typed meanwhile takes precedence. */
  load(kept: EditValues): void {
    this.#isLoaded = true
    this.#kept = kept
    this.#typed = { ...kept, ...this.#typed }
    this.keep()
  }

  type(name: string, value: EditValues[string]): void {
    this.#typed = { ...this.#typed, [name]: value }
  }

  clear(): void {
    this.#typed = {}
  }

  /** Keeps nothing before the stored draft has come: the two must be merged first. */
  keep(): void {
    if (!this.#isLoaded || isSameValue(this.#typed, this.#kept)) return
    this.#kept = this.#typed
    this.#store(Object.keys(this.#typed).length === 0 ? null : this.#typed)
  }
}
