import { Volume2, VolumeX } from 'lucide-react'
import { IconButton } from '../widgets/IconButton'
import { MUTED, readMuted, readVolume, sendsSound, useSound, VOLUME } from './audio'
import { useFrontMachine } from './machines'
import { useViewState } from './viewState'

/** Mutes the machine in front and sets how loud it is; only there while that machine sends its sound. */
export function SoundButton() {
  const state = useFrontMachine()
  const sound = useSound()
  const [muted, setMuted] = useViewState(MUTED, readMuted)
  const [volume, setVolume] = useViewState(VOLUME, readVolume)
  if (!sendsSound(state)) return null
  const figures = `${sound.blocks} blocks of 20 ms came, ${sound.dropped} were dropped, ${sound.gaps} gaps were heard.`
  return (
    <span className="sound" data-blocks={sound.blocks}>
      <IconButton
        label="Mute the sound"
        icon={muted ? VolumeX : Volume2}
        pressed={muted}
        tip={muted ? 'The sound is muted; it goes on at the machine.' : `Mute the sound. ${sound.problem ?? figures}`}
        onClick={() => setMuted(!muted)}
      />
      <input
        type="range"
        aria-label="Volume"
        min={0}
        max={1}
        step={0.05}
        value={volume}
        disabled={muted}
        onChange={({ target }) => setVolume(target.valueAsNumber)}
      />
    </span>
  )
}
