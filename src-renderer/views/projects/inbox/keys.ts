import { create } from 'zustand'

/** What a key in the list wants of the answer beside it: to go there, or the option with this number. */
type AnswerKey = 'answer' | number

interface InboxKeys {
  /** Pressed, and not carried out until the answer has come from the bridge. */
  readonly pressed: AnswerKey | null
}

export const useInboxKeys = create<InboxKeys>(() => ({ pressed: null }))

export const pressAnswer = (pressed: AnswerKey | null): void => useInboxKeys.setState({ pressed })

export const INBOX_ID = 'projects-inbox'

export function focusInbox(): void {
  document.querySelector<HTMLElement>(`#${INBOX_ID} [role=listbox]`)?.focus({ preventScroll: true })
}
