import { describe, expect, it } from 'vitest'
import { taskHome } from './home'

describe('the state home', () => {
  const environment = { C64_TASK_STATE_FILE: '/state/of/c64bridge/tasks.json' }
  it.each([
    ['what is named', { named: '/named', setting: '/set' }, environment, '/named'],
    ['the folder of C64_TASK_STATE_FILE', { setting: '/set' }, environment, '/state/of/c64bridge'],
    ['the setting', { setting: '/set' }, {}, '/set'],
    ['~/.c64bridge', { setting: null }, {}, '/home/somebody/.c64bridge'],
  ])('is %s before all that follows', (_what, options, variables, expected) => {
    expect(taskHome(options, variables, '/home/somebody')).toBe(expected)
  })
})
