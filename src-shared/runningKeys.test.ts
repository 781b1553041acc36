import { describe, expect, it } from 'vitest'
import { actionIds } from './actions'
import { acceleratorOf, runningKeySets } from './runningKeys'

describe('the keys for running', () => {
  it.each(runningKeySets)('of %s are given to one action each', (keys) => {
    const accelerators = actionIds.flatMap((id) => acceleratorOf(id, keys) ?? [])
    expect(accelerators.filter((each, index) => accelerators.indexOf(each) !== index)).toEqual([])
  })

  it('are those of the table, of VS Code, or of RetroDebugger', () => {
    const of = (keys: (typeof runningKeySets)[number]) =>
      (
        [
          'machine.pause',
          'machine.step',
          'machine.stepOver',
          'machine.stepOut',
          'machine.stepBack',
          'machine.warp',
        ] as const
      ).map((id) => acceleratorOf(id, keys))
    expect(of('standard')).toEqual([
      'F8',
      'F10',
      'CmdOrCtrl+F10',
      'CmdOrCtrl+Shift+F11',
      'CmdOrCtrl+Shift+F10',
      'CmdOrCtrl+Shift+W',
    ])
    expect(of('vsCode')).toEqual(['F8', 'F11', 'F10', 'Shift+F11', 'CmdOrCtrl+Shift+F10', 'CmdOrCtrl+Shift+W'])
    expect(of('retroDebugger')).toEqual([
      'F11',
      'F10',
      'CmdOrCtrl+F10',
      'CmdOrCtrl+Shift+F11',
      'Alt+F10',
      'CmdOrCtrl+P',
    ])
    expect(acceleratorOf('memory.goto', 'retroDebugger')).toBe('CmdOrCtrl+G')
  })
})
