import { useCallback, useMemo, useRef, useState } from 'react'
import { useChosen } from '../../client/chosen'
import { oneOf, useViewState } from '../../client/viewState'
import { useDraw } from '../../frames/frames'
import type { TextColumn } from './hexGrid/rows'
import { SCREEN_AFTER_POWER_ON, screenNow } from '../../frames/places'

const SCREEN_INTERVAL_MS = 100

const readSet = oneOf<TextColumn['set']>('upper', 'lower')

export function useTextColumn(visible: boolean) {
  const [kind] = useChosen('memory.text')
  const [set, setSet] = useViewState('memory.characterSet', readSet)
  const screen = useScreenPlace(visible && kind === 'auto')
  const text = useMemo(() => ({ kind, set, screen }), [kind, set, screen])
  return {
    text,
    switchCase: () => setSet(set === 'lower' ? 'upper' : 'lower'),
  }
}

export type TextColumnChoice = ReturnType<typeof useTextColumn>

/** A place must be seen twice in a row, so that a program with several screens in one frame causes no flicker. */
function useScreenPlace(visible: boolean): number {
  const [screen, setScreen] = useState(SCREEN_AFTER_POWER_ON)
  const last = useRef({ at: -Infinity, screen: SCREEN_AFTER_POWER_ON })
  useDraw(
    visible,
    useCallback((now: number) => {
      if (now - last.current.at < SCREEN_INTERVAL_MS) return
      const found = screenNow()
      if (found === last.current.screen) setScreen(found)
      last.current = { at: now, screen: found }
    }, []),
  )
  return screen
}
