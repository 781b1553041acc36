import { useEffect, useEffectEvent } from 'react'
import { showView } from '../../client/navigation'

interface MemoryCommands {
  readonly undo: () => void
  readonly redo: () => void
  readonly askAddress: () => void
  /** Goes to the address that the text names. */
  readonly goTo: (text: string) => void
}

let mounted: MemoryCommands | undefined

/** The memory view carries these out while it is mounted. */
export function useMemoryCommands(commands: MemoryCommands): void {
  const current = useEffectEvent(() => commands)
  useEffect(() => {
    const registered: MemoryCommands = {
      undo: () => current().undo(),
      redo: () => current().redo(),
      askAddress: () => current().askAddress(),
      goTo: (text) => current().goTo(text),
    }
    mounted = registered
    return () => {
      if (mounted === registered) mounted = undefined
    }
  }, [])
}

/** Shows the memory view and has it do something. */
export async function inMemoryView(command: (commands: MemoryCommands) => void): Promise<void> {
  await showView('memory')
  if (mounted) command(mounted)
}
