import { useCallback, useRef, useState } from 'react'
import { decodeSprites, type Sprite } from '@shared/c64/sprites'
import { decodeVideo } from '@shared/c64/video'
import { frontMachine, useFrontMachine } from '../client/machines'
import { frames, useDraw, useFrameWish } from './frames'
import { useColours } from './screenOptions'
import { samePixels } from './spritePixels'

export interface SpriteMoment {
  readonly sprites: readonly Sprite[]
  readonly repaint: readonly Sprite[]
  readonly palette: readonly number[]
  /** 4,096 bytes from $D000. */
  readonly io: Uint8Array
  readonly characterRomIsKnown: boolean
  readonly isNew: boolean
}

export const spriteMemoryNow = (): 'ram' | 'cpu' => memoryOf(frontMachine())

const memoryOf = (machine: ReturnType<typeof frontMachine>): 'ram' | 'cpu' =>
  (machine?.capabilities.ramUnderRom ?? null) === null ? 'ram' : 'cpu'

/** RAM, or what the CPU sees where RAM under ROM cannot be read. */
export function useSpriteMemory(): 'ram' | 'cpu' {
  return memoryOf(useFrontMachine())
}

/** Only while `visible`. Pass a stable function (`useCallback`). */
export function useSprites(visible: boolean, show: (moment: SpriteMoment, now: number) => void): void {
  const palette = useColours()
  const ram = useSpriteMemory()
  const [romIsNeeded, setRomIsNeeded] = useState(false)
  const shown = useRef<SpriteMoment & { readonly seq: number; readonly epoch: number }>(undefined)

  useFrameWish(visible, romIsNeeded ? ['io', ram, 'rom'] : ['io', ram])
  useDraw(
    visible,
    useCallback(
      (now: number) => {
        if (!frames.known('io') || !frames.known(ram)) return
        const last = shown.current
        const { seq, epoch } = frames
        if (last?.seq === seq && last.epoch === epoch && palette === last.palette) {
          show({ ...last, repaint: [], isNew: false }, now)
          return
        }
        const io = frames.image('io').subarray(0xd000, 0xe000)
        const characterRom = frames.known('rom') ? frames.image('rom').subarray(0xd000, 0xe000) : null
        const sprites = decodeSprites({ io, ram: frames.image(ram), characterRom })
        const { charactersFromRom } = decodeVideo(io)
        setRomIsNeeded(
          sprites.some(({ enabled, fromCharacterRom }) => fromCharacterRom || (enabled && charactersFromRom)),
        )
        const repaint = sprites.filter((sprite, n) => palette !== last?.palette || !samePixels(sprite, last.sprites[n]))
        const characterRomIsKnown = characterRom !== null
        const moment = { sprites, repaint, palette, io, characterRomIsKnown, isNew: true }
        shown.current = { ...moment, seq, epoch }
        show(moment, now)
      },
      [palette, ram, show],
    ),
  )
}
