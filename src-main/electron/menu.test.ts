import type { MenuItemConstructorOptions } from 'electron'
import { describe, expect, it, vi } from 'vitest'
import { actionIds, actions } from '@shared/actions'
import { menuTemplate } from './menu'

const levels = (template: MenuItemConstructorOptions[]): MenuItemConstructorOptions[][] =>
  template.flatMap(({ submenu }) => (Array.isArray(submenu) ? [submenu, ...levels(submenu)] : []))
const items = (template: MenuItemConstructorOptions[]): MenuItemConstructorOptions[] => levels(template).flat()
const roles = (template: MenuItemConstructorOptions[]) =>
  [...template, ...items(template)].flatMap(({ role }) => role ?? [])

describe('the menu', () => {
  const choose = vi.fn()
  const template = menuTemplate({ isMac: false, isPackaged: true, titles: {}, runningKeys: 'standard', choose })

  it('has every action once, in its menu, with its accelerator', () => {
    const own = items(template).filter(({ id }) => id !== undefined)
    expect(own.map(({ id }) => id).sort()).toEqual([...actionIds].sort())
    for (const item of own) {
      const action: { title: string; accelerator?: string } = actions[item.id as keyof typeof actions]
      expect(item).toMatchObject({
        label: action.title,
        ...(action.accelerator ? { accelerator: action.accelerator } : {}),
      })
    }
  })

  it('names what an action is about, where that is known', () => {
    const titles = { 'project.undo': 'Undo answer to “Disk & tape?”' } as const
    const named = items(menuTemplate({ isMac: false, isPackaged: true, titles, runningKeys: 'standard', choose }))
    expect(named.find(({ id }) => id === 'project.undo')?.label).toBe('Undo answer to “Disk && tape?”')
    expect(named.find(({ id }) => id === 'project.redo')?.label).toBe(actions['project.redo'].title)
  })

  it('has the keys for running that the person chose', () => {
    const chosen = menuTemplate({ isMac: false, isPackaged: true, titles: {}, runningKeys: 'retroDebugger', choose })
    const accelerator = (id: string) => items(chosen).find((item) => item.id === id)?.accelerator
    expect(['machine.pause', 'machine.step', 'machine.reset'].map(accelerator)).toEqual(['F11', 'F10', 'CmdOrCtrl+R'])
    // Otherwise the platform's F11.
    const fullScreen = (template: MenuItemConstructorOptions[]) =>
      items(template).find(({ role }) => role === 'togglefullscreen')?.accelerator
    expect([fullScreen(chosen), fullScreen(template)]).toEqual(['CmdOrCtrl+F11', undefined])
  })

  it('tells which action was chosen', () => {
    const item = items(template).find(({ id }) => id === 'machine.reset')
    const click = item?.click as (() => void) | undefined
    click?.()
    expect(choose).toHaveBeenCalledWith('machine.reset')
  })

  it('has no separator at an end of a menu, nor two side by side', () => {
    for (const isMac of [false, true]) {
      for (const level of levels(
        menuTemplate({ isMac, isPackaged: false, titles: {}, runningKeys: 'standard', choose }),
      )) {
        const kinds = level.map(({ type }) => type)
        expect(kinds[0]).not.toBe('separator')
        expect(kinds.at(-1)).not.toBe('separator')
        kinds.forEach((kind, index) => expect(kind === 'separator' && kinds[index + 1] === 'separator').toBe(false))
      }
    }
  })

  it('has at most 20 items a level', () => {
    for (const isMac of [false, true]) {
      const whole = menuTemplate({ isMac, isPackaged: false, titles: {}, runningKeys: 'standard', choose })
      for (const level of levels(whole))
        expect(level.filter(({ type }) => type !== 'separator').length).toBeLessThan(21)
    }
  })

  it('has the platform’s own editing items', () => {
    expect(roles(template)).toEqual(
      expect.arrayContaining(['undo', 'redo', 'cut', 'copy', 'paste', 'selectAll', 'quit']),
    )
  })

  it('follows macOS where it runs there', () => {
    const mac = menuTemplate({ isMac: true, isPackaged: true, titles: {}, runningKeys: 'standard', choose })
    expect(mac[0]?.role).toBe('appMenu')
    expect(roles(mac)).toContain('windowMenu')
    expect(roles(mac)).toContain('close')
  })

  it('has developer tools in an unpacked build alone', () => {
    expect(roles(template)).not.toContain('toggleDevTools')
    expect(
      roles(menuTemplate({ isMac: false, isPackaged: false, titles: {}, runningKeys: 'standard', choose })),
    ).toContain('toggleDevTools')
  })

  it('gives no accelerator to two items', () => {
    const accelerators = items(template).flatMap(({ accelerator }) => accelerator ?? [])
    expect(new Set(accelerators).size).toBe(accelerators.length)
  })
})
