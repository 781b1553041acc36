import { MAX_SPRITES, type Artwork, type SpriteSheet } from '@shared/graphics/artwork'
import { decodeSheet, encodeSheet } from '@shared/graphics/sheetFile'
import { MAX_SHEET_BYTES } from '@shared/contract/graphics'
import { AppError, toFailure, type Failure } from '@shared/contract/errors'
import { create } from 'zustand'
import { call } from './call'
import { coalesced } from './coalesced'
import { useMachines } from './machines'
import { endMessages, notify, reportError } from './messages'

interface Sheet {
  readonly artworks: readonly Artwork[]
  readonly failure: Failure | null
}

/** Every change can be undone, and is kept over a restart. */
export const useSheet = create<Sheet>(() => ({ artworks: [], failure: null }))

type Artworks = Sheet['artworks']

interface SheetHistory {
  readonly past: readonly Artworks[]
  readonly future: readonly Artworks[]
}

const MAX_STEPS = 200
const ABOUT = 'sheet'

export const useSheetHistory = create<SheetHistory>(() => ({ past: [], future: [] }))

/** False for changes that are no step of their own: undo, redo and loading. */
let isStep = true

function replace(artworks: Artworks): void {
  isStep = false
  try {
    useSheet.setState({ artworks })
  } finally {
    isStep = true
  }
}

/** All changes of a stroke are one step, and are kept at its end. */
let stroke: { hasStep: boolean } | null = null

export function beginSheetStroke(): void {
  endSheetStroke()
  stroke = { hasStep: false }
}

export function endSheetStroke(): void {
  const hasStep = stroke?.hasStep ?? false
  stroke = null
  if (hasStep) save()
}

/** Takes back the stroke under way and leaves no step. */
export function cancelSheetStroke(): void {
  const hasStep = stroke?.hasStep ?? false
  stroke = null
  const { past } = useSheetHistory.getState()
  const before = past.at(-1)
  if (!hasStep || !before) return
  useSheetHistory.setState({ past: past.slice(0, -1) })
  replace(before)
}

export function undoSheet(): void {
  endSheetStroke()
  const { past, future } = useSheetHistory.getState()
  const before = past.at(-1)
  if (!before) return
  useSheetHistory.setState({ past: past.slice(0, -1), future: [useSheet.getState().artworks, ...future] })
  replace(before)
  save()
}

export function redoSheet(): void {
  endSheetStroke()
  const { past, future } = useSheetHistory.getState()
  const [next, ...rest] = future
  if (!next) return
  useSheetHistory.setState({ past: [...past, useSheet.getState().artworks], future: rest })
  replace(next)
  save()
}

useSheet.subscribe(({ artworks }, before) => {
  if (artworks === before.artworks || !isStep) return
  if (!stroke?.hasStep)
    useSheetHistory.setState(({ past }) => ({ past: [...past, before.artworks].slice(-MAX_STEPS), future: [] }))
  if (stroke) stroke.hasStep = true
  else save()
})

/** Before the kept sheet has loaded, nothing is saved in its place. */
let isLoaded = false
let isLoading = false
let isSaving = false
let isChanged = false
/** Set while the kept sheet is damaged: it then stays beside the next one. */
let setsAside = false

const save = coalesced(() => {
  isChanged = true
  if (!isLoaded) loadSheet()
  else if (!isSaving) void saveChanges()
})

async function saveChanges(): Promise<void> {
  isSaving = true
  try {
    while (isChanged) {
      isChanged = false
      const bytes = encodeSheet(useSheet.getState().artworks)
      if (bytes.length > MAX_SHEET_BYTES)
        throw new AppError('INVALID', 'The sheet is larger than 4 MB: its latest changes are not kept.', {
          hint: 'Export a part of it, and delete that.',
        })
      await call('graphics.keepSheet', { bytes, setsAside })
      setsAside = false
    }
  } catch (error) {
    isChanged = true
    reportError(error)
  } finally {
    isSaving = false
  }
}

async function load(): Promise<void> {
  const { bytes } = await call('graphics.sheet', {})
  const { artworks, problems } = bytes === null ? { artworks: [], problems: [] } : decodeSheet(bytes)
  isLoaded = true
  setsAside = problems.length > 0
  const added = useSheet.getState().artworks
  isChanged = false
  replace(artworks)
  // Undoing an earlier change would take away what was loaded.
  useSheetHistory.setState({ past: [], future: [] })
  useSheet.setState({ failure: null })
  endMessages(ABOUT)
  if (problems.length > 0) notify(`${problems.join(' ')} What was kept stays in the database; the rest is here.`)
  addToSheet(...added)
}

/** Adds what was kept to what is in the sheet by now; tried again with each change until it succeeds. */
export function loadSheet(): void {
  if (isLoading) return
  isLoading = true
  load()
    .catch((error: unknown) => {
      if (!isLoaded) useSheet.setState({ failure: toFailure(error) })
      reportError(error, ABOUT)
    })
    .finally(() => {
      isLoading = false
    })
}

export function restoreSheet(): void {
  const onBridge = (state: string) => {
    if (state !== 'ready') return
    if (!isLoaded) loadSheet()
    else if (isChanged && !isSaving) void saveChanges()
  }
  window.addEventListener('pagehide', endSheetStroke)
  onBridge(useMachines.getState().bridge.state)
  useMachines.subscribe(({ bridge }, before) => {
    if (bridge !== before.bridge) onBridge(bridge.state)
  })
}

const ids = new WeakMap<Artwork, number>()
let lastId = 0

export function artworkId(artwork: Artwork): number {
  const id = ids.get(artwork) ?? ++lastId
  ids.set(artwork, id)
  return id
}

export const artworkById = (artworks: Artworks, id: number): Artwork | undefined =>
  artworks.find((artwork) => ids.get(artwork) === id)

/** The new artwork keeps the id of the one that it replaces. */
export function replaced(artworks: Artworks, artwork: Artwork, next: Artwork): Artworks {
  ids.set(next, artworkId(artwork))
  return artworks.map((each) => (each === artwork ? next : each))
}

/** One artwork holds all sprites; undefined before any was added. */
export function spritesOfSheet(artworks: Artworks): { readonly at: number; readonly sheet: SpriteSheet } | undefined {
  const at = artworks.findLastIndex(({ kind }) => kind === 'sprites')
  const sheet = artworks[at]
  return sheet?.kind === 'sprites' ? { at, sheet } : undefined
}

/**
 * One undo step.
 * @throws AppError for more than the sheet holds
 */
export function changeSprites(change: (sheet: SpriteSheet) => SpriteSheet): void {
  useSheet.setState(({ artworks }) => {
    const found = spritesOfSheet(artworks)
    return found ? { artworks: artworks.with(found.at, held(change(found.sheet))) } : {}
  })
}

/**
 * Sprites join the existing ones; other artwork stands for itself.
 * @throws AppError for more than the sheet holds
 */
export function addToSheet(...added: readonly Artwork[]): void {
  useSheet.setState(({ artworks }) => ({ artworks: added.reduce(withAdded, artworks) }))
}

function withAdded(artworks: Artworks, artwork: Artwork): Artworks {
  if (artwork.kind !== 'sprites') return [...artworks, { ...artwork }]
  const found = spritesOfSheet(artworks)
  return found ? artworks.with(found.at, held(joined(found.sheet, artwork))) : [...artworks, held(artwork)]
}

function held(sheet: SpriteSheet): SpriteSheet {
  const count = sheet.sprites.length
  if (count <= MAX_SPRITES) return sheet
  throw new AppError('CONFLICT', `The sheet holds up to ${MAX_SPRITES} sprites; with these it would have ${count}.`, {
    hint: 'Select fewer, or export sprites of the sheet and delete them there.',
  })
}

function joined(first: SpriteSheet, second: SpriteSheet): SpriteSheet {
  const moved = second.animations.map((animation) => ({
    ...animation,
    frames: animation.frames.map((frame) => ({ ...frame, sprite: frame.sprite + first.sprites.length })),
  }))
  return {
    ...first,
    sprites: [...first.sprites, ...second.sprites],
    animations: [...first.animations, ...moved],
  }
}
