import { create } from 'zustand'

/** Typed text that the machine has not taken yet; it outlives the view, the category and the connection. */
const useDrafts = create<Readonly<Record<string, string>>>(() => ({}))

export function useDraft(key: string): [string | undefined, (text: string | undefined) => void] {
  return [useDrafts((drafts) => drafts[key]), (text) => setDraft(key, text)]
}

function setDraft(key: string, text: string | undefined): void {
  useDrafts.setState((drafts) => {
    const others = Object.entries(drafts).filter(([other]) => other !== key)
    return Object.fromEntries(text === undefined ? others : [...others, [key, text]])
  }, true)
}

export function settleDraft(key: string, text: string): void {
  if (useDrafts.getState()[key] === text) setDraft(key, undefined)
}
