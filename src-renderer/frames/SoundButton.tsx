import { Volume2, VolumeX } from 'lucide-react'
import { Button } from '../widgets/Button'
import { IconButton } from '../widgets/IconButton'
import { perform } from '../client/actions'
import { readVolume, useIsAudible, useSound, VOLUME_KEY } from './audio'
import { useFrontMachine, useLack, useLimit } from '../client/machines'
import { shortcutOf } from '../client/shortcuts'
import { useViewState } from '../client/viewState'

export function SoundButton() {
  const limit = useLimit('audioStream')
  const lack = useLack('audioStream')
  const kind = useFrontMachine()?.kind
  const isAudible = useIsAudible()
  const sound = useSound()
  const [volume, setVolume] = useViewState(VOLUME_KEY, readVolume)
  if (limit !== null) {
    if (kind !== 'builtin' || lack === null) return null
    return (
      <Button label="Sound" icon={VolumeX} iconOnly look="plain" why={lack} onClick={() => perform('sound.toggle')} />
    )
  }
  const figures = `${sound.blocks} blocks of 20 ms came, ${sound.dropped} were dropped, ${sound.gaps} gaps were heard.`
  return (
    <span className="sound" data-blocks={sound.blocks}>
      <IconButton
        label="Sound"
        icon={isAudible ? Volume2 : VolumeX}
        look="plain"
        pressed={isAudible}
        shortcut={shortcutOf('sound.toggle')}
        tip={
          isAudible
            ? `Mute the sound; it goes on at the machine. ${sound.problem ?? figures}`
            : 'Let the machine’s sound be heard here'
        }
        onClick={() => perform('sound.toggle')}
      />
      {isAudible ? (
        <input
          type="range"
          aria-label="Volume"
          min={0}
          max={1}
          step={0.05}
          value={volume}
          onChange={({ target }) => setVolume(target.valueAsNumber)}
        />
      ) : null}
    </span>
  )
}
