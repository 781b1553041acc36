import { Undo2, ZoomIn, ZoomOut } from 'lucide-react'
import { ChoiceSegments } from '../../client/ChoiceSegments'
import { Button } from '../../widgets/Button'
import type { Spans } from './useSpans'

interface SpanButtonsProps {
  readonly spans: Spans
  readonly isBytes: boolean
}

export const SpanButtons = ({ spans: { zoomBy, back, show, canGoBack }, isBytes }: SpanButtonsProps) => (
  <>
    {isBytes ? <ChoiceSegments choice="tasks.valuesAs" /> : null}
    <Button label="Closer" icon={ZoomIn} shortcut="+" onClick={() => zoomBy(0.5)} />
    <Button label="Farther" icon={ZoomOut} shortcut="-" onClick={() => zoomBy(2)} />
    <Button
      label="Back"
      icon={Undo2}
      shortcut="Escape"
      tip="To what was shown before. Drag over a chart to choose a range"
      why={canGoBack ? null : 'Nothing to go back to.'}
      onClick={back}
    />
    <Button label="All" shortcut="0" onClick={() => show(null)} />
  </>
)
