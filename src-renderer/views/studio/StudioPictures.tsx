import { useEffect, useRef, useState } from 'react'
import { pixelAspects } from '@shared/c64/picture'
import { useChosen } from '../../client/chosen'
import { oneOf, useViewState } from '../../client/viewState'
import { useColours } from '../../frames/screenOptions'
import { Check } from '../../widgets/Check'
import { paintPixels } from '../../widgets/paintPixels'
import { ZoomButtons } from '../../widgets/ZoomButtons'
import { paintLoss, paintPhoto, pixelsOf } from './paintPhoto'
import { useStudio } from './studio'

const readZoom = (stored: unknown): number => (typeof stored === 'number' && stored >= 0.5 && stored <= 8 ? stored : 1)
const readLimits = oneOf(false, true)

/** Width to height of a pixel as shown. */
const aspects = { square: 1, ...pixelAspects }

const MARK = [255, 0, 64] as const

export function StudioPictures() {
  const framed = useStudio((studio) => studio.framed)
  const conversion = useStudio((studio) => studio.conversion)
  const [zoom, setZoom] = useViewState('studio.zoom', readZoom)
  const [limitsAreShown, showLimits] = useViewState('studio.limits', readLimits)
  const [aspect] = useChosen('studio.aspect')
  const palette = useColours()
  const original = useRef<HTMLCanvasElement>(null)
  const result = useRef<HTMLCanvasElement>(null)
  const limits = useRef<HTMLCanvasElement>(null)
  const [size, setSize] = useState({ width: 320, height: 200 })
  useEffect(() => {
    if (original.current && framed) paintPhoto(original.current, framed)
  }, [framed])
  useEffect(() => {
    if (!conversion || !result.current || !limits.current) return
    const pixels = pixelsOf(conversion)
    paintPixels(result.current, pixels, palette)
    paintLoss(limits.current, conversion, MARK)
    setSize({ width: pixels.width, height: pixels.height })
  }, [conversion, palette])
  const shown = { width: Math.round(size.width * zoom * aspects[aspect]), height: Math.round(size.height * zoom) }
  return (
    <>
      <div className="toolbar" role="toolbar" aria-label="Pictures">
        <ZoomButtons
          wholeLabel="Actual size"
          step={2}
          onZoom={(factor) => setZoom(readZoom(Math.min(8, Math.max(0.5, zoom * factor))))}
          onFit={() => setZoom(1)}
        />
        <span className="muted">{Math.round(zoom * 100)} %</span>
        <Check label="Mark cells that lost colours" checked={limitsAreShown} onChange={showLimits} />
      </div>
      <div className="studio-pictures" tabIndex={0} role="group" aria-label="Original and result">
        <figure>
          <figcaption className="muted">Original</figcaption>
          <div className="studio-picture" style={shown}>
            <canvas ref={original} role="img" aria-label="Original" />
          </div>
        </figure>
        <figure>
          <figcaption className="muted">Result</figcaption>
          <div className="studio-picture" style={shown}>
            <canvas ref={result} role="img" aria-label="Result" />
            <canvas ref={limits} className="studio-limits" hidden={!limitsAreShown} aria-hidden />
          </div>
        </figure>
      </div>
    </>
  )
}
