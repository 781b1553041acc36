import { actions, type Action, type ActionId } from './actions'

export const runningKeySets = ['standard', 'vsCode', 'retroDebugger'] as const
export type RunningKeys = (typeof runningKeySets)[number]

/**
 * Replacements for the table's keys. In VS Code's set, F5 and F6 stay the C64's and the window's: F8 resumes and pauses
 * there too. RetroDebugger's are its “Global shortcuts”: F10 steps, F11 runs on, Alt+F10 steps back, Ctrl+P is its
 * warp.
 */
const changed = {
  standard: {},
  vsCode: {
    'machine.step': 'F11',
    'machine.stepOver': 'F10',
    'machine.stepOut': 'Shift+F11',
    'screen.full': 'CmdOrCtrl+Shift+F11',
  },
  retroDebugger: {
    'machine.pause': 'F11',
    'machine.step': 'F10',
    'machine.stepOver': 'CmdOrCtrl+F10',
    'machine.stepBack': 'Alt+F10',
    'machine.warp': 'CmdOrCtrl+P',
  },
} as const satisfies Record<RunningKeys, Partial<Record<ActionId, string>>>

type Changes = typeof changed

export type RunningAction = { [Keys in RunningKeys]: keyof Changes[Keys] }[RunningKeys]

/** In Electron's accelerator form. */
export function acceleratorOf(id: ActionId, keys: RunningKeys): string | undefined {
  const { accelerator }: Action = actions[id]
  const own: Partial<Record<ActionId, string>> = changed[keys]
  return own[id] ?? accelerator
}
