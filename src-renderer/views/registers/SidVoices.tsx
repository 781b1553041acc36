import { useCallback, useRef } from 'react'
import { envelopePoints, sidVoice, waveformPoints, type Point } from '@shared/c64/sidVoice'
import { frames, useDraw } from '../../frames/frames'

const INTERVAL_MS = 100

const VOICES = [1, 2, 3] as const
/** CSS px, with room for the line's own width. */
const HEIGHT = 28
const WIDTHS = { waveform: 64, envelope: 128 } as const

export function SidVoices({ visible }: { readonly visible: boolean }) {
  const list = useRef<HTMLUListElement>(null)
  const drawn = useRef(-Infinity)
  useDraw(
    visible,
    useCallback((now: number) => {
      if (!list.current || !frames.known('io')) return
      if (now - drawn.current < INTERVAL_MS) {
        frames.requestDraw()
        return
      }
      drawn.current = now
      const io = frames.image('io').subarray(0xd000, 0xe000)
      for (const [index, row] of [...list.current.children].entries()) {
        const voice = sidVoice(io, index)
        const [waveform, envelope] = row.querySelectorAll('path')
        row.classList.toggle('on', voice.isGateOn)
        waveform?.setAttribute('d', pathOf(waveformPoints(voice), WIDTHS.waveform))
        envelope?.setAttribute('d', pathOf(envelopePoints(voice), WIDTHS.envelope))
      }
    }, []),
  )
  return (
    <ul ref={list} className="sid-voices" title="Times of the envelope are drawn by their logarithm.">
      {VOICES.map((voice) => (
        <li key={voice}>
          <span className="muted">Voice {voice}</span>
          <Picture label={`Waveform of voice ${voice}`} width={WIDTHS.waveform} />
          <Picture label={`Envelope of voice ${voice}`} width={WIDTHS.envelope} />
        </li>
      ))}
    </ul>
  )
}

const Picture = ({ label, width }: { readonly label: string; readonly width: number }) => (
  <svg role="img" aria-label={label} width={width} height={HEIGHT} viewBox={`0 0 ${width} ${HEIGHT}`}>
    <path />
  </svg>
)

function pathOf(points: readonly Point[], width: number): string {
  const place = ({ x, y }: Point): string =>
    `${(1 + x * (width - 2)).toFixed(1)} ${(1 + (1 - y) * (HEIGHT - 2)).toFixed(1)}`
  return `M${points.map(place).join('L')}`
}
