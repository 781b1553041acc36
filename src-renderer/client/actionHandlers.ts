import { useEffect, useEffectEvent } from 'react'
import type { ActionId } from '@shared/actions'

type Handler = () => void
const handlers = new Map<ActionId, Handler>()
let gotoHandler: ((text: string) => void) | undefined

export const handlerOf = (id: ActionId): Handler | undefined => handlers.get(id)
export const handleGoto = (text: string): void => gotoHandler?.(text)

/** The view that owns an action carries it out while it is mounted, such as the memory view `memory.undo`. */
export function useActionHandler(id: ActionId, handler: Handler): void {
  const handle = useEffectEvent(handler)
  useEffect(() => {
    const registered = () => handle()
    handlers.set(id, registered)
    return () => {
      if (handlers.get(id) === registered) handlers.delete(id)
    }
  }, [id])
}

/** The memory view hears `goto $d020` of the command palette; the text is what followed the word. */
export function useGoto(handler: (text: string) => void): void {
  const handle = useEffectEvent(handler)
  useEffect(() => {
    const registered = (text: string) => handle(text)
    gotoHandler = registered
    return () => {
      if (gotoHandler === registered) gotoHandler = undefined
    }
  }, [])
}
