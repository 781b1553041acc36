import { lazy, Suspense, useState } from 'react'
import { useGraphicsDialogs } from '../client/graphicsFiles'
import { useQuestions } from '../client/passwords'
import { useRefused } from '../client/runElsewhere'
import { isOfMachine, showPlace, useLayout } from './layout'
import { useShellState } from './shellState'
import { useTour } from './tour'

const loadPalette = async () => ({ default: (await import('./palette/CommandPalette')).CommandPalette })
const CommandPalette = lazy(loadPalette)
const ConnectDialog = lazy(async () => ({
  default: (await import('../views/connections/ConnectDialog')).ConnectDialog,
}))
const RunElsewhereDialog = lazy(async () => ({
  default: (await import('../views/connections/RunElsewhereDialog')).RunElsewhereDialog,
}))
const Tour = lazy(async () => ({ default: (await import('./Tour')).Tour }))
const PasswordPrompt = lazy(async () => ({ default: (await import('./PasswordPrompt')).PasswordPrompt }))

const ExportDialog = lazy(async () => ({
  default: (await import('../views/graphicsFiles/ExportDialog')).ExportDialog,
}))
const ImportDialog = lazy(async () => ({
  default: (await import('../views/graphicsFiles/ImportDialog')).ImportDialog,
}))

/** Loaded early, so that the palette is there before the next key once it is asked for. */
export const prepareDialogs = (): void => void loadPalette()

const closeConnect = () => useShellState.setState({ connectIsOpen: false })

function showConnected(): void {
  closeConnect()
  const state = useLayout.getState()
  if (!isOfMachine(state, state.current)) void showPlace('machine')
}

export function Dialogs() {
  const wantsPalette = useHasBeen(useShellState((state) => state.paletteIsOpen))
  const connectIsOpen = useShellState((state) => state.connectIsOpen)
  const wantsConnect = useHasBeen(connectIsOpen)
  const wantsPassword = useHasBeen(useQuestions(({ questions }) => questions.length > 0))
  const wantsElsewhere = useHasBeen(useRefused(({ refused }) => refused !== null))
  const wantsTour = useHasBeen(useTour(({ step }) => step !== null))
  const wantsExport = useHasBeen(useGraphicsDialogs(({ exported }) => exported !== null))
  const wantsImport = useHasBeen(useGraphicsDialogs(({ imported }) => imported !== null))
  return (
    <Suspense>
      {wantsPalette ? <CommandPalette /> : null}
      {wantsConnect ? <ConnectDialog isOpen={connectIsOpen} onClose={closeConnect} onDone={showConnected} /> : null}
      {wantsExport ? <ExportDialog /> : null}
      {wantsImport ? <ImportDialog /> : null}
      {wantsElsewhere ? <RunElsewhereDialog /> : null}
      {wantsTour ? <Tour /> : null}
      {wantsPassword ? <PasswordPrompt /> : null}
    </Suspense>
  )
}

function useHasBeen(now: boolean): boolean {
  const [hasBeen, setHasBeen] = useState(now)
  if (now && !hasBeen) setHasBeen(true)
  return hasBeen || now
}
