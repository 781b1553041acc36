import { expect, it } from 'vitest'
import { webPreferences } from './webPreferences'

it('gives every window a sandboxed page without Node', () => {
  expect(webPreferences('/preload.cjs', true)).toEqual({
    preload: '/preload.cjs',
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webSecurity: true,
    allowRunningInsecureContent: false,
    webviewTag: false,
    navigateOnDragDrop: false,
    spellcheck: false,
    devTools: false,
  })
})

it('allows developer tools in an unpacked build alone', () => {
  expect(webPreferences('/preload.cjs', false).devTools).toBe(true)
})
