import { useEffect, useRef } from 'react'
import { artworkKindTitles, type Artwork } from '@shared/graphics/artwork'
import { artworkPicture } from '@shared/graphics/pictures/artworkPicture'
import { useLimit } from '../../client/machines'
import { attempt } from '../../client/messages'
import { useSheet } from '../../client/sheet'
import { useColours } from '../../frames/screenOptions'
import { frames } from '../../frames/frames'
import { Button } from '../../widgets/Button'
import { paintPixels } from '../../widgets/paintPixels'
import { writeArtwork } from './writeSlot'

/** Characters, screens and bitmaps. */
export const Others = ({ artworks }: { readonly artworks: readonly Artwork[] }) => (
  <ul className="sheet-others">
    {artworks.map((artwork, at) => (
      <Other key={at} artwork={artwork} />
    ))}
  </ul>
)

function Other({ artwork }: { readonly artwork: Artwork }) {
  const limit = useLimit('writeMemory')
  const remove = () => useSheet.setState(({ artworks }) => ({ artworks: artworks.filter((each) => each !== artwork) }))
  const { kind, name } = artwork
  return (
    <li>
      <Picture artwork={artwork} />
      <span>
        {artworkKindTitles[kind]} <span className="muted">{name}</span>
      </span>
      <span className="sheet-other-buttons">
        <Button
          label="Write"
          tip={`Write ${name} to the slot`}
          why={limit}
          onClick={() => attempt(() => writeArtwork(artwork))}
        />
        <Button label="Delete" onClick={remove} />
      </span>
    </li>
  )
}

const CHARACTER_ROM = 0xd000
const CHARACTER_ROM_BYTES = 0x1000
const COLUMNS = 32

function Picture({ artwork }: { readonly artwork: Artwork }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const palette = useColours()
  useEffect(() => {
    const romCharacters = frames.image('rom').slice(CHARACTER_ROM, CHARACTER_ROM + CHARACTER_ROM_BYTES)
    const picture = artworkPicture(artwork, { columns: COLUMNS, isTransparent: false, romCharacters })
    if (canvas.current) paintPixels(canvas.current, picture, palette)
  }, [artwork, palette])
  return <canvas ref={canvas} role="img" aria-label={`${artworkKindTitles[artwork.kind]} ${artwork.name}`} />
}
