import { perform } from '../client/actions'
import { useBridge, useFrontMachine, useFrontName } from '../client/machines'
import { useShortcuts } from '../client/shortcuts'
import { whyNoFrame } from '../client/whyNoFrame'
import { Button } from '../widgets/Button'
import { usePlayback } from './shownMoment'
import './noFrameYet.css'

interface NoFrameYetProps {
  readonly className?: string
  /** What is said while a recording is looked at, which lacks it; left out where the view says so itself. */
  readonly recorded?: string
}

/** In the place of what comes with the first frame: why there is none, and what leads on. */
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
