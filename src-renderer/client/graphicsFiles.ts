import { create } from 'zustand'
import { AppError, toFailure, type Failure } from '@shared/contract/errors'
import type { GraphicsFile } from '@shared/contract/graphics'
import { subjectsInFront, type FoundSubject } from './artworkSources'
import { call } from './call'

interface OpenedFile {
  readonly id: number
  readonly file: GraphicsFile | null
  readonly failure: Failure | null
}

interface GraphicsDialogs {
  /** At least one; null while the dialog is closed. */
  readonly exported: readonly FoundSubject[] | null
  readonly imported: OpenedFile | null
}

export const useGraphicsDialogs = create<GraphicsDialogs>(() => ({ exported: null, imported: null }))

export async function exportGraphics(): Promise<void> {
  const exported = await subjectsInFront()
  if (exported.length === 0)
    throw new AppError('CONFLICT', 'No view in front has graphics to export.', {
      hint: 'Show the workspace Graphics, with sprites, characters, a picture or the sheet.',
    })
  useGraphicsDialogs.setState({ exported })
}

export async function importGraphics(): Promise<void> {
  await open(async () => (await call('graphics.choose', {})).file)
}

export const importDropped = (grant: string): Promise<void> =>
  open(async () => (await call('graphics.readGranted', { grant })).file)

let nextId = 0

async function open(read: () => Promise<GraphicsFile | null>): Promise<void> {
  try {
    const file = await read()
    if (file !== null) useGraphicsDialogs.setState({ imported: { id: nextId++, file, failure: null } })
  } catch (error) {
    const failure = toFailure(error)
    useGraphicsDialogs.setState(({ imported }) => ({
      imported: imported ? { ...imported, failure } : { id: nextId++, file: null, failure },
    }))
  }
}
