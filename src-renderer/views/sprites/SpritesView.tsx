import { useCallback, useRef, useState } from 'react'
import { decodeSprites, type Sprite } from '@shared/c64/sprites'
import { decodeVideo } from '@shared/c64/video'
import { frames, useDraw, useFrameSummary, useFrameWish } from '../../frames/frames'
import { useFrontMachine, useLack } from '../../client/machines'
import { NotHere } from '../../client/NotHere'
import { usePlayback } from '../../frames/playback'
import type { ViewProps } from '../../client/view'
import { showInMemory } from '../../client/memoryCursor'
import { useColours } from '../../frames/screenOptions'
import { SpriteCard, type SpriteCardHandle } from './SpriteCard'
import { samePixels } from './spriteText'
import './sprites.css'

/** Text is renewed at most this often, ms. */
const INTERVAL_MS = 100

const numbers = [0, 1, 2, 3, 4, 5, 6, 7]

/** The eight sprites as the VIC-II sees them now. */
export function SpritesView({ visible }: ViewProps) {
  const lack = useLack('readMemory')
  return lack === null ? <Sprites visible={visible} /> : <NotHere what="sprites" why={lack} />
}

function Sprites({ visible }: ViewProps) {
  const ramLimit = useFrontMachine()?.capabilities.ramUnderRom ?? null
  const palette = useColours()
  const [romIsNeeded, setRomIsNeeded] = useState(false)
  const cards = useRef<(SpriteCardHandle | null)[]>([])
  const sprites = useRef<readonly Sprite[]>([])
  const hiddenNotice = useRef<HTMLParagraphElement>(null)
  const ram = ramLimit === null ? 'ram' : 'cpu'
  const drawn = useRef({ seq: -1, describedAt: -Infinity, palette })

  useFrameWish(visible, romIsNeeded ? ['io', ram, 'rom'] : ['io', ram])

  useDraw(
    visible,
    useCallback(
      (now: number) => {
        if (!frames.known('io') || !frames.known(ram)) return
        const last = drawn.current
        const described = now - last.describedAt < INTERVAL_MS
        if (frames.seq === last.seq && palette === last.palette && described) return
        const io = frames.image('io').subarray(0xd000, 0xe000)
        const characterRom = frames.known('rom') ? frames.image('rom').subarray(0xd000, 0xe000) : null
        const before = sprites.current
        sprites.current = decodeSprites({ io, ram: frames.image(ram), characterRom })
        setRomIsNeeded(sprites.current.some(({ fromCharacterRom }) => fromCharacterRom))
        sprites.current.forEach((sprite, n) => {
          if (palette !== last.palette || !samePixels(sprite, before[n])) cards.current[n]?.paint(sprite, palette)
        })
        drawn.current = { seq: frames.seq, describedAt: last.describedAt, palette }
        if (described) {
          // The last frame of a machine that then stands still is described as well.
          frames.requestDraw()
          return
        }
        drawn.current.describedAt = now
        sprites.current.forEach((sprite, n) => cards.current[n]?.describe(sprite, palette, characterRom !== null))
        if (hiddenNotice.current) hiddenNotice.current.hidden = decodeVideo(io).visible
      },
      [palette, ram],
    ),
  )

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
            onAddress={() => showInMemory(sprites.current[n]?.address ?? 0)}
          />
        ))}
      </ul>
    </div>
  )
}

function Waiting({ ram }: { readonly ram: 'ram' | 'cpu' }) {
  useFrameSummary()
  const isRecorded = usePlayback(({ shown }) => shown !== null)
  if (frames.known('io') && frames.known(ram)) return null
  const why = isRecorded
    ? 'The recording lacks the memory that sprites are drawn from.'
    : 'Waiting for the first frame…'
  return <p className="sprites-notice sprites-waiting">{why}</p>
}
