import { useState } from 'react'
import { zoom, type Span } from './span'

export interface Spans {
  readonly span: Span
  readonly whole: Span
  /** Null shows all. */
  readonly show: (span: Span | null) => void
  readonly back: () => void
  readonly canGoBack: boolean
  readonly zoomBy: (factor: number) => void
}

const MAX_STEPS_BACK = 50

export function useSpans(whole: Span): Spans {
  const [steps, setSteps] = useState<readonly (Span | null)[]>([null])
  const span = steps.at(-1) ?? whole
  const show = (next: Span | null) =>
    setSteps((before) => (next === null ? [null] : [...before, next].slice(-MAX_STEPS_BACK)))
  return {
    span,
    whole,
    show,
    back: () => setSteps((before) => (before.length > 1 ? before.slice(0, -1) : [null])),
    canGoBack: steps.length > 1,
    zoomBy: (factor) => show(zoom(span, whole, factor, 0.5)),
  }
}
