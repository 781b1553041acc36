import { useEffect, useRef, useState } from 'react'
import { counted } from '@shared/countedText'
import { ChoiceSegments } from '../../client/ChoiceSegments'
import { useChosen } from '../../client/chosen'
import { comparePixels } from './comparePixels'
import { fileName, isPicture, type GalleryItem } from './galleryItems'
import { useItemPicture } from './useItemPicture'

interface ComparisonProps {
  readonly first: GalleryItem
  readonly second: GalleryItem
}

export function Comparison({ first, second }: ComparisonProps) {
  const [way] = useChosen('artifacts.compare')
  const [share, setShare] = useState(50)
  const [one, other] = [useItemPicture(first).url, useItemPicture(second).url]
  const [firstName, secondName] = [fileName(first.artifact), fileName(second.artifact)]
  if (!isPicture(first) || !isPicture(second))
    return (
      <section className="gallery-detail" aria-label="Comparison">
        <p>Only pictures (PNG) can be compared.</p>
      </section>
    )
  return (
    <section className="gallery-detail" aria-label="Comparison">
      <h3 className="data">
        {firstName} – {secondName}
      </h3>
      <ChoiceSegments choice="artifacts.compare" />
      {one === null || other === null ? null : way === 'side' ? (
        <div className="gallery-side">
          <img src={one} alt={firstName} />
          <img src={other} alt={secondName} />
        </div>
      ) : way === 'slider' ? (
        <>
          <div className="gallery-over">
            <img src={one} alt={firstName} />
            <img src={other} alt={secondName} style={{ clipPath: `inset(0 0 0 ${share}%)` }} />
          </div>
          <input
            type="range"
            aria-label="Where the second picture begins"
            min={0}
            max={100}
            value={share}
            onChange={({ target }) => setShare(Number(target.value))}
          />
        </>
      ) : (
        <Difference one={one} other={other} />
      )}
    </section>
  )
}

function Difference({ one, other }: { readonly one: string; readonly other: string }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const [result, setResult] = useState<string | null>(null)
  useEffect(() => {
    let isCurrent = true
    const show = async () => {
      const [a, b] = [await pixelsOf(one), await pixelsOf(other)]
      if (!isCurrent || !canvas.current) return
      if (a.width !== b.width || a.height !== b.height) {
        setResult(`The sizes differ: ${a.width} x ${a.height} and ${b.width} x ${b.height}.`)
        return
      }
      const { marked, count } = comparePixels(a.data, b.data)
      canvas.current.width = a.width
      canvas.current.height = a.height
      canvas.current.getContext('2d')?.putImageData(new ImageData(marked, a.width, a.height), 0, 0)
      setResult(
        count === 0 ? 'The pictures are the same.' : `${counted(count, 'pixel')} of ${a.width * a.height} differ.`,
      )
    }
    show().catch(() => setResult('The pictures cannot be compared.'))
    return () => {
      isCurrent = false
    }
  }, [one, other])
  return (
    <>
      <canvas ref={canvas} className="gallery-large" role="img" aria-label="Difference" width={0} height={0} />
      <p role="status">{result}</p>
    </>
  )
}

async function pixelsOf(url: string): Promise<ImageData> {
  const image = new Image()
  image.src = url
  await image.decode()
  const canvas = new OffscreenCanvas(image.naturalWidth, image.naturalHeight)
  const context = canvas.getContext('2d')
  if (!context) throw new Error('No canvas.')
  context.drawImage(image, 0, 0)
  return context.getImageData(0, 0, canvas.width, canvas.height)
}
