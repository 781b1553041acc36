import {
  Camera,
  ClipboardCopy,
  ClipboardPaste,
  Frame,
  Gamepad2,
  Ghost,
  Grid3x3,
  Maximize,
  Palette,
  PictureInPicture2,
  Tv,
} from 'lucide-react'
import { ActionButton } from '../../client/ActionButton'
import { ChoiceSelect } from '../../client/ChoiceSelect'
import { useChosen } from '../../client/chosen'
import { viewChoice } from '../../client/viewChoices'
import { SoundButton } from '../../frames/SoundButton'
import {
  useAskForColours,
  useBorders,
  useCrt,
  useOwnColoursLimit,
  useScaling,
  useSpriteStrip,
} from '../../frames/screenOptions'
import { Tip } from '../../widgets/Tip'
import { useFloating } from './floating'
import { useFullScreen } from './fullScreen'
import { useInputState } from './inputState'

/** How the picture looks, and what can be done with it: icons in fixed places. */
export function ScreenToolbar() {
  const joystickKeys = useInputState((input) => input.joystickKeys)
  const full = useFullScreen((state) => state.full)
  const floating = useFloating((state) => state.floating)
  const scaling = useScaling()
  const borders = useBorders()
  const crt = useCrt()
  const strip = useSpriteStrip()
  return (
    <div className="toolbar" role="toolbar" aria-label="Screen">
      <PaletteChoice />
      <ActionButton id="screen.whole" label="Whole pixels" icon={Grid3x3} pressed={scaling === 'whole'} />
      <ActionButton id="screen.borders" label="Borders" icon={Frame} pressed={borders === 'shown'} />
      <ActionButton id="screen.crt" label="CRT look" icon={Tv} pressed={crt} />
      <ActionButton id="screen.sprites" label="Sprites below the screen" icon={Ghost} pressed={strip} />
      <ActionButton id="screen.float" label="Window on top" icon={PictureInPicture2} pressed={floating} />
      <ActionButton id="screen.full" label="Full screen" icon={Maximize} pressed={full} />
      <span className="toolbar-end">
        <SoundButton />
        <ActionButton id="joystick.toggle" label="Keys move the joystick" icon={Gamepad2} pressed={joystickKeys} />
        <ActionButton id="edit.pasteToMachine" label="Type the clipboard" icon={ClipboardPaste} />
        <ActionButton id="picture.copy" label="Copy the screen" icon={ClipboardCopy} />
        <ActionButton id="picture.save" label="Save a screenshot" icon={Camera} />
      </span>
    </div>
  )
}

/** The system's own list, opened by an icon. */
function PaletteChoice() {
  const [palette] = useChosen('screen.palette')
  const limit = useOwnColoursLimit()
  useAskForColours()
  const tip = `Palette: ${viewChoice('screen.palette').options[palette]}`
  return (
    <Tip text={palette === 'machine' && limit !== null ? `${tip} (none)` : tip}>
      <span className="button plain icon icon-choice">
        <Palette size={14} strokeWidth={1.75} aria-hidden />
        <ChoiceSelect choice="screen.palette" className="" why={(value) => (value === 'machine' ? limit : null)} />
      </span>
    </Tip>
  )
}
