import { describe, expect, it } from 'vitest'
import { shortcutText } from './shortcuts'

describe('shortcutText', () => {
  it('writes an accelerator as the platform does', () => {
    expect(shortcutText('CmdOrCtrl+Shift+P', false)).toBe('Ctrl+Shift+P')
    expect(shortcutText('CmdOrCtrl+Shift+P', true)).toBe('⇧⌘P')
    expect(shortcutText('Shift+F10', true)).toBe('⇧F10')
    expect(shortcutText('F6', false)).toBe('F6')
  })
})
