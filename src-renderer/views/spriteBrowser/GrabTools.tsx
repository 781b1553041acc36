import { Clapperboard } from 'lucide-react'
import { ActionButton } from '../../client/ActionButton'
import { ChoiceSelect } from '../../client/ChoiceSelect'
import { useGrabbing } from './grabbing'

/** Which sprite is watched for its animation, and what came so far. */
export function GrabTools() {
  const { sprite, pictures, changes } = useGrabbing()
  return (
    <>
      <ChoiceSelect choice="spriteBrowser.grab" />
      <ActionButton id="spriteBrowser.grab" label="Grab animation" icon={Clapperboard} pressed={sprite !== null} />
      {sprite === null ? null : (
        <span className="sprite-browser-grab muted">
          {pictures} pictures, {changes} changes
        </span>
      )}
    </>
  )
}
