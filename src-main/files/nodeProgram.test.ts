import { expect, it } from 'vitest'
import { nodeProgram } from './nodeProgram'

const electron = { ...process.versions, electron: '45.0.0' }

it('is the Node of this process', () => {
  expect(nodeProgram({ BRIDGEDECK_NODE: '/another/node' }, process.versions)).toBe(process.execPath)
})

it('is within Electron the one that main names, or the one on the PATH', () => {
  expect(nodeProgram({ BRIDGEDECK_NODE: '/app/node' }, electron)).toBe('/app/node')
  expect(nodeProgram({}, electron)).toBe('node')
})
