import { lazy, Suspense, useState } from 'react'
import { useQuestions } from '../client/passwords'
import { useShellState } from './shellState'

const loadPalette = async () => ({ default: (await import('./CommandPalette')).CommandPalette })
const CommandPalette = lazy(loadPalette)
const PasswordPrompt = lazy(async () => ({ default: (await import('./PasswordPrompt')).PasswordPrompt }))

/** So that the palette is there before the next key once it is asked for. */
export const prepareDialogs = (): void => void loadPalette()

/** The dialogs of the whole window: each is fetched when it is opened first, and stays. */
export function Dialogs() {
  const wantsPalette = useHasBeen(useShellState((state) => state.paletteIsOpen))
  const wantsPassword = useHasBeen(useQuestions(({ questions }) => questions.length > 0))
  return (
    <Suspense>
      {wantsPalette ? <CommandPalette /> : null}
      {wantsPassword ? <PasswordPrompt /> : null}
    </Suspense>
  )
}

function useHasBeen(now: boolean): boolean {
  const [hasBeen, setHasBeen] = useState(now)
  if (now && !hasBeen) setHasBeen(true)
  return hasBeen || now
}
