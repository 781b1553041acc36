import { useEffect, useSyncExternalStore } from 'react'
import { spaces as allSpaces, type Space } from '@shared/contract/memory'
import { onThemeChange } from '../widgets/themeColours'
import { FrameStore, type FrameSummary } from './frameStore'

export const frames = new FrameStore()

onThemeChange(() => frames.requestDraw())

/** Renders anew at most ten times a second. */
export const useFrameSummary = (): FrameSummary => useSyncExternalStore(frames.onSummary, frames.summary)

/** Only while `visible`. `spaces` is compared by content. */
export function useFrameWish(visible: boolean, spaces: readonly Space[], picture = false): void {
  const wanted = spaces.join()
  useEffect(() => {
    if (!visible) return undefined
    return frames.want({ spaces: allSpaces.filter((space) => wanted.split(',').includes(space)), picture })
  }, [visible, wanted, picture])
}

/** Only while `visible`. Pass a stable function (`useCallback`). */
export function useDraw(visible: boolean, draw: (now: number) => void): void {
  useEffect(() => (visible ? frames.onDraw(draw) : undefined), [visible, draw])
}
