import { Clapperboard } from 'lucide-react'
import { counted } from '@shared/countedText'
import { ActionButton } from '../../client/ActionButton'
import { useChosen } from '../../client/chosen'
import { viewChoice } from '../../client/viewChoices'
import { useGrabbing } from './grabbing'

export function GrabButton() {
  const isGrabbing = useGrabbing(({ sprite }) => sprite !== null)
  const [sprite] = useChosen('spriteBrowser.grab')
  const label = `Grab animation: ${viewChoice('spriteBrowser.grab').options[sprite]}`
  return <ActionButton id="spriteBrowser.grab" label={label} icon={Clapperboard} pressed={isGrabbing} />
}

export function GrabStatus() {
  const { sprite, pictures, changes } = useGrabbing()
  if (sprite === null) return null
  return (
    <span className="sprite-browser-grab muted">
      Sprite {sprite}: {counted(pictures, 'picture')}, {counted(changes, 'change')}
    </span>
  )
}
