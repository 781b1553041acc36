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
  Proportions,
  PictureInPicture2,
  Tv,
} from 'lucide-react'
import { ActionButton } from '../../client/ActionButton'
import { ChoiceSelect } from '../../client/ChoiceSelect'
import { useChosen } from '../../client/chosen'
import { viewChoice } from '../../client/viewChoices'
import { useLoadedPalette } from '../../frames/loadedPalette'
import { SoundButton } from '../../frames/SoundButton'
import {
  useAskForColours,
  useBorders,
  useCrt,
  usePaletteLimit,
  useScaling,
  useSpriteStrip,
} from '../../frames/screenOptions'
import { FoldingBar } from '../../widgets/FoldingBar'
import { Tip } from '../../widgets/Tip'
import { useFloating } from './floating'
import { useFullScreen } from './fullScreen'
import { useInputState } from './inputState'

export function ScreenToolbar() {
  const joystickKeys = useInputState((input) => input.joystickKeys)
  const full = useFullScreen((state) => state.full)
  const floating = useFloating((state) => state.floating)
  const scaling = useScaling()
  const borders = useBorders()
  const crt = useCrt()
  const strip = useSpriteStrip()
  return (
    <FoldingBar className="screen-tools" label="Screen">
      <PaletteChoice />
      <AspectChoice />
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
    </FoldingBar>
  )
}

function PaletteChoice() {
  const [palette] = useChosen('screen.palette')
  const why = usePaletteLimit()
  const loaded = useLoadedPalette()
  useAskForColours()
  const name = palette === 'loaded' && loaded !== null ? loaded.name : viewChoice('screen.palette').options[palette]
  return (
    <Tip text={`Palette: ${name}${why(palette) === null ? '' : ' (none)'}`}>
      <span className="button plain icon icon-choice">
        <Palette size={14} strokeWidth={1.75} aria-hidden />
        <ChoiceSelect choice="screen.palette" className="" why={why} />
      </span>
    </Tip>
  )
}

function AspectChoice() {
  const [aspect] = useChosen('screen.aspect')
  const { label, options } = viewChoice('screen.aspect')
  return (
    <Tip text={`${label}: ${options[aspect]}`}>
      <span className="button plain icon icon-choice">
        <Proportions size={14} strokeWidth={1.75} aria-hidden />
        <ChoiceSelect choice="screen.aspect" className="" />
      </span>
    </Tip>
  )
}
