import { perform } from '../client/actions'
import { useBridge, useFrontMachine, useFrontName } from '../client/machines'
import { useShortcuts } from '../client/shortcuts'
import { whyNoFrame } from '../client/whyNoFrame'
import { Button } from '../widgets/Button'
import { usePlayback } from './shownMoment'
import './noFrameYet.css'

interface NoFrameYetProps {
  readonly className?: string
  readonly recorded?: string
}

export function NoFrameYet({ className, recorded }: NoFrameYetProps) {
  const state = useFrontMachine()
  const name = useFrontName()
  const bridge = useBridge()
  const shortcutOf = useShortcuts()
  const isRecorded = usePlayback(({ shown }) => shown !== null)
  if (isRecorded && recorded !== undefined) return <p className={className}>{recorded}</p>
  const { text, action } = whyNoFrame(state, name, bridge)
  return (
    <div className={className === undefined ? 'no-frame' : `no-frame ${className}`} role="status">
      <p>{text}</p>
      {action ? (
        <Button label={action.label} shortcut={shortcutOf(action.id)} onClick={() => perform(action.id)} />
      ) : null}
    </div>
  )
}
