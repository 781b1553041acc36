import { useCallback } from 'react'
import { SPRITE_HEIGHT, SPRITE_WIDTH } from '@shared/c64/sprites'
import type { SpriteSheet } from '@shared/graphics/artwork'
import { paintBlock } from '@shared/graphics/blockPainter'
import { withSprite } from '@shared/graphics/editSheet'
import { perform } from '../../client/actions'
import { useArtworkSource } from '../../client/artworkSources'
import { openContextMenu } from '../../client/contextMenu'
import { changeSprites, loadSheet, spritesOfSheet, useSheet } from '../../client/sheet'
import type { ViewProps } from '../../client/view'
import { useColours } from '../../frames/screenOptions'
import { Button } from '../../widgets/Button'
import { EmptyState } from '../../widgets/EmptyState'
import { imageDataWord } from '../../widgets/heat'
import { LineField } from '../../widgets/LineField'
import { withinCount } from '../../widgets/pixelGrid/gridSelection'
import { PixelGrid, type CellTarget } from '../../widgets/pixelGrid/PixelGrid'
import { Problem } from '../../widgets/Problem'
import { AnimationPane } from './AnimationPane'
import { Others } from './Others'
import { SheetTools } from './SheetTools'
import { useSheetSelection } from './sheetCommands'
import { sheetSubjects } from './sheetSubjects'
import './sheet.css'

export function SheetView({ visible }: ViewProps) {
  useArtworkSource('sheet', sheetSubjects)
  const { artworks, failure } = useSheet()
  const found = spritesOfSheet(artworks)
  const others = artworks.filter((artwork) => artwork.kind !== 'sprites')
  const hasSprites = found !== undefined && found.sheet.sprites.length > 0
  return (
    <div className="view-content sheet" role="group" aria-label="Sheet" tabIndex={0} data-panel-focus>
      <SheetTools />
      {hasSprites ? <Sprites sheet={found.sheet} /> : null}
      {hasSprites && found.sheet.animations.length > 0 ? <AnimationPane sheet={found.sheet} visible={visible} /> : null}
      {others.length > 0 ? <Others artworks={others} visible={visible} /> : null}
      {failure === null ? null : (
        <div className="sheet-problem">
          <Problem failure={failure} />
          <Button label="Read the sheet again" onClick={loadSheet} />
        </div>
      )}
      {hasSprites || others.length > 0 || failure !== null ? null : (
        <EmptyState
          title="Nothing kept yet"
          action={<Button label="Import graphics…" onClick={() => perform('graphics.import')} />}
        >
          <p>
            Sprites, characters, screens and bitmaps that you keep stay here, apart from any machine and over a restart.
          </p>
        </EmptyState>
      )}
    </div>
  )
}

function Sprites({ sheet }: { readonly sheet: SpriteSheet }) {
  const palette = useColours()
  const { sprites } = sheet
  const selection = withinCount(
    useSheetSelection((state) => state.selection),
    sprites.length,
  )
  const paintCell = useCallback(
    (at: number, { words, width, at: place }: CellTarget) => {
      const sprite = sheet.sprites[at]
      if (!sprite) return
      const word = (colour: number) => imageDataWord(palette[colour] ?? 0)
      const own = word(sprite.colour)
      const colours = sprite.multicolour
        ? [word(sheet.background), word(sheet.multicolour1), own, word(sheet.multicolour2)]
        : [word(sheet.background), own]
      paintBlock({ words, width }, place, sprite.bytes, 0, colours)
    },
    [sheet, palette],
  )
  const { cursor } = selection
  const name = sprites[cursor]?.name ?? ''
  return (
    <>
      <PixelGrid
        label="Sprites of the sheet. Arrow keys move, Enter edits, Delete deletes."
        count={sprites.length}
        cell={spriteSize}
        zoom={2}
        selection={selection}
        onSelection={(next) => useSheetSelection.setState({ selection: next })}
        paintCell={paintCell}
        markOf={noMark}
        cursorText={`Sprite ${cursor + 1} of ${sprites.length}, ${name}, ${selection.picked.size} selected`}
        onOpen={() => perform('sheet.edit')}
        onKey={({ key, ctrlKey, metaKey }) => {
          const action =
            ctrlKey || metaKey ? controlKeys[key.toLowerCase()] : key === 'Delete' ? 'sheet.delete' : undefined
          if (action) perform(action)
          return action !== undefined
        }}
        onMenu={(event, place) => openContextMenu(event, name || `Sprite ${cursor + 1}`, menuItems, place)}
      />
      <div className="sheet-status">
        <span className="data">
          {cursor + 1} of {sprites.length}
        </span>
        <LineField
          key={cursor}
          label="Name"
          value={name}
          problemOf={(text) => (text.length > 100 ? 'at most 100 characters' : null)}
          onChange={(text) => changeSprites((whole) => withSprite(whole, cursor, { name: text }))}
        />
        {selection.picked.size > 1 ? <span className="muted">{selection.picked.size} selected</span> : null}
      </div>
    </>
  )
}

const spriteSize = { width: SPRITE_WIDTH, height: SPRITE_HEIGHT }
const noMark = () => null
const controlKeys: Readonly<Record<string, 'sheet.copy' | 'sheet.paste' | 'sheet.undo' | 'sheet.redo'>> = {
  c: 'sheet.copy',
  v: 'sheet.paste',
  z: 'sheet.undo',
  y: 'sheet.redo',
}
const menuItems = [
  { label: 'Edit', shortcut: 'Enter', run: () => perform('sheet.edit') },
  { label: 'Copy', shortcut: 'Ctrl+C', run: () => perform('sheet.copy') },
  { label: 'Paste', shortcut: 'Ctrl+V', run: () => perform('sheet.paste') },
  { label: 'Animate', run: () => perform('sheet.animate') },
  { label: 'Delete', shortcut: 'Delete', run: () => perform('sheet.delete'), isFirstOfGroup: true },
]
