/** The keys that run, pause and step a machine, as the person chose them; all others are those of the table of actions. */
import { actions, type Action, type ActionId } from './actions'

export const runningKeySets = ['standard', 'vsCode', 'retroDebugger'] as const
export type RunningKeys = (typeof runningKeySets)[number]

/**
 * In place of the table's. F5 and F6 of VS Code stay the C64's and the window's: F8 resumes and pauses there too. Those of
 * RetroDebugger are its “Global shortcuts”: F10 steps, F11 runs on, Alt+F10 steps back, Ctrl+P is its warp.
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

/** Whose keys can be chosen. */
export type RunningAction = { [Keys in RunningKeys]: keyof Changes[Keys] }[RunningKeys]

/** In Electron's form; undefined for an action without a shortcut. */
export function acceleratorOf(id: ActionId, keys: RunningKeys): string | undefined {
  const { accelerator }: Action = actions[id]
  const own: Partial<Record<ActionId, string>> = changed[keys]
  return own[id] ?? accelerator
}
