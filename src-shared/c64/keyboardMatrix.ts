/**
 * The C64's keys by the names of the Ultimate's `machine:input`, with their place in the keyboard matrix: the column is
 * the CIA 1 port A bit that is driven low, the row the port B bit that then reads low. RESTORE is not in the matrix; it
 * pulls the NMI line.
 */
export const c64Keys = [
  'inst_del',
  'return',
  'cursor_left_right',
  'f7',
  'f1',
  'f3',
  'f5',
  'cursor_up_down',
  '3',
  'w',
  'a',
  '4',
  'z',
  's',
  'e',
  'left_shift',
  '5',
  'r',
  'd',
  '6',
  'c',
  'f',
  't',
  'x',
  '7',
  'y',
  'g',
  '8',
  'b',
  'h',
  'u',
  'v',
  '9',
  'i',
  'j',
  '0',
  'm',
  'k',
  'o',
  'n',
  'plus',
  'p',
  'l',
  'minus',
  'period',
  'colon',
  'at',
  'comma',
  'pound',
  'star',
  'semicolon',
  'clr_home',
  'right_shift',
  'equals',
  'arrow_up',
  'slash',
  '1',
  'arrow_left',
  'ctrl',
  '2',
  'space',
  'commodore',
  'q',
  'run_stop',
  'restore',
] as const satisfies readonly string[]
export type C64Key = (typeof c64Keys)[number]

const names: readonly string[] = c64Keys
export const isC64Key = (name: string): name is C64Key => names.includes(name)

export interface MatrixPosition {
  readonly column: number
  readonly row: number
}

export function matrixPosition(key: C64Key): MatrixPosition | null {
  if (key === 'restore') return null
  const index = c64Keys.indexOf(key)
  return { column: index >> 3, row: index & 7 }
}

export const joystickInputs = ['up', 'down', 'left', 'right', 'fire'] as const
export type JoystickInput = (typeof joystickInputs)[number]
