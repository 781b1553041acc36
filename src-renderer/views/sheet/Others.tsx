import { useEffect, useRef } from 'react'
import { videoModeTitles } from '@shared/c64/video'
import { artworkKindTitles, usesCharacterRom } from '@shared/graphics/artwork'
import { modesOf, withMode, type PlainArtwork } from '@shared/graphics/edit/artworkParts'
import { artworkPicture } from '@shared/graphics/pictures/artworkPicture'
import { editLimitOf, openFromSheet } from '../../client/editInSheet'
import { useLimit } from '../../client/machines'
import { attempt } from '../../client/messages'
import { replaced, useSheet } from '../../client/sheet'
import { useCharacterRom, type CharacterRom } from '../../frames/characterRom'
import { useColours } from '../../frames/screenOptions'
import { Button } from '../../widgets/Button'
import { paintPixels } from '../../widgets/paintPixels'
import { writeArtwork } from './writeSlot'

interface OthersProps {
  readonly artworks: readonly PlainArtwork[]
  readonly visible: boolean
}

export function Others({ artworks, visible }: OthersProps) {
  const rom = useCharacterRom(visible && artworks.some(usesCharacterRom))
  return (
    <ul className="sheet-others">
      {artworks.map((artwork, at) => (
        <Other key={at} artwork={artwork} rom={rom} />
      ))}
    </ul>
  )
}

interface OtherProps {
  readonly artwork: PlainArtwork
  readonly rom: CharacterRom
}

function Other({ artwork, rom }: OtherProps) {
  const limit = useLimit('writeMemory')
  const remove = () => useSheet.setState(({ artworks }) => ({ artworks: artworks.filter((each) => each !== artwork) }))
  const { kind, name } = artwork
  return (
    <li>
      <Picture artwork={artwork} romCharacters={rom.bytes} />
      <span>
        {artworkKindTitles[kind]} <span className="muted">{name}</span>
        {usesCharacterRom(artwork) && rom.note !== null ? <span className="muted"> {rom.note}</span> : null}
      </span>
      <span className="sheet-other-buttons">
        <Button
          label="Edit"
          tip={`Edit ${name} in the sheet`}
          why={editLimitOf(artwork)}
          onClick={() => openFromSheet(artwork)}
        />
        <Button
          label="Write"
          tip={`Write ${name} to the slot`}
          why={limit}
          onClick={() => attempt(() => writeArtwork(artwork))}
        />
        <Button label="Delete" onClick={remove} />
        <ModeSelect artwork={artwork} />
      </span>
    </li>
  )
}

function ModeSelect({ artwork }: { readonly artwork: PlainArtwork }) {
  const change = (mode: string) =>
    useSheet.setState(({ artworks }) => ({ artworks: replaced(artworks, artwork, withMode(artwork, mode)) }))
  const modes = modesOf(artwork)
  if (modes.length < 2) return null
  return (
    <select
      className="field"
      aria-label={`Mode of ${artwork.name}`}
      value={artwork.mode}
      onChange={({ target }) => change(target.value)}
    >
      {modes.map((mode) => (
        <option key={mode} value={mode}>
          {videoModeTitles[mode]}
        </option>
      ))}
    </select>
  )
}

const COLUMNS = 32

function Picture({ artwork, romCharacters }: { readonly artwork: PlainArtwork; readonly romCharacters: Uint8Array }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const palette = useColours()
  useEffect(() => {
    const picture = artworkPicture(artwork, { columns: COLUMNS, isTransparent: false, romCharacters })
    if (canvas.current) paintPixels(canvas.current, picture, palette)
  }, [artwork, palette, romCharacters])
  return <canvas ref={canvas} role="img" aria-label={`${artworkKindTitles[artwork.kind]} ${artwork.name}`} />
}
