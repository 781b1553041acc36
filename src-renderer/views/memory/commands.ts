import { useEffect, useEffectEvent, type RefObject } from 'react'
import { showView } from '../../client/navigation'

interface MemoryCommands {
  readonly undo: () => void
  readonly redo: () => void
  readonly askAddress: () => void
  readonly search: () => void
  readonly showLabels: () => void
  readonly goTo: (text: string) => void
  readonly openPane: () => void
  readonly openZeroPage: () => void
  readonly closePane: () => void
  readonly nextPane: () => void
}

interface Mounted {
  readonly commands: () => MemoryCommands
  readonly isShown: () => boolean
}

const mounted = new Set<Mounted>()

/** Carried out while the view is mounted; in several workspaces, by the one that is shown. */
export function useMemoryCommands(commands: MemoryCommands, element: RefObject<HTMLElement | null>): void {
  const current = useEffectEvent(() => commands)
  useEffect(() => {
    const registered: Mounted = {
      commands: () => current(),
      isShown: () => element.current?.checkVisibility() === true,
    }
    mounted.add(registered)
    return () => void mounted.delete(registered)
  }, [element])
}

export async function inMemoryView(command: (commands: MemoryCommands) => void): Promise<void> {
  await showView('memory')
  const shown = [...mounted].find(({ isShown }) => isShown())
  if (shown) command(shown.commands())
}
