import { Button } from '../widgets/Button'
import { perform } from './actions'
import { useBridge, useFrontMachine, useFrontName } from './machines'
import { useShortcuts } from './shortcuts'
import { whyNoFrame } from './whyNoFrame'
import './noFrameYet.css'

interface NoFrameYetProps {
  readonly className?: string
  /** What a recording that is looked at lacks for the view; null while none is. */
  readonly lacksRecorded: string | null
}

/** In the place of what comes with the first frame: why there is none, and what leads on. */
export function NoFrameYet({ className, lacksRecorded }: NoFrameYetProps) {
  const state = useFrontMachine()
  const name = useFrontName()
  const bridge = useBridge()
  const shortcutOf = useShortcuts()
  if (lacksRecorded !== null) return <p className={className}>{lacksRecorded}</p>
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
