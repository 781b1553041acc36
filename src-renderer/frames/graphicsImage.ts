import { useCallback, useRef, useSyncExternalStore } from 'react'
import type { GraphicsImage } from '@shared/graphics/grab'
import { IO_SIZE, IO_START } from '@shared/c64/video'
import { characterRomNow, useStandInRom } from './characterRom'
import { frames, useDraw, useFrameWish } from './frames'
import { spriteMemoryNow, useSpriteMemory } from './sprites'

const COLOR_RAM = 0xd800
const COLOR_RAM_BYTES = 0x400

/** Null before the first frame. The arrays are the frame store's own: never write to them. */
export function graphicsImageNow(ram = spriteMemoryNow()): GraphicsImage | null {
  if (!frames.known('io') || !frames.known(ram)) return null
  return {
    ram: frames.image(ram),
    ...characterRomNow(),
    // A recording holds only what its views wanted then; colour RAM comes with the chips.
    colorRam: frames
      .image(frames.known('colorRam') ? 'colorRam' : 'io')
      .subarray(COLOR_RAM, COLOR_RAM + COLOR_RAM_BYTES),
    io: frames.image('io').subarray(IO_START, IO_START + IO_SIZE),
  }
}

export function useGraphicsWish(visible: boolean): void {
  useFrameWish(visible, ['io', 'rom', 'colorRam', useSpriteMemory()])
  useStandInRom(visible)
}

export function useHasGraphics(): boolean {
  const ram = useSpriteMemory()
  return useSyncExternalStore(frames.onSummary, () => graphicsImageNow(ram) !== null)
}

/**
 * While `visible`, for each frame and each draw that was asked for. Pass a stable function (`useCallback`).
 * @param show `isNew` is false when the same frame was shown before
 */
export function useGraphicsImage(visible: boolean, show: (image: GraphicsImage, isNew: boolean) => void): void {
  const ram = useSpriteMemory()
  const shown = useRef<{ seq: number; epoch: number; standIn: Uint8Array | null }>(undefined)
  useGraphicsWish(visible)
  useDraw(
    visible,
    useCallback(() => {
      const image = graphicsImageNow(ram)
      if (!image) return
      const { seq, epoch } = frames
      const standIn = image.romNote === undefined ? null : image.characterRom
      const last = shown.current
      const isNew = seq !== last?.seq || epoch !== last.epoch || standIn !== last.standIn
      shown.current = { seq, epoch, standIn }
      show(image, isNew)
    }, [ram, show]),
  )
}
