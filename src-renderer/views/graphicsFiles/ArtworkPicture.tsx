import { useEffect, useRef } from 'react'
import type { Pixels } from '@shared/graphics/artworkPixels'
import { useColours } from '../../frames/screenOptions'
import { paintPixels } from '../../widgets/paintPixels'

interface ArtworkPictureProps {
  readonly pixels: Pixels
  readonly label: string
  /** Pixels a pixel. */
  readonly scale?: number
}

export function ArtworkPicture({ pixels, label, scale = 1 }: ArtworkPictureProps) {
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
