import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { dataFolder } from './dataFolder'

describe('the data folder', () => {
  it('is where BRIDGEDECK_DATA says, made absolute', () => {
    expect(dataFolder({ BRIDGEDECK_DATA: 'here' }, 'linux', '/home/ada')).toBe(resolve('here'))
  })
  it('follows XDG on Linux', () => {
    expect(dataFolder({}, 'linux', '/home/ada')).toBe('/home/ada/.config/bridgedeck')
    expect(dataFolder({ XDG_CONFIG_HOME: '/x' }, 'linux', '/home/ada')).toBe('/x/bridgedeck')
    expect(dataFolder({ XDG_CONFIG_HOME: '' }, 'linux', '/home/ada')).toBe('/home/ada/.config/bridgedeck')
    expect(dataFolder({ XDG_CONFIG_HOME: 'x' }, 'linux', '/home/ada')).toBe('/home/ada/.config/bridgedeck')
  })
  it('is in Application Support on macOS', () => {
    expect(dataFolder({}, 'darwin', '/Users/ada')).toBe('/Users/ada/Library/Application Support/Bridgedeck')
  })
})
