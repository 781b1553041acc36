import { create } from 'zustand'
import { toFailure, type Failure } from '@shared/contract/errors'
import type { Artifact } from '@shared/contract/tasks'
import { readArtifact } from '../../client/artifacts'
import type { ExportSubject } from '../../client/artworkSources'
import { call } from '../../client/call'
import { editInSheet } from '../../client/editInSheet'
import { notify } from '../../client/messages'
import { showView } from '../../client/navigation'
import { addToSheet } from '../../client/sheet'
import { refreshTasks } from '../../client/tasks'
import { artworkOfItem, listBeside, mayBeArtwork } from './itemArtwork'
import { fileName, type GalleryItem } from './galleryItems'

interface Gallery {
  readonly found: readonly { readonly id: string; readonly artifacts: readonly Artifact[] }[] | null
  readonly failure: Failure | null
}

export const useGallery = create<Gallery>(() => ({ found: null, failure: null }))

export async function readGallery(signal: AbortSignal): Promise<void> {
  try {
    const found: { id: string; artifacts: Artifact[] }[] = []
    for (let after: string | null = null; ;) {
      const page: Awaited<ReturnType<typeof readPage>> = await readPage(after, signal)
      found.push(...page.tasks)
      if (page.next === null) break
      after = page.next
    }
    await refreshTasks()
    if (!signal.aborted) useGallery.setState({ found, failure: null })
  } catch (error) {
    if (!signal.aborted) useGallery.setState({ failure: toFailure(error) })
  }
}

const readPage = (after: string | null, signal: AbortSignal) => call('tasks.artifacts', { after }, { signal })

export async function gallerySubjects(item: GalleryItem | undefined): Promise<ExportSubject[]> {
  if (!item || !mayBeArtwork(item.data)) return []
  const artwork = await artworkOf(item)
  return [{ title: fileName(item.artifact), name: artwork.name, artworks: [artwork] }]
}

async function artworkOf({ id, data }: GalleryItem) {
  const artifact = data ?? ''
  const list = listBeside(artifact)
  const bytes = await readArtifact(id, artifact)
  return artworkOfItem(artifact, bytes, list === null ? null : await readArtifact(id, list).catch(() => null))
}

export async function keepItem(item: GalleryItem): Promise<void> {
  addToSheet(await artworkOf(item))
  notify(`${fileName(item.artifact)} is in the sheet.`, null, { label: 'Show', run: () => void showView('sheet') })
}

export const editItem = async (item: GalleryItem): Promise<void> => editInSheet(await artworkOf(item))
