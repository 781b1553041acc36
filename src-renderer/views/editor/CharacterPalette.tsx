import { useCallback, useRef } from 'react'
import { characterColours, drawCell } from '@shared/graphics/artworkPixels'
import { frames, useDraw } from '../../frames/frames'
import { useColours } from '../../frames/screenOptions'
import { imageDataWord } from '../../widgets/heat'
import { editor } from './controller'
import { useEditor } from './editorState'

const COLUMNS = 16
const SIDE = COLUMNS * 8
/** CSS px of a character. */
const CELL = 16

const moves: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -COLUMNS, ArrowDown: COLUMNS }

export function CharacterPalette({ visible }: { readonly visible: boolean }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const drawn = useRef('')
  const palette = useColours()
  const { code, colour } = useEditor()

  useDraw(
    visible,
    useCallback(() => {
      const text = editor.model?.text
      const context = canvas.current?.getContext('2d')
      if (!text || !context) return
      const { mode, characters: set } = text
      const backgrounds = text.backgrounds(editor.parts)
      const look = [mode, backgrounds.join(), colour, palette.join(), set.join()].join()
      if (look === drawn.current) return
      drawn.current = look
      const pixels = new Uint8Array(SIDE * SIDE)
      for (let each = 0; each < 256; each++) {
        const at = Math.floor(each / COLUMNS) * 8 * SIDE + (each % COLUMNS) * 8
        const shape = mode === 'extendedText' ? each & 0x3f : each
        drawCell(pixels, SIDE, at, set, shape * 8, characterColours(mode, each, colour, backgrounds))
      }
      const data = new ImageData(SIDE, SIDE)
      new Uint32Array(data.data.buffer).set(Array.from(pixels, (pixel) => imageDataWord(palette[pixel] ?? 0)))
      context.putImageData(data, 0, 0)
    }, [palette, colour]),
  )
  const choose = (next: number) => {
    useEditor.setState({ code: next & 0xff })
    frames.requestDraw()
  }
  return (
    <div
      className="editor-characters"
      role="slider"
      tabIndex={0}
      aria-label="Character to draw"
      aria-valuemin={0}
      aria-valuemax={255}
      aria-valuenow={code}
      onKeyDown={(event) => {
        const move = moves[event.key]
        if (move === undefined) return
        event.preventDefault()
        choose(code + move)
      }}
      onPointerDown={({ clientX, clientY, currentTarget }) => {
        const { left, top } = currentTarget.getBoundingClientRect()
        const [x, y] = [Math.floor((clientX - left) / CELL), Math.floor((clientY - top) / CELL)]
        if (x >= 0 && x < COLUMNS && y >= 0 && y < COLUMNS) choose(y * COLUMNS + x)
      }}
    >
      <canvas ref={canvas} width={SIDE} height={SIDE} aria-hidden />
      <i style={{ left: (code % COLUMNS) * CELL, top: Math.floor(code / COLUMNS) * CELL }} aria-hidden />
    </div>
  )
}
