import { useCallback, useRef } from 'react'
import { SPRITE_HEIGHT, SPRITE_WIDTH, type Sprite } from '@shared/c64/sprites'
import { useLack } from '../../client/machines'
import { toggleSprite, useSelectedSprite } from '../../client/selectedSprite'
import type { ViewProps } from '../../client/view'
import { drawSprite } from '../../frames/spritePixels'
import { useSprites, type SpriteMoment } from '../../frames/sprites'

const numbers = [0, 1, 2, 3, 4, 5, 6, 7]

export function SpriteStrip({ visible }: ViewProps) {
  const selected = useSelectedSprite(({ sprite }) => sprite)
  const isReadable = useLack('readMemory') === null
  const row = useRef<HTMLDivElement>(null)
  const sprites = useRef<readonly Sprite[]>([])

  useSprites(
    visible && isReadable,
    useCallback(({ sprites: now, repaint, palette }: SpriteMoment) => {
      sprites.current = now
      const buttons = row.current?.children
      for (const sprite of repaint) drawSprite(buttons?.[sprite.n]?.querySelector('canvas'), sprite, palette)
      for (const { n, enabled } of now) buttons?.[n]?.classList.toggle('off', !enabled)
    }, []),
  )
  return (
    <div ref={row} className="sprite-strip" role="group" aria-label="Sprites">
      {numbers.map((n) => (
        <button
          key={n}
          type="button"
          aria-label={`Sprite ${n}`}
          aria-pressed={n === selected}
          title={`Sprite ${n}: mark it everywhere, and go to its data in memory`}
          onClick={() => toggleSprite(n, sprites.current[n]?.address ?? 0)}
        >
          <span className="data">{n}</span>
          <canvas width={SPRITE_WIDTH} height={SPRITE_HEIGHT} aria-hidden />
        </button>
      ))}
    </div>
  )
}
