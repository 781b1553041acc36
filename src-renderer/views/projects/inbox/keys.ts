import { create } from 'zustand'

type AnswerKey = 'answer' | number

interface InboxKeys {
  /** Not carried out until the answer has come from the bridge. */
  readonly pressed: AnswerKey | null
}

export const useInboxKeys = create<InboxKeys>(() => ({ pressed: null }))

export const pressAnswer = (pressed: AnswerKey | null): void => useInboxKeys.setState({ pressed })

export const INBOX_ID = 'projects-inbox'

export function focusInbox(): void {
  document.querySelector<HTMLElement>(`#${INBOX_ID} [role=listbox]`)?.focus({ preventScroll: true })
}
