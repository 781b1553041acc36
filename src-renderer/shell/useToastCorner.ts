import { useLayoutEffect, useState, type RefObject } from 'react'
import { freeCorner, type Box, type Corner } from './toastCorner'

/** Around the pointer, CSS px, for what it is about to click. */
const POINTER_ROOM = 40

/** As `--above-views`, CSS px. */
const ABOVE_VIEWS = 144

let pointer: Box | null = null

window.addEventListener(
  'pointermove',
  ({ clientX, clientY, target }) => {
    const isInToast = target instanceof Element && target.closest('.toasts') !== null
    pointer = isInToast
      ? null
      : {
          left: clientX - POINTER_ROOM,
          top: clientY - POINTER_ROOM,
          right: clientX + POINTER_ROOM,
          bottom: clientY + POINTER_ROOM,
        }
  },
  { passive: true },
)

function inUse(): Box[] {
  const focused = document.activeElement
  const hasFocus = focused !== null && focused !== document.body && !focused.closest('.toasts, .dialog')
  return [...(hasFocus ? [focused.getBoundingClientRect()] : []), ...(pointer ? [pointer] : [])]
}

/** Chosen when the first toast comes, kept while any is there, and after that while nothing there is in use. */
export function useToastCorner(toasts: RefObject<HTMLElement | null>, isAny: boolean): Corner {
  const [corner, setCorner] = useState<Corner>('bottom right')
  useLayoutEffect(() => {
    const views = document.querySelector('.workspaces')?.getBoundingClientRect()
    const box = toasts.current?.getBoundingClientRect()
    if (!isAny || !views || !box) return
    const { left, right, bottom } = views
    const room = { left, right, bottom, top: views.top + ABOVE_VIEWS }
    setCorner((last) => freeCorner(room, box.width, box.height, inUse(), last))
  }, [isAny, toasts])
  return corner
}
