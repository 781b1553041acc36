import type { JoystickInput } from '@shared/c64/keyboardMatrix'

/** How far a stick must be pushed, of 1, to count as a direction. */
const THRESHOLD = 0.5

type PadState = Pick<Gamepad, 'axes'> & { readonly buttons: readonly Pick<GamepadButton, 'pressed'>[] }

/** Standard mapping: directions by the left stick or the cross, fire by any of the first four buttons. */
export function joystickOf({ axes, buttons }: PadState): JoystickInput[] {
  const down = (button: number) => buttons[button]?.pressed === true
  const x = axes[0] ?? 0
  const y = axes[1] ?? 0
  const inputs: JoystickInput[] = []
  if (y < -THRESHOLD || down(12)) inputs.push('up')
  if (y > THRESHOLD || down(13)) inputs.push('down')
  if (x < -THRESHOLD || down(14)) inputs.push('left')
  if (x > THRESHOLD || down(15)) inputs.push('right')
  if (down(0) || down(1) || down(2) || down(3)) inputs.push('fire')
  return inputs
}

/** Calls back once per animation frame while a gamepad is plugged in. */
export function watchGamepad(onInputs: (inputs: JoystickInput[]) => void): () => void {
  let request = 0
  const poll = () => {
    const pad = navigator.getGamepads().find((candidate) => candidate !== null)
    onInputs(pad ? joystickOf(pad) : [])
    request = pad ? requestAnimationFrame(poll) : 0
  }
  const start = () => {
    if (request === 0) poll()
  }
  window.addEventListener('gamepadconnected', start)
  start()
  return () => {
    cancelAnimationFrame(request)
    window.removeEventListener('gamepadconnected', start)
  }
}
