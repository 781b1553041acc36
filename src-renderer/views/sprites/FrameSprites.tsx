import { useEffect, useRef } from 'react'
import type { FrameSprite } from '@shared/c64/videoFrame/frameSprites'
import { linesText, spriteChangesText, spriteCountText } from '@shared/c64/videoFrame/frameText'
import { VideoFrameReader } from '../../client/VideoFrameReader'
import { showInMemory } from '../../client/memoryCursor'
import { toggleSprite, useSelectedSprite } from '../../client/selectedSprite'
import { videoFrames } from '../../client/videoFrames'
import { useColours } from '../../frames/screenOptions'
import { WithFrame } from '../../frames/WithFrame'
import { openByteMenu } from '../../client/byteMenu'
import { SpriteCard, type SpriteCardHandle } from './SpriteCard'

export function FrameSprites({ visible }: { readonly visible: boolean }) {
  const { read } = videoFrames.useFrame()
  return (
    <WithFrame what="sprites over a frame" unknown="which sprites the program showed over the frame">
      <div
        className="view-content sprites-view"
        role="group"
        tabIndex={0}
        data-panel-focus
        aria-label="Sprites over a frame"
      >
        <VideoFrameReader visible={visible} />
        {read === null ? null : (
          <>
            <p className="sprites-count">{spriteCountText(read.frame.reading.sprites)}</p>
            <ul className="sprites" aria-label="Sprites of the frame">
              {read.frame.reading.sprites.map((sprite) => (
                <FrameCard key={`${sprite.n} ${sprite.firstLine}`} sprite={sprite} ram={read.frame.told.ram} />
              ))}
            </ul>
          </>
        )}
      </div>
    </WithFrame>
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
