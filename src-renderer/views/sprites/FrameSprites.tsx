import { useEffect, useRef } from 'react'
import type { FrameSprite } from '@shared/c64/videoFrame/frameSprites'
import { linesText, spriteChangesText, spriteCountText } from '@shared/c64/videoFrame/frameText'
import { FrameReader } from '../../client/FrameReader'
import { useLack } from '../../client/machines'
import { showInMemory } from '../../client/memoryCursor'
import { NotHere } from '../../client/NotHere'
import { toggleSprite, useSelectedSprite } from '../../client/selectedSprite'
import { useVideoFrame } from '../../client/videoFrames'
import { usePlayback } from '../../frames/playback'
import { useColours } from '../../frames/screenOptions'
import { openByteMenu } from '../../client/byteMenu'
import { EmptyState } from '../../widgets/EmptyState'
import { SpriteCard, type SpriteCardHandle } from './SpriteCard'

/** The sprites that a frame showed, those of a multiplexer each for itself. */
export function FrameSprites({ visible }: { readonly visible: boolean }) {
  const lack = useLack('videoFrame')
  const isRecorded = usePlayback(({ shown }) => shown !== null)
  const { read } = useVideoFrame()
  if (isRecorded)
    return (
      <div className="view-content">
        <EmptyState title="No frame of a recorded moment">
          <p>A recorded moment is one image of memory: which sprites the program showed over the frame is unknown.</p>
        </EmptyState>
      </div>
    )
  if (lack !== null) return <NotHere what="sprites over a frame" why={lack} />
  return (
    <div
      className="view-content sprites-view"
      role="group"
      tabIndex={0}
      data-panel-focus
      aria-label="Sprites over a frame"
    >
      <FrameReader visible={visible} />
      {read === null ? null : (
        <>
          <p className="sprites-count">{spriteCountText(read.reading.sprites)}</p>
          <ul className="sprites" aria-label="Sprites of the frame">
            {read.reading.sprites.map((sprite) => (
              <FrameCard key={`${sprite.n} ${sprite.firstLine}`} sprite={sprite} ram={read.frame.ram} />
            ))}
          </ul>
        </>
      )}
    </div>
  )
}

function FrameCard({ sprite, ram }: { readonly sprite: FrameSprite; readonly ram: Uint8Array }) {
  const card = useRef<SpriteCardHandle>(null)
  const palette = useColours()
  const selected = useSelectedSprite((state) => state.sprite)
  useEffect(() => {
    card.current?.paint(sprite, palette)
    card.current?.describe(sprite, palette, {
      characterRomIsKnown: true,
      state: `lines ${linesText(sprite)}`,
      more: [sprite.inBorder ? 'under the border' : '', spriteChangesText(sprite)].filter(Boolean).join('; '),
    })
  }, [sprite, palette])
  const { n, address } = sprite
  return (
    <SpriteCard
      ref={card}
      n={n}
      label={`Sprite ${n}, lines ${linesText(sprite)}`}
      isSelected={n === selected}
      onSelect={() => toggleSprite(n, address)}
      onAddress={() => showInMemory(address)}
      onMenu={(event) => openByteMenu(event, { address, space: 'ram', value: ram[address] })}
    />
  )
}
