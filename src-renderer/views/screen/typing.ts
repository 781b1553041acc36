import { create } from 'zustand'
import { machineInput } from './machineInput'
import { call } from '../../client/call'
import { requireFront } from '../../client/machineControl'
import { offerBasic } from '../../client/runElsewhere'
import { unshiftListing } from './listing'

/** Characters per call: few enough to end well before its deadline, and to cancel between calls. */
const CHUNK_CHARACTERS = 64

interface Typing {
  readonly progress: { readonly done: number; readonly total: number } | null
}

export const useTyping = create<Typing>(() => ({ progress: null }))

let controller: AbortController | undefined

export async function typeText(given: string): Promise<void> {
  const text = unshiftListing(given)
  const machine = requireFront()
  controller?.abort()
  const mine = new AbortController()
  controller = mine
  try {
    await machineInput.settled()
    for (let done = 0; done < text.length; done += CHUNK_CHARACTERS) {
      useTyping.setState({ progress: { done, total: text.length } })
      await call(
        'machine.typeText',
        { machine, text: text.slice(done, done + CHUNK_CHARACTERS) },
        { signal: mine.signal },
      )
    }
  } finally {
    if (controller === mine) {
      controller = undefined
      useTyping.setState({ progress: null })
    }
  }
}

export function cancelTyping(): void {
  controller?.abort()
}

export async function typeClipboard(): Promise<void> {
  const { text } = await call('window.readClipboardText', {})
  if (text !== '' && !offerBasic(unshiftListing(text))) await typeText(text)
}
