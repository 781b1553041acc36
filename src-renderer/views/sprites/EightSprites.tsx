import { useCallback, useRef } from 'react'
import type { Sprite } from '@shared/c64/sprites'
import { decodeVideo } from '@shared/c64/video'
import { moreSprites } from '@shared/graphics/frameChanges'
import { openByteMenu } from '../../client/byteMenu'
import { frames, useFrameSummary } from '../../frames/frames'
import { graphicsImageNow } from '../../frames/graphicsImage'
import { useSpriteMemory, useSprites, type SpriteMoment } from '../../frames/sprites'
import { useFrontMachine, useLack } from '../../client/machines'
import { writtenLately } from '../../frames/writtenRegisters'
import { setText } from '../../widgets/setText'
import { collisionTexts, latchedText } from './collisions'
import type { ViewProps } from '../../client/view'
import { showInMemory } from '../../client/memoryCursor'
import { NoFrameYet } from '../../frames/NoFrameYet'
import { toggleSprite, useSelectedSprite } from '../../client/selectedSprite'
import { SpriteCard, type SpriteCardHandle } from './SpriteCard'

const INTERVAL_MS = 100

const numbers = [0, 1, 2, 3, 4, 5, 6, 7]

export function EightSprites({ visible }: ViewProps) {
  const ramLimit = useFrontMachine()?.capabilities.ramUnderRom ?? null
  const ram = useSpriteMemory()
  const selected = useSelectedSprite(({ sprite }) => sprite)
  const cards = useRef<(SpriteCardHandle | null)[]>([])
  const sprites = useRef<readonly Sprite[]>([])
  const hiddenNotice = useRef<HTMLParagraphElement>(null)
  const framesNotice = useRef<HTMLParagraphElement>(null)
  const latched = useRef<HTMLParagraphElement>(null)
  const standard = useFrontMachine()?.standard ?? 'pal'
  // Machines of which each write is seen show their chips without clearing what is latched.
  const lack = useLack('videoFrame')
  const isPeeked = lack === null
  const described = useRef({ at: -Infinity, isOld: true })

  useSprites(
    visible,
    useCallback(
      (moment: SpriteMoment, now: number) => {
        const { palette } = moment
        sprites.current = moment.sprites
        for (const sprite of moment.repaint) cards.current[sprite.n]?.paint(sprite, palette)
        const isOld = described.current.isOld || moment.isNew
        if (isOld && now - described.current.at < INTERVAL_MS) {
          described.current.isOld = true
          // Also describes the last frame of a machine that then stands still.
          frames.requestDraw()
          return
        }
        if (!isOld) return
        described.current = { at: now, isOld: false }
        const { characterRomIsKnown, io } = moment
        const collisions = collisionTexts(graphicsImageNow(ram), standard)
        for (const sprite of moment.sprites)
          cards.current[sprite.n]?.describe(sprite, palette, {
            characterRomIsKnown,
            more: sprite.enabled ? (collisions[sprite.n] ?? '') : '',
          })
        const { visible: isVic } = decodeVideo(io)
        if (hiddenNotice.current) hiddenNotice.current.hidden = isVic
        const more = isVic ? moreSprites(io, writtenLately()) : null
        showText(framesNotice.current, more && `${more} ${lack ?? 'Over a frame finds them.'}`)
        showText(latched.current, isVic && isPeeked ? latchedText(io) : null)
      },
      [ram, standard, isPeeked, lack],
    ),
  )
  const addressOf = (n: number) => sprites.current[n]?.address ?? 0

  return (
    <div className="view-content sprites-view" role="group" tabIndex={0} data-panel-focus aria-label="Sprites">
      <Waiting ram={ram} />
      <p ref={hiddenNotice} className="sprites-notice" role="status" hidden>
        These do not look like VIC-II registers: the program has switched the I/O area off, or no frame has come yet.
      </p>
      {ramLimit === null ? null : (
        <p className="sprites-notice">{ramLimit} Sprites under ROM or I/O show what the CPU sees there.</p>
      )}
      <ul className="sprites">
        {numbers.map((n) => (
          <SpriteCard
            key={n}
            ref={(card) => {
              cards.current[n] = card
            }}
            n={n}
            isSelected={n === selected}
            onSelect={() => toggleSprite(n, addressOf(n))}
            onAddress={() => showInMemory(addressOf(n))}
            onMenu={(event) => {
              const address = addressOf(n)
              openByteMenu(event, { address, space: ram, value: frames.image(ram)[address] })
            }}
          />
        ))}
      </ul>
      <p ref={framesNotice} className="sprites-below" role="status" hidden />
      <p ref={latched} className="sprites-below muted" hidden />
    </div>
  )
}

function showText(element: HTMLElement | null, text: string | null): void {
  if (!element) return
  element.hidden = text === null
  setText(element, text ?? '')
}

function Waiting({ ram }: { readonly ram: 'ram' | 'cpu' }) {
  useFrameSummary()
  if (frames.known('io') && frames.known(ram)) return null
  return (
    <NoFrameYet
      className="sprites-notice sprites-waiting"
      recorded="The recording lacks the memory that sprites are drawn from."
    />
  )
}
