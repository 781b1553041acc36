import { useEffect, useRef } from 'react'
import type { Pixels } from '@shared/graphics/artworkPixels'
import { useColours } from '../../frames/screenOptions'
import { paintPixels } from '../../widgets/paintPixels'

interface ArtworkPictureProps {
  readonly pixels: Pixels
  readonly label: string
}

const PREVIEW_WIDTH = 480
const MAX_SCALE = 4

export function ArtworkPicture({ pixels, label }: ArtworkPictureProps) {
  const scale = Math.max(1, Math.min(MAX_SCALE, Math.floor(PREVIEW_WIDTH / pixels.width)))
  const canvas = useRef<HTMLCanvasElement>(null)
  const palette = useColours()
  useEffect(() => {
    if (canvas.current) paintPixels(canvas.current, pixels, palette)
  }, [pixels, palette])
  return (
    <canvas
      ref={canvas}
      className="artwork-picture"
      role="img"
      aria-label={label}
      style={{ width: pixels.width * scale, height: pixels.height * scale }}
    />
  )
}
