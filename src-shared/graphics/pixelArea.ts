/** Parts of pictures as text: `320x8+32+35` is 320 pixels wide, 8 high, 32 from the left and 35 from the top. */
import { AppError } from '../contract/errors'
import type { PixelArea } from './comparePixels'

const PATTERN = /^(\d{1,5})x(\d{1,5})(?:\+(\d{1,5})\+(\d{1,5}))?$/

export function parsePixelArea(text: string): PixelArea {
  const [, width = '0', height = '0', x = '0', y = '0'] = PATTERN.exec(text.trim()) ?? []
  const area = { x: Number(x), y: Number(y), width: Number(width), height: Number(height) }
  if (area.width > 0 && area.height > 0) return area
  throw new AppError('INVALID', `“${text.slice(0, 40)}” is no part of a picture.`, {
    hint: 'Write width x height, then the distance from the left and from the top: 320x8+32+35.',
  })
}

export const formatPixelArea = ({ x, y, width, height }: PixelArea): string => `${width}x${height}+${x}+${y}`
