import { Maximize, ZoomIn, ZoomOut } from 'lucide-react'
import { IconButton } from './IconButton'

interface ZoomButtonsProps {
  readonly wholeLabel: string
  readonly step: number
  readonly onZoom: (factor: number) => void
  readonly onFit: () => void
}

export const ZoomButtons = ({ wholeLabel, step, onZoom, onFit }: ZoomButtonsProps) => (
  <>
    <IconButton label="Zoom in" icon={ZoomIn} shortcut="+" onClick={() => onZoom(step)} />
    <IconButton label="Zoom out" icon={ZoomOut} shortcut="-" onClick={() => onZoom(1 / step)} />
    <IconButton label={wholeLabel} icon={Maximize} shortcut="0" onClick={onFit} />
  </>
)
