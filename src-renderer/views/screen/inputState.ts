import { create } from 'zustand'

/** While on, the joystick keys of the settings move the joystick instead of typing. */
export const useInputState = create<{ readonly joystickKeys: boolean }>(() => ({ joystickKeys: false }))

export const toggleJoystickKeys = (): void =>
  useInputState.setState(({ joystickKeys }) => ({ joystickKeys: !joystickKeys }))
